/**
 * Speaks protocol buffers with API servers, and JSON with everything else in this process.
 *
 * <p>An API server spends a good part of a busy moment on reading and writing JSON; its own form costs it a fraction. So
 * {@link io.kubeloop.transport.protobuf.ProtobufTransport} translates between the two, from a table of the built-in kinds. What the
 * table does not know stays JSON: nothing is lost for the sake of speed.
 *
 * <p>Threading: everything runs on the threads of its callers; the table is immutable and shared.
 */
@NullMarked
package io.kubeloop.transport.protobuf;

import org.jspecify.annotations.NullMarked;
