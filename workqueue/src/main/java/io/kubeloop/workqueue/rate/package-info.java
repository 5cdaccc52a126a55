/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The rate limiters that {@link io.kubeloop.workqueue.RateLimiters} creates. Every type is thread-safe, and none
 * blocks.
 */
@NullMarked
package io.kubeloop.workqueue.rate;

import org.jspecify.annotations.NullMarked;
