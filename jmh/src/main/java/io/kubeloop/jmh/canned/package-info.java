/* SPDX-License-Identifier: Apache-2.0 */
/**
 * An API server with prepared responses. It shares the process with the measured client, so its own cost must be very
 * small.
 *
 * <p>Threading: one thread accepts connections. Each connection has a thread that responds, and each watch another
 * one that waits for its end.
 */
@NullMarked
package io.kubeloop.jmh.canned;

import org.jspecify.annotations.NullMarked;
