/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The part of an informer that sends lists and watches to the server.
 *
 * <p>Entry type: {@link io.kubeloop.cache.reflector.Reflector}. {@link io.kubeloop.cache.reflector.ReflectorDecision}
 * lists how it handles each answer of the server.
 *
 * <p>Threading: one reflector thread per informer runs all of it, except where a class states another thread.
 */
@NullMarked
package io.kubeloop.cache.reflector;

import org.jspecify.annotations.NullMarked;
