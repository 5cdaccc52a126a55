/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes' protocol buffers, to and from JSON.
 *
 * <p>Entry type: {@link io.kubeloop.json.protobuf.ProtobufDocument}. The messages are derived from the schema
 * of the built-in kinds ({@link io.kubeloop.json.schema.TypeCatalog}). There are no generated classes.
 *
 * <p>A {@link io.kubeloop.json.protobuf.WireWriter} belongs to one thread; all other types are thread-safe.
 */
@NullMarked
package io.kubeloop.json.protobuf;

import org.jspecify.annotations.NullMarked;
