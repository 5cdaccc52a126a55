/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes' own kinds for the API server.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.BuiltInKinds}. The packages:
 *
 * <ul>
 *   <li>{@code defaults} brings objects into the form in which the server returns them; {@code conversion} converts
 *       between the served versions of a kind.
 *   <li>{@code validation} checks the values of fields; {@code warnings} warns about valid objects.
 *   <li>{@code service} and {@code quota} hold everything about these kinds, including the allocation of addresses and
 *       the admission by quota.
 *   <li>{@code strategy} holds the specific behavior of the other kinds, and the table of all strategies.
 *   <li>{@code admission} holds the admission plug-ins; {@code podsecurity} is one of them.
 *   <li>{@code webhooks} calls webhooks; {@code policies} evaluates admission policies; {@code requests} is what both
 *       share.
 *   <li>{@code access} answers reviews of users, permissions and tokens.
 *   <li>{@code conditions} keeps the conditions that the server itself writes.
 *   <li>{@code columns} holds the columns of tables.
 * </ul>
 *
 * <p>All types are stateless or thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.kinds;

import org.jspecify.annotations.NullMarked;
