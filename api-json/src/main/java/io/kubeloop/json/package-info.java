/**
 * The JSON of Kubernetes objects: bytes to records and back, losing nothing.
 *
 * <p>Entry type: {@link io.kubeloop.json.JsonCodec}. A further type needs an {@link io.kubeloop.json.ObjectAdapter}, about 15
 * lines that list its members, and a {@link io.kubeloop.json.RecordAdapter} for each record inside it; every other class here
 * with a name that ends in {@code Adapter} is an example. What a {@link io.kubeloop.api.GenericObject} holds is read by
 * {@link io.kubeloop.json.tree.JsonObject#parse(String)} from the text of its unknown fields.
 *
 * <p>The codec is thread-safe, adapters are stateless, and a {@link io.kubeloop.json.RecordReader} or
 * {@link io.kubeloop.json.RecordWriter} is lent to an adapter for one object.
 */
@NullMarked
package io.kubeloop.json;

import org.jspecify.annotations.NullMarked;
