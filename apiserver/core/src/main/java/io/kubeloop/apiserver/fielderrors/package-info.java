/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Validation errors of fields, and the cursor with which the rules of all kinds walk an object (upstream: {@code
 * apimachinery/pkg/util/validation/field}).
 *
 * <p>Errors are immutable. Collections and cursors are confined to the thread that validates.
 */
@NullMarked
package io.kubeloop.apiserver.fielderrors;

import org.jspecify.annotations.NullMarked;
