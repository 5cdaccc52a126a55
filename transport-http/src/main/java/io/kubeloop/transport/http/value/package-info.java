/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Helpers for the texts of a configuration: the default for an absent value, and the redaction of secrets. Stateless.
 */
@NullMarked
package io.kubeloop.transport.http.value;

import org.jspecify.annotations.NullMarked;
