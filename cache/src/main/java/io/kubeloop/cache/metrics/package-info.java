/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What informers report: numbers for a metrics library, and the path of single events.
 *
 * <p>Entry type: {@link io.kubeloop.cache.metrics.InformerMetricsProvider}, which {@code InformerConfig} holds.
 *
 * <p>Threading: an informer's threads call the methods; implementations must be thread-safe and must not block.
 */
@NullMarked
package io.kubeloop.cache.metrics;

import org.jspecify.annotations.NullMarked;
