/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The measurements of an informer, and its protection against a scheduler of the user.
 *
 * <p>Entry type: {@link io.kubeloop.cache.runtime.InformerMeter}. Every type is thread-safe.
 */
@NullMarked
package io.kubeloop.cache.runtime;

import org.jspecify.annotations.NullMarked;
