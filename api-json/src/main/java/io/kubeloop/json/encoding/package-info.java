/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The encodings of keys and certificates that several modules read and write: {@link io.kubeloop.json.encoding.Pem}
 * and {@link io.kubeloop.json.encoding.Der}. The time of a reader is linear in the length of its input. A {@code Der}
 * is confined to one thread; everything else is immutable.
 */
@NullMarked
package io.kubeloop.json.encoding;

import org.jspecify.annotations.NullMarked;
