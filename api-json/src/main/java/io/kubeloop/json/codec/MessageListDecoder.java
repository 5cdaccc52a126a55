/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.codec;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ListMetaBuilder;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.protobuf.Envelope;
import io.kubeloop.json.protobuf.MessageType;
import io.kubeloop.json.protobuf.MessageType.Field;
import io.kubeloop.json.protobuf.MessageType.Form;
import io.kubeloop.json.protobuf.MessageType.Shape;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireReader;
import io.kubeloop.json.record.MessageReader;
import io.kubeloop.json.record.RecordAdapter;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads lists in protocol buffers, item by item while they arrive. It holds the bytes of one item. Confined to one
 * thread.
 */
public final class MessageListDecoder {

    /** The magic bytes, a kind and an API version, and the tag of the message are shorter. */
    private static final int LONGEST_HEAD = 4 << 10;

    private static final int METADATA = 1;
    private static final int ITEMS = 2;

    private static final ListMeta NO_METADATA = ListMetaBuilder.builder().build();

    private final MessageReader reader;
    private final WireWindow window;
    private final Envelope envelope = new Envelope();

    /**
     * Makes a decoder.
     *
     * @param maxObjectBytes the largest item to read
     */
    public MessageListDecoder(MessageReader reader, int maxObjectBytes) {
        this.reader = reader;
        window = new WireWindow(maxObjectBytes);
    }

    /** Releases the stream and large buffers. */
    public void release() {
        window.release();
    }

    /**
     * Reads a list.
     *
     * @param kind the kind of the items; empty for any kind
     */
    public <T extends KubeObject> KubeList<T> decode(InputStream in, RecordAdapter<T> adapter, String kind) {
        window.open(in);
        MessageType list = head(kind);
        Field items = list.field(ITEMS);
        Field metadata = list.field(METADATA);
        if (items == null || items.shape() != Shape.LIST || items.form() != Form.MESSAGE || metadata == null) {
            throw new DecodeException("expected a list in protocol buffers, found " + list.name(), null);
        }
        long length = window.varint();
        long end = window.offset() + length;
        if (length < 0 || end < 0) {
            throw new DecodeException("the list in protocol buffers declares " + length + " bytes", null);
        }
        ListMeta meta = NO_METADATA;
        List<T> objects = new ArrayList<>();
        while (window.offset() < end) {
            long tag = window.varint();
            if (tag == (ITEMS << 3 | WireReader.LENGTH)) {
                int to = value(end);
                objects.add(item(adapter, items.messageType(), to, objects.size()));
            } else if (tag == (METADATA << 3 | WireReader.LENGTH)) {
                int to = value(end);
                WireReader wire = reader.open(window.bytes(), window.from(), to);
                meta = reader.record(RecordAdapter.of(ListMeta.class), metadata.messageType(), to);
                window.moveTo(wire.position());
            } else if ((tag & 7) == WireReader.LENGTH) {
                window.moveTo(value(end));
            } else {
                throw new DecodeException("the list in protocol buffers has an unknown field with tag " + tag, null);
            }
        }
        tail();
        return new KubeList<>(meta, objects);
    }

    /** Reads the head of the envelope, and returns the message of the list. */
    private MessageType head(String kind) {
        window.has(LONGEST_HEAD);
        WireReader wire = reader.open(window.bytes(), window.from(), window.to());
        envelope.readHead(wire, window.to());
        window.moveTo(wire.position());
        String listKind = envelope.kind(wire);
        String version = envelope.apiVersion(wire);
        if (!kind.isEmpty() && !listKind.equals(kind + "List")) {
            throw new DecodeException("expected \"" + kind + "List\", found \"" + listKind + "\"", null);
        }
        MessageType list = ProtobufDocument.message(version, listKind);
        if (list == null) {
            throw new DecodeException("the kind " + listKind + " of " + version + " has no protocol buffers", null);
        }
        return list;
    }

    /** Waits for a value, which begins with its length; returns where it ends. */
    private int value(long end) {
        long length = window.varint();
        if (length < 0 || length > end - window.offset()) {
            throw new DecodeException(
                    "the list in protocol buffers has an item of " + length + " bytes at byte " + window.offset()
                            + ", longer than the list",
                    null);
        }
        window.require(length);
        return window.from() + (int) length;
    }

    private <T extends KubeObject> T item(RecordAdapter<T> adapter, MessageType type, int to, int index) {
        reader.open(window.bytes(), window.from(), to);
        try {
            T object = reader.object(adapter, type, to, "", "");
            window.moveTo(to);
            return object;
        } catch (DecodeException e) {
            throw new DecodeException("item " + index + ": " + e.getMessage(), e);
        }
    }

    private void tail() {
        while (window.has(1)) {
            window.has(LONGEST_HEAD);
            WireReader wire = reader.open(window.bytes(), window.from(), window.to());
            Envelope.readTail(wire);
            window.moveTo(wire.position());
        }
    }
}
