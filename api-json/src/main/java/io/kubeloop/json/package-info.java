/**
 * The JSON of Kubernetes objects: bytes to records and back, losing nothing.
 *
 * <p>Entry type: {@link io.kubeloop.json.JsonCodec}. A further type needs an {@link io.kubeloop.json.ObjectAdapter}, about 15
 * lines that list its members, and a {@link io.kubeloop.json.RecordAdapter} for each record inside it; every other class here
 * with a name that ends in {@code Adapter} is an example. What a {@link io.kubeloop.api.GenericObject} holds is read by
 * {@link io.kubeloop.json.tree.JsonObject#parse(String)} from the text of its unknown fields.
 *
 * <p>To read the code, begin with {@code JsonCodec.decodeList}. {@code ListDecoder} and {@code EventDecoder} know what is around
 * the objects, {@code StatusDecoder} what comes in place of them, and {@code IdentityDecoder} looks for nothing but which object
 * it is. {@code RecordReader} leads an adapter through the members of one object, with {@code MemberNames} for those it knows
 * and {@code UnknownMembers} for the others; below it, {@code JsonScanner} finds the tokens in the bytes. The way back is
 * {@code RecordWriter}. Of the adapters, read {@code PodAdapter}; {@code Adapters} lists those of whole objects. They have no
 * package of their own because the codec brings them along, and they extend what it shows to users: each of the two packages
 * would need the other.
 *
 * <p>The codec is thread-safe, adapters are stateless, and a {@link io.kubeloop.json.RecordReader} or
 * {@link io.kubeloop.json.RecordWriter} is lent to an adapter for one object.
 */
@NullMarked
package io.kubeloop.json;

import org.jspecify.annotations.NullMarked;
