/**
 * Tables: what an API server answers when a client asks for rows and columns instead of objects, as kubectl does.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.http.table.Tables}. Upstream the columns live in {@code
 * pkg/printers/internalversion}. Everything here is stateless but for the clock that ages are told by.
 */
@NullMarked
package io.kubeloop.transport.memory.http.table;

import org.jspecify.annotations.NullMarked;
