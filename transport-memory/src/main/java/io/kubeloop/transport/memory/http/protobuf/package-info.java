/**
 * Protocol buffers, as far as kubectl insists on them: it sends some objects in no other form, whatever the server says it
 * accepts. Only reading of request bodies; answers are JSON.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.http.protobuf.ProtobufBody}. Everything here is stateless.
 */
@NullMarked
package io.kubeloop.transport.memory.http.protobuf;

import org.jspecify.annotations.NullMarked;
