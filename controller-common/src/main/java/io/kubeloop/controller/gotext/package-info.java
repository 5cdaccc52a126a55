/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The text form of Go values, which the hash of a pod template covers.
 *
 * <p>Start at {@link io.kubeloop.controller.gotext.DeepHashPrinter}. Everything is immutable and thread-safe.
 */
@NullMarked
package io.kubeloop.controller.gotext;

import org.jspecify.annotations.NullMarked;
