/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The texts of JSON values and numbers as Go's libraries write them, in documents and in error messages.
 *
 * <p>All types are stateless and thread-safe.
 */
@NullMarked
package io.kubeloop.json.gotext;

import org.jspecify.annotations.NullMarked;
