/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The operations of the API server: create, get, list, watch, update, patch and delete, for all kinds that it
 * serves.
 *
 * <p>Start at {@link io.kubeloop.apiserver.registry.ApiHandler}, the entry point for requests, and at {@link
 * io.kubeloop.apiserver.registry.ResourceRegistry}, the table of served resources. Objects are JSON trees,
 * so unknown fields are kept. A request runs on its caller's thread, and holds no lock while it computes.
 *
 * <ul>
 *   <li>{@code Object...} is an operation for all kinds, such as {@code ObjectCreator}. Its input is in {@code
 *       RequestInfo}, {@code Query} and {@code ...Parameters}.
 *   <li>{@code Subresources} executes requests for subresources, with {@code PodActions} and {@code ScaleView}.
 * </ul>
 */
@NullMarked
package io.kubeloop.apiserver.registry;

import org.jspecify.annotations.NullMarked;
