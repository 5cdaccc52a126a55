/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tokens of JSON in bytes, and the text of JSON strings.
 *
 * <p>Entry type: {@link io.kubeloop.json.scan.JsonScanner}, which belongs to one thread; all other types are stateless.
 */
@NullMarked
package io.kubeloop.json.scan;

import org.jspecify.annotations.NullMarked;
