package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Status;
import java.io.InputStream;

/**
 * Turns objects into bytes and back. Thread-safe.
 *
 * <p>Decoding never fails on members it does not know, and encoding writes them back unchanged.
 */
public interface ObjectCodec {

    /** Returns the object's wire form, with {@code apiVersion} and {@code kind}. */
    <T extends KubeObject> byte[] encode(ResourceType<T> type, T object);

    /**
     * Reads one object. Does not close the stream.
     *
     * @throws DecodeException if the bytes are not such an object
     */
    <T extends KubeObject> T decode(ResourceType<T> type, InputStream in);

    /**
     * Reads an object of any kind, and takes nothing but which object it is.
     *
     * @throws DecodeException if the bytes are not an object that has metadata
     */
    ObjectIdentity decodeIdentity(byte[] document);

    /**
     * Reads a list as it streams in; no more than one element is held in undecoded form. Does not close the stream.
     *
     * @throws DecodeException if the bytes are not such a list
     */
    <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in);

    /**
     * Reads one frame of a watch.
     *
     * @throws DecodeException if the bytes are not an event
     */
    <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame);

    /**
     * Reads an error's body. A body that is not a {@code Status} (a proxy's page, JSON of another kind, nothing at all) becomes
     * one that quotes its beginning; its reason is the code's, and among its causes is {@link
     * io.kubeloop.api.StatusReason#UNEXPECTED_SERVER_RESPONSE}.
     *
     * @param code the HTTP status code, which a status without a code of its own gets
     */
    Status decodeStatus(int code, byte[] body);
}
