/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The operations of the API server: create, get, list, watch, update, patch and delete, for all kinds that it
 * serves.
 *
 * <p>Start at {@link io.kubeloop.apiserver.registry.ApiHandler}, the entry point for requests, and at {@link
 * io.kubeloop.apiserver.registry.ResourceRegistry}, the table of served resources. Objects are JSON trees,
 * so that unknown fields are kept. A request runs on its caller's thread, and holds no lock while it computes.
 *
 * <ul>
 *   <li>{@code Object...} is an operation for all kinds, such as {@code ObjectCreator}. Its input is in {@code
 *       RequestInfo}, {@code Query} and {@code ...Parameters}.
 *   <li>{@code Subresources} executes requests for subresources, with {@code PodActions} and {@code ScaleView}.
 * </ul>
 *
 * <p>The other packages of the server; each depends only on the packages before it:
 *
 * <ul>
 *   <li>{@code storage} stores objects and replays events for watches.
 *   <li>{@code machinery} is the shared vocabulary, such as metadata and failures.
 *   <li>{@code fields} lists the fields of the built-in kinds.
 *   <li>{@code validation} checks the values of fields.
 *   <li>{@code service} and {@code quota} hold everything about these kinds, including the allocation of addresses
 *       and the admission by quota.
 *   <li>{@code strategy} holds the specific behavior of the other kinds, and the table of all strategies.
 *   <li>{@code registry} is this package.
 *   <li>{@code collector} follows up on writes: garbage collection, namespace content and quota usage.
 * </ul>
 */
@NullMarked
package io.kubeloop.apiserver.registry;

import org.jspecify.annotations.NullMarked;
