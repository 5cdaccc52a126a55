/**
 * Kubernetes' protocol buffers, to and from JSON.
 *
 * <p>Entry type: {@link io.kubeloop.json.protobuf.ProtobufDocument}. The table {@code kubernetes.schema} describes the built-in
 * kinds; {@code extract-schema.py} in this module extracts it from Kubernetes' sources. There are no generated classes.
 *
 * <p>A {@link io.kubeloop.json.protobuf.WireWriter} belongs to one thread; all other types are thread-safe.
 */
@NullMarked
package io.kubeloop.json.protobuf;

import org.jspecify.annotations.NullMarked;
