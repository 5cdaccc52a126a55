/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The measured libraries: this one and, in the profile {@code peers}, the alternatives on the JVM. All implement the
 * same few interfaces, so one benchmark measures all of them. A fork of a benchmark loads only one
 * implementation, so the JVM can call it directly.
 *
 * <p>Threading: see each interface.
 */
@NullMarked
package io.kubeloop.jmh.contender;

import org.jspecify.annotations.NullMarked;
