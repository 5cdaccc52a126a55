/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.api.client.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The envelope of a message: four magic bytes, the kind and the API version, and the bytes of the message (upstream:
 * {@code runtime.Unknown}). Holds offsets in the array of a reader, and is reused. Confined to one thread.
 */
public final class Envelope {

    /** The first bytes of every object. */
    static final byte[] MAGIC = {'k', '8', 's', 0};

    static final int TYPE = 1;
    static final int RAW = 2;
    private static final int CONTENT_ENCODING = 3;
    private static final int CONTENT_TYPE = 4;

    private int versionFrom;
    private int versionTo;
    private int kindFrom;
    private int kindTo;
    private int from;
    private int to;

    /** Makes an empty envelope. */
    public Envelope() {}

    /** Returns whether bytes begin as an envelope does. */
    public static boolean isNext(byte[] bytes, int from, int to) {
        return to - from >= MAGIC.length && Arrays.equals(bytes, from, from + MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Reads an envelope that ends at this offset, and moves behind it. */
    public void read(WireReader in, int end) {
        readHead(in, end);
        int outer = in.narrow(end);
        to = in.end();
        from = in.position();
        in.moveTo(to);
        while (in.position() < end) {
            readTail(in);
        }
        in.widen(outer);
    }

    /**
     * Reads what precedes the length of the message. The rest may not have arrived yet.
     *
     * @param end where the bytes that have arrived end
     */
    public void readHead(WireReader in, int end) {
        if (!isNext(in.bytes(), in.position(), end)) {
            throw new DecodeException("the document does not begin as protocol buffers of Kubernetes do", null);
        }
        in.moveTo(in.position() + MAGIC.length);
        versionTo = 0;
        versionFrom = 0;
        kindTo = 0;
        kindFrom = 0;
        int outer = in.narrow(end);
        for (int tag = in.tag(); tag >>> 3 != RAW; tag = in.tag()) {
            in.require(tag == (TYPE << 3 | WireReader.LENGTH));
            readType(in, in.end());
        }
        in.widen(outer);
    }

    private void readType(WireReader in, int end) {
        while (in.position() < end) {
            int tag = in.tag();
            in.require((tag & 7) == WireReader.LENGTH);
            int textEnd = in.end();
            if (tag >>> 3 == 1) {
                versionFrom = in.position();
                versionTo = textEnd;
            } else {
                kindFrom = in.position();
                kindTo = textEnd;
            }
            in.moveTo(textEnd);
        }
        in.requireWithin(end);
    }

    /** Reads one of the fields behind the message, which are empty: there is no other encoding. */
    public static void readTail(WireReader in) {
        int tag = in.tag();
        int field = tag >>> 3;
        in.require((field == CONTENT_ENCODING || field == CONTENT_TYPE) && (tag & 7) == WireReader.LENGTH);
        in.require(in.end() == in.position());
    }

    /** Returns the kind in these bytes. */
    public String kind(WireReader in) {
        return new String(in.bytes(), kindFrom, kindTo - kindFrom, StandardCharsets.UTF_8);
    }

    /** Returns the API version in these bytes. */
    public String apiVersion(WireReader in) {
        return new String(in.bytes(), versionFrom, versionTo - versionFrom, StandardCharsets.UTF_8);
    }

    /** Returns the offset of the message. */
    public int from() {
        return from;
    }

    /** Returns the offset behind the message. */
    public int to() {
        return to;
    }
}
