/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Status;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes objects to bytes and decodes them. Thread-safe.
 *
 * <p>Decoding accepts unknown members, and encoding writes them back unchanged. Methods that read a stream block as
 * the stream does.
 */
public interface ObjectCodec {

    /** Returns the bytes of an object in JSON, with {@code apiVersion} and {@code kind}. */
    <T extends KubeObject> byte[] encode(ResourceType<T> type, T object);

    /**
     * Returns the media types that the codec decodes objects of this resource from, the preferred one first. The first
     * is also that of {@link #encodeBody}. By default, JSON.
     */
    default List<String> mediaTypes(ResourceType<?> type) {
        return List.of(ApiRequest.JSON);
    }

    /**
     * Returns an object as a body in the preferred media type; in JSON, if that media type cannot hold it. By default,
     * the bytes of {@link #encode}.
     */
    default <T extends KubeObject> ApiRequest.Body encodeBody(ResourceType<T> type, T object) {
        return ApiRequest.Body.json(encode(type, object));
    }

    /**
     * Decodes one object. Does not close the stream.
     *
     * @throws DecodeException if the bytes are not such an object
     */
    <T extends KubeObject> T decode(ResourceType<T> type, InputStream in);

    /**
     * Decodes the name, UID and version of an object of any kind.
     *
     * @throws DecodeException if the bytes are not an object that has metadata
     */
    ObjectIdentity decodeIdentity(byte[] document);

    /**
     * Decodes a list from a stream, and holds at most one element in encoded form. Does not close the stream.
     *
     * @throws DecodeException if the bytes are not such a list
     */
    <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in);

    /**
     * Decodes one frame of a watch.
     *
     * @throws DecodeException if the bytes are not an event
     */
    <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame);

    /**
     * Decodes one frame of a watch. By default, it copies the frame, unless the frame is the whole array.
     *
     * @param frame a buffer with a backing array; its content is not used after the call
     * @throws DecodeException if the bytes are not an event
     */
    default <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, ByteBuffer frame) {
        return decodeEvent(type, bytes(frame));
    }

    /**
     * Decodes the body of an error response. A body that is not a {@code Status}, such as the page of a proxy, becomes
     * a status that quotes the beginning of the body. The reason of this status follows from the code, and its causes
     * contain {@link io.kubeloop.api.StatusReason#UNEXPECTED_SERVER_RESPONSE}.
     *
     * @param code the HTTP status code, for a status without code
     */
    Status decodeStatus(int code, byte[] body);

    private static byte[] bytes(ByteBuffer frame) {
        if (frame.arrayOffset() == 0 && frame.position() == 0 && frame.remaining() == frame.array().length) {
            return frame.array();
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(frame.position(), bytes);
        return bytes;
    }
}
