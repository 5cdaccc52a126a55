/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.websocket.WebSocketInput;
import io.kubeloop.apiserver.http.websocket.WebSocketOutput;
import io.kubeloop.apiserver.http.wire.ClientMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The channels of a WebSocket (upstream: {@code httpstream/wsstream}): the first byte of each message is the number of
 * its channel. With base64 it is a digit, and the rest of the message is in base64. One thread delivers the messages of
 * the client; any thread writes.
 */
final class ChannelMessages implements WebSocketInput.Messages {

    /** With {@code v5.channel.k8s.io}, ends the channel that the next byte names. */
    private static final int CLOSE_SIGNAL = 255;

    /** A message in base64 is decoded as a whole. */
    private static final int LONGEST_BASE64 = 1 << 20;

    private static final int PIECE = 16 << 10;

    private final WebSocketOutput out;
    private final boolean base64;
    private final boolean closes;
    private final List<@Nullable StreamBuffer> channels;
    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    private final ClientMemory.Share memory = ClientMemory.share();
    private int channel = -1;

    /**
     * Creates the channels of a connection.
     *
     * @param protocol the name of the protocol
     * @param channels what the client sends on each channel; null for a channel on which it sends nothing
     */
    ChannelMessages(WebSocketOutput out, String protocol, List<@Nullable StreamBuffer> channels) {
        this.out = out;
        this.base64 = protocol.contains("base64");
        this.closes = protocol.startsWith("v5.");
        this.channels = channels;
    }

    @Override
    public int part(byte[] bytes, int length, boolean first, boolean last) throws IOException {
        if (base64) {
            return encodedPart(bytes, length, last);
        }
        int from = 0;
        if (first) {
            channel = -1;
        }
        if (channel < 0 && length > 0) {
            channel = bytes[0] & 0xff;
            from = 1;
        }
        if (closes && channel == CLOSE_SIGNAL) {
            for (int i = from; i < length; i++) {
                end(bytes[i] & 0xff);
            }
        } else {
            deliver(channel, bytes, from, length - from);
        }
        return 0;
    }

    private int encodedPart(byte[] bytes, int length, boolean last) throws IOException {
        if (encoded.size() + length > LONGEST_BASE64 || !memory.tryTake(length)) {
            return WebSocketOutput.TOO_LARGE;
        }
        encoded.write(bytes, 0, length);
        if (!last) {
            return 0;
        }
        byte[] message = encoded.toByteArray();
        encoded.reset();
        memory.give(message.length);
        if (message.length == 0) {
            return 0;
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(new String(message, 1, message.length - 1, StandardCharsets.ISO_8859_1));
            deliver((message[0] & 0xff) - '0', decoded, 0, decoded.length);
            return 0;
        } catch (IllegalArgumentException e) {
            return WebSocketOutput.PROTOCOL_ERROR;
        }
    }

    /** Bytes for a channel that does not exist are ignored, as upstream. */
    private void deliver(int to, byte[] bytes, int offset, int length) throws IOException {
        StreamBuffer buffer = to >= 0 && to < channels.size() ? channels.get(to) : null;
        if (buffer != null) {
            buffer.put(bytes, offset, length);
        }
    }

    private void end(int number) {
        StreamBuffer buffer = number < channels.size() ? channels.get(number) : null;
        if (buffer != null) {
            buffer.end();
        }
    }

    /** Releases what the client has sent of a message that it did not finish. */
    void readingEnded() {
        memory.close();
    }

    /** Closes all channels, because the client has closed the connection. */
    void closeAll() {
        readingEnded();
        for (StreamBuffer buffer : channels) {
            if (buffer != null) {
                buffer.close();
            }
        }
    }

    /** Sends one message on a channel, which may be empty. */
    void send(int number, byte[] bytes, int offset, int length) throws IOException {
        byte[] content = bytes;
        int from = offset;
        int count = length;
        if (base64) {
            content = Base64.getEncoder().encode(Arrays.copyOfRange(bytes, offset, offset + length));
            from = 0;
            count = content.length;
        }
        byte[] message = new byte[count + 1];
        message[0] = (byte) (base64 ? '0' + number : number);
        System.arraycopy(content, from, message, 1, count);
        if (base64) {
            out.text(message);
        } else {
            out.binary(message);
        }
    }

    /** Returns a stream that sends each write as a message of a channel, in pieces. */
    OutputStream channel(int number) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                send(number, new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                for (int done = 0; done < length; done += PIECE) {
                    send(number, bytes, offset + done, Math.min(PIECE, length - done));
                }
            }
        };
    }
}
