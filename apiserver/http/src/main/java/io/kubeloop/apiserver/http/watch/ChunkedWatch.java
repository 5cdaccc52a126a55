/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.watch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * A watch as a chunked HTTP response: JSON events end with a line break, events in protocol buffers start with their
 * length. Nothing else is sent, because clients that read by line fail at an empty line.
 */
public final class ChunkedWatch implements WatchOutput {

    private final OutputStream out;
    private final boolean protobuf;
    private final BooleanSupplier clientHasLeft;

    /**
     * Creates an output.
     *
     * @param out the body of the response; a flush sends a chunk
     * @param protobuf whether the events are in protocol buffers
     * @param clientHasLeft returns whether the client has disconnected; called on any thread
     */
    public ChunkedWatch(OutputStream out, boolean protobuf, BooleanSupplier clientHasLeft) {
        this.out = out;
        this.protobuf = protobuf;
        this.clientHasLeft = clientHasLeft;
    }

    @Override
    public void send(byte[] event, boolean more) throws IOException {
        if (protobuf) {
            out.write(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array());
            out.write(event);
        } else {
            out.write(event);
            out.write('\n');
        }
        if (!more) {
            out.flush();
        }
    }

    @Override
    public void finish() throws IOException {
        out.close();
    }

    @Override
    public boolean clientHasLeft() {
        return clientHasLeft.getAsBoolean();
    }
}
