/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The JSON of Kubernetes objects: bytes to records and back, losing nothing.
 *
 * <p>Entry type: {@link io.kubeloop.json.JsonCodec}. A kind of your own is a record and one registration with {@link
 * io.kubeloop.json.JsonCodec#with}, which lists the rules for such records. {@link
 * io.kubeloop.json.tree.JsonObject#parse(String)} reads the unknown fields of an object, and the content of a {@link
 * io.kubeloop.api.GenericObject}.
 *
 * <p>To read the code, begin with {@code JsonCodec.decodeList}. In package {@code codec}, {@code ListDecoder} and
 * {@code EventDecoder} read the documents around objects, {@code StatusDecoder} reads errors, and {@code
 * IdentityDecoder} reads only name, namespace and UID. In package {@code record}, {@code RecordReader} reads the
 * members of one object. {@code RecordShape} derives these members from the components of a record, {@code MemberNames}
 * finds them by name, and {@code UnknownMembers} collects all others. In package {@code scan}, {@code JsonScanner}
 * finds the tokens in the bytes. {@code RecordWriter} writes objects.
 *
 * <p>The codec is thread-safe.
 */
@NullMarked
package io.kubeloop.json;

import org.jspecify.annotations.NullMarked;
