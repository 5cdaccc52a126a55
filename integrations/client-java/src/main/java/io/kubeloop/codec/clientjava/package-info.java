/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Objects of the official Java client's model in informers and clients of this project: {@link
 * io.kubeloop.codec.clientjava.ClientJavaCodec}. The codec is immutable and thread-safe.
 */
@NullMarked
package io.kubeloop.codec.clientjava;

import org.jspecify.annotations.NullMarked;
