/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.canned;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.jmh.PodListGenerator;
import io.kubeloop.json.protobuf.MessageType;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireWriter;
import io.kubeloop.json.tree.JsonObject;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The bytes of pods, as a list and as events of a watch, in JSON or in protocol buffers. Immutable. */
final class CannedPods {

    /** Listed pods have smaller versions than events. All versions have the same number of digits. */
    static final long FIRST_VERSION = 5_000_000;

    private static final String VERSION_MARK = "\"resourceVersion\":\"";
    private static final int VERSION_DIGITS = 7;
    private static final int CHUNK = 64 * 1024;

    /** The number of pods above which a list is generated while it is sent; the others take 12 KB of memory each. */
    private static final int MOST_KEPT = 20_000;

    private final String contentType;
    private final int listed;

    /** The body of the list, in chunks; empty if it is generated while it is sent. */
    private final byte[] list;

    private final byte[][] events;
    private final int[] versions;

    /** Creates the bytes of a list that was recorded, without events. */
    CannedPods(byte[] recorded) {
        contentType = ApiRequest.JSON;
        listed = 0;
        list = chunked(recorded);
        events = new byte[0][];
        versions = new int[0];
    }

    private CannedPods(String contentType, byte[] list, byte[][] events, int[] versions) {
        this.contentType = contentType;
        this.listed = events.length;
        this.list = chunked(list);
        this.events = events;
        this.versions = versions;
    }

    /** Creates the bytes of the same generated pods in protocol buffers. */
    static CannedPods inProtobuf(int pods) {
        MessageType type = Objects.requireNonNull(ProtobufDocument.message("v1", "Pod"));
        WireWriter items = new WireWriter().message(1, new WireWriter().string(2, "4711"));
        byte[][] events = new byte[pods][];
        int[] versions = new int[pods];
        for (int i = 0; i < pods; i++) {
            JsonObject json = JsonObject.parse(PodListGenerator.pod(i));
            byte[] pod = ProtobufDocument.fields(type, json);
            items.bytes(2, pod);
            WireWriter object = new WireWriter().bytes(1, document("Pod", pod));
            byte[] event =
                    new WireWriter().string(1, "MODIFIED").message(2, object).toByteArray();
            events[i] = ByteBuffer.allocate(Integer.BYTES + event.length)
                    .putInt(event.length)
                    .put(event)
                    .array();
            // The field 6 of the metadata, of 7 bytes; ISO 8859-1 keeps the offsets.
            versions[i] = new String(events[i], StandardCharsets.ISO_8859_1)
                            .indexOf("2\u0007" + json.string("metadata", "resourceVersion"))
                    + 2;
        }
        return new CannedPods(ApiRequest.PROTOBUF, document("PodList", items.toByteArray()), events, versions);
    }

    private static byte[] document(String kind, byte[] message) {
        return new WireWriter()
                .raw(ProtobufDocument.magic())
                .message(1, new WireWriter().string(1, "v1").string(2, kind))
                .bytes(2, message)
                .toByteArray();
    }

    /** Creates the bytes of generated pods. */
    CannedPods(int pods) {
        contentType = ApiRequest.JSON;
        listed = pods;
        list = pods > MOST_KEPT ? new byte[0] : chunked(PodListGenerator.list(pods));
        int changed = Math.min(pods, MOST_KEPT);
        events = new byte[changed][];
        versions = new int[changed];
        for (int i = 0; i < changed; i++) {
            String event = "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
                    + PodListGenerator.pod(i).substring(1) + "}\n";
            events[i] = event.getBytes(StandardCharsets.UTF_8);
            // The text up to the mark is ASCII.
            versions[i] = event.indexOf(VERSION_MARK) + VERSION_MARK.length();
        }
    }

    /** Returns the media type. */
    String contentType() {
        return contentType;
    }

    /** Writes the chunked body of a list, with the final chunk. */
    void writeList(OutputStream out) throws IOException {
        if (list.length > 0) {
            out.write(list);
            return;
        }
        OutputStream buffered = new BufferedOutputStream(out, CHUNK);
        writeChunk(buffered, PodListGenerator.HEAD);
        for (int i = 0; i < listed; i++) {
            writeChunk(buffered, (i == 0 ? "" : ",") + PodListGenerator.pod(i));
        }
        writeChunk(buffered, PodListGenerator.TAIL);
        buffered.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        buffered.flush();
    }

    private static void writeChunk(OutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.write('\r');
        out.write('\n');
    }

    /** Returns the number of pods that have events. */
    int count() {
        return events.length;
    }

    /** Returns the size of a pod's event in bytes. */
    int eventLength(int pod) {
        return events[pod].length;
    }

    /** Writes a pod's event into a buffer, which must have enough space. */
    void writeEvent(int pod, long version, byte[] buffer, int position) {
        byte[] event = events[pod];
        System.arraycopy(event, 0, buffer, position, event.length);
        long rest = version;
        for (int i = position + versions[pod] + VERSION_DIGITS - 1; i >= position + versions[pod]; i--) {
            buffer[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private static byte[] chunked(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + body.length / CHUNK * 16);
        for (int from = 0; from < body.length; from += CHUNK) {
            int length = Math.min(CHUNK, body.length - from);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body, from, length);
            out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }
}
