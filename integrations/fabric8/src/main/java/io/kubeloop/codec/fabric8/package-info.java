/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Objects of fabric8's model in informers and clients of this project: {@link io.kubeloop.codec.fabric8.Fabric8Codec}.
 * The codec is immutable and thread-safe.
 *
 * <p>{@link io.kubeloop.codec.fabric8.CompactItemStore} is a store for the informers of fabric8 itself.
 */
@NullMarked
package io.kubeloop.codec.fabric8;

import org.jspecify.annotations.NullMarked;
