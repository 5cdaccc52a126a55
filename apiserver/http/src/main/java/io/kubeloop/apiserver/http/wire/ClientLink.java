/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection below a request, for a response that outlives the exchange of one request and one response. */
final class ClientLink {

    private static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

    private static final Logger log = LoggerFactory.getLogger(ClientLink.class);

    private final ClientSocket socket;
    private final SocketInput in;
    private final @Nullable SSLSession tls;

    ClientLink(ClientSocket socket, SocketInput in, @Nullable SSLSession tls) {
        this.socket = socket;
        this.in = in;
        this.tls = tls;
    }

    /** See {@link HttpServerExchange#certificates}. */
    List<X509Certificate> certificates() {
        if (tls == null) {
            return List.of();
        }
        try {
            return Arrays.stream(tls.getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // the JDK's way to report that there is none
        }
    }

    /** Returns whether the connection has TLS. */
    boolean isSecure() {
        return tls != null;
    }

    /** Returns the address of the client. */
    String address() {
        return socket.getInetAddress().getHostAddress();
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
