/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

/**
 * A document that a server serves outside of its resources. The array is not copied.
 *
 * @param contentType the media type
 * @param content the body
 * @param maxAgeSeconds how long clients may keep it
 */
public record PublicDocument(String contentType, byte[] content, int maxAgeSeconds) {}
