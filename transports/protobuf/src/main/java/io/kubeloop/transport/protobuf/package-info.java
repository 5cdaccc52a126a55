/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A transport that uses protocol buffers between this process and API servers, and JSON inside the process.
 *
 * <p>An API server spends a good part of a burst on reading and writing JSON. Protocol buffers cost it a fraction.
 * {@link io.kubeloop.transport.protobuf.ProtobufTransport} translates between the two with a table of the built-in
 * kinds. Fields outside the table stay JSON, so no data is lost.
 *
 * <p>Threading: everything runs on the threads of its callers; the table is immutable and shared.
 */
@NullMarked
package io.kubeloop.transport.protobuf;

import org.jspecify.annotations.NullMarked;
