/**
 * Kubernetes' protocol buffers, to and from JSON.
 *
 * <p>Start at {@link io.kubeloop.json.protobuf.ProtobufDocument}. What the built-in kinds look like is a table, {@code
 * kubernetes.schema}, which {@code extract-schema.py} in this module reads off Kubernetes' sources; there are no generated classes.
 *
 * <p>Threading: {@link io.kubeloop.json.protobuf.WireWriter} is for one thread; everything else is stateless or immutable.
 */
@NullMarked
package io.kubeloop.json.protobuf;

import org.jspecify.annotations.NullMarked;
