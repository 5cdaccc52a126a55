/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests of one sync that run at the same time.
 *
 * <p>Entry type: {@link io.kubeloop.controller.parallel.SlowStartBatch}, which begins with few requests. All types are
 * thread-safe.
 */
@NullMarked
package io.kubeloop.controller.parallel;

import org.jspecify.annotations.NullMarked;
