/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Benchmarks of the hot paths. The comment of each class states its question, its parameters and its command. Every
 * run should use {@code -prof gc}, because code that allocates less also disturbs other code less.
 *
 * <p>A benchmark uses one thread unless its comment states otherwise.
 */
@NullMarked
package io.kubeloop.jmh;

import org.jspecify.annotations.NullMarked;
