/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Warnings about valid objects that probably do not mean what their authors intend, and about deprecated fields.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.warnings.WorkloadWarnings}. All warnings are static functions without
 * state.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.warnings;

import org.jspecify.annotations.NullMarked;
