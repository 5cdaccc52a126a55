/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Documents of the API: lists, watch events, error statuses, and the identity of an object.
 *
 * <p>Entry type: {@link io.kubeloop.json.codec.ListDecoder}. Each decoder serves one document on one thread.
 */
@NullMarked
package io.kubeloop.json.codec;

import org.jspecify.annotations.NullMarked;
