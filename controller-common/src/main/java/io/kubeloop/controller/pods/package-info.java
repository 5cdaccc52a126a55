/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pods of one owner: the cached ones, the requests that create and delete them, and the order of the deletions.
 *
 * <p>Entry types: {@link io.kubeloop.controller.pods.PodCache}, {@link io.kubeloop.controller.pods.PodControl} and
 * {@link io.kubeloop.controller.pods.ActivePodsWithRanks}.
 *
 * <p>Threading: everything is stateless or reads a thread-safe cache.
 */
@NullMarked
package io.kubeloop.controller.pods;

import org.jspecify.annotations.NullMarked;
