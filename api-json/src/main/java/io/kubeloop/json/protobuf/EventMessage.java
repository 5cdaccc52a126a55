/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import java.nio.charset.StandardCharsets;

/**
 * One event of a watch: a type, and an object in its {@link Envelope} (upstream: {@code metav1.WatchEvent}). Holds
 * offsets in the array of a reader, and is reused. Confined to one thread.
 */
public final class EventMessage {

    private static final int TYPE = 1 << 3 | WireReader.LENGTH;
    private static final int OBJECT = 2 << 3 | WireReader.LENGTH;
    private static final int RAW = 1 << 3 | WireReader.LENGTH;

    private String type = "";
    private int from;
    private int to;

    /** Makes an empty frame. */
    public EventMessage() {}

    /** Reads a frame that ends at this offset. */
    public void read(WireReader in, int end) {
        type = "";
        from = end;
        to = end;
        while (in.position() < end) {
            int tag = in.tag();
            in.require(tag == TYPE || tag == OBJECT);
            int partEnd = in.end();
            if (tag == TYPE) {
                type = type(in.bytes(), in.position(), partEnd);
            } else {
                in.require(in.tag() == RAW);
                to = in.end();
                from = in.position();
                in.require(to == partEnd);
            }
            in.moveTo(partEnd);
        }
        if (type.isEmpty() || from == to) {
            throw in.malformed("is no watch event with a type and an object");
        }
    }

    private static String type(byte[] bytes, int from, int to) {
        // The two frequent types need no new string.
        if (to - from == 8 && bytes[from] == 'M') {
            return "MODIFIED";
        }
        return to - from == 5 && bytes[from] == 'A'
                ? "ADDED"
                : new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** Returns the type of the event, such as {@code ADDED}. */
    public String type() {
        return type;
    }

    /** Returns the offset of the object's envelope. */
    public int from() {
        return from;
    }

    /** Returns the offset behind the object's envelope. */
    public int to() {
        return to;
    }
}
