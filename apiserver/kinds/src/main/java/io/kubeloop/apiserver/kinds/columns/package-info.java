/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tables: rows and columns instead of objects, as kubectl requests them.
 *
 * <p>Start at {@link io.kubeloop.apiserver.table.Tables}. Upstream defines the columns in {@code
 * pkg/printers/internalversion}. All types are stateless, except for the clock that computes ages.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.columns;

import org.jspecify.annotations.NullMarked;
