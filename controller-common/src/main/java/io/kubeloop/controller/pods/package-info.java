/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pods of one owner: the cached ones, and the order in which a controller deletes them.
 *
 * <p>Entry types: {@link io.kubeloop.controller.pods.PodCache} and {@link
 * io.kubeloop.controller.pods.ActivePodsWithRanks}.
 *
 * <p>Threading: everything is stateless or reads a thread-safe cache.
 */
@NullMarked
package io.kubeloop.controller.pods;

import org.jspecify.annotations.NullMarked;
