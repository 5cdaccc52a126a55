/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes' own kinds for the API server.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.BuiltInKinds}. The packages:
 *
 * <ul>
 *   <li>{@code defaults} brings objects into the form in which the server returns them.
 *   <li>{@code validation} checks the values of fields.
 *   <li>{@code service} and {@code quota} hold everything about these kinds, including the allocation of addresses and
 *       the admission by quota.
 *   <li>{@code strategy} holds the specific behavior of the other kinds, and the table of all strategies.
 *   <li>{@code columns} holds the columns of tables.
 * </ul>
 *
 * <p>All types are stateless or thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.kinds;

import org.jspecify.annotations.NullMarked;
