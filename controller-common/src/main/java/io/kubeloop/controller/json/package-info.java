/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON strings for the few patches that this module writes without a codec. Stateless.
 */
@NullMarked
package io.kubeloop.controller.json;

import org.jspecify.annotations.NullMarked;
