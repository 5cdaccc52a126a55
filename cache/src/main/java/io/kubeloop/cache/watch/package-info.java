/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Watches without a cache (upstream: {@code k8s.io/client-go/tools/watch}).
 *
 * <p>Entry types: {@link io.kubeloop.cache.watch.RetryWatcher} is a watch that reconnects;
 * {@link io.kubeloop.cache.watch.Until} waits until events meet conditions.
 *
 * <p>Threading: the calling thread reads the watch; any thread may close it.
 */
@NullMarked
package io.kubeloop.cache.watch;

import org.jspecify.annotations.NullMarked;
