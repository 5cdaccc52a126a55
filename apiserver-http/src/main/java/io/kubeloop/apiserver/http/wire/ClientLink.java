package io.kubeloop.apiserver.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection below a request, for a response that outlives the exchange of one request and one response. */
final class ClientLink {

    private static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

    private static final Logger log = LoggerFactory.getLogger(ClientLink.class);

    private final ClientSocket socket;
    private final SocketInput in;

    ClientLink(ClientSocket socket, SocketInput in) {
        this.socket = socket;
        this.in = in;
    }

    /** See {@link ClientSocket#hasEnded}. */
    boolean hasEnded() {
        return socket.hasEnded();
    }

    /** Returns the input after the request, without a deadline. */
    InputStream unlimitedInput() {
        socket.allow(UNLIMITED);
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return in.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return length == 0 ? 0 : in.read(into, offset, length);
            }
        };
    }

    /** Ends the input: a blocked read returns the end of the input. */
    void endInput() {
        try {
            socket.shutdownInput();
        } catch (IOException e) {
            log.debug(
                    "The socket was already closed: client={} error={}", socket.getRemoteSocketAddress(), e.toString());
        }
    }
}
