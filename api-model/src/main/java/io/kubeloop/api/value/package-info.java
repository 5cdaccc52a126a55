/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Values in the fields of objects: quantities, addresses and ranges of addresses, durations, and values that are a
 * number or a string.
 *
 * <p>Entry type: {@link io.kubeloop.api.value.Quantity}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.value;

import org.jspecify.annotations.NullMarked;
