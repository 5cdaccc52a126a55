/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.canned;

import io.kubeloop.jmh.PodListGenerator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The bytes of pods, as a list and as events of a watch. Immutable. */
final class CannedPods {

    /** Listed pods have smaller versions than events. All versions have the same number of digits. */
    static final long FIRST_VERSION = 5_000_000;

    private static final String VERSION_MARK = "\"resourceVersion\":\"";
    private static final int VERSION_DIGITS = 7;
    private static final int CHUNK = 64 * 1024;

    private final byte[] list;
    private final byte[][] events;
    private final int[] versions;

    /** Creates the bytes of a list that was recorded, without events. */
    CannedPods(byte[] recorded) {
        list = chunked(recorded);
        events = new byte[0][];
        versions = new int[0];
    }

    /** Creates the bytes of generated pods. */
    CannedPods(int pods) {
        list = chunked(PodListGenerator.list(pods));
        events = new byte[pods][];
        versions = new int[pods];
        for (int i = 0; i < pods; i++) {
            String event = "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
                    + PodListGenerator.pod(i).substring(1) + "}\n";
            events[i] = event.getBytes(StandardCharsets.UTF_8);
            // The text up to the mark is ASCII.
            versions[i] = event.indexOf(VERSION_MARK) + VERSION_MARK.length();
        }
    }

    /** Returns the chunked body of a list, with the final chunk. */
    byte[] list() {
        return list;
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
