/**
 * Tables: rows and columns instead of objects, as kubectl requests them.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.http.table.Tables}. Upstream defines the columns in {@code
 * pkg/printers/internalversion}. All types are stateless, except for the clock that computes ages.
 */
@NullMarked
package io.kubeloop.transport.memory.http.table;

import org.jspecify.annotations.NullMarked;
