/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Readers that split the body of a stream into frames.
 *
 * <p>Begin with {@link io.kubeloop.transport.http.frame.WatchFrameReader}, the decoder of watches in JSON.
 *
 * <p>Threading: a reader is confined to the thread that reads the stream. Its {@code next} blocks until a frame is
 * complete.
 */
@NullMarked
package io.kubeloop.transport.http.frame;

import org.jspecify.annotations.NullMarked;
