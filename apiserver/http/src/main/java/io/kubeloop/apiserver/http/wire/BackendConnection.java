/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to another HTTP server, for one request and its response. One thread sends and one reads; any thread may
 * close it. The head of the response is bounded; the body is not, because the caller relays it.
 */
public final class BackendConnection implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BackendConnection.class);

    private static final int MAX_HEADER_BYTES = 1 << 20;
    private static final int PIECE = 16 << 10;

    private final SocketInput in;
    private final OutputStream out;
    private final Runnable end;

    /** The socket, whose reads have time limits; null for a connection within the process. */
    private final @Nullable Socket raw;

    /** What a connection leads to. */
    public interface Backend {

        /** Returns the address in the form of a URL. */
        String authority();

        /**
         * Connects.
         *
         * @param timeout the longest wait for each step
         * @throws BackendException if the backend cannot be reached
         */
        BackendConnection open(Duration timeout) throws BackendException;
    }

    /**
     * The address of a server.
     *
     * @param host the IP address or the name
     * @param port the port
     * @param tls the client's side of TLS; null for plain HTTP
     */
    public record Server(String host, int port, @Nullable Tls tls) implements Backend {

        @Override
        public BackendConnection open(Duration timeout) throws BackendException {
            return connect(this, timeout);
        }

        @Override
        public String authority() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /**
     * The client's side of TLS.
     *
     * @param context has the trusted authorities and the client's certificate
     * @param serverName the name that the server's certificate must have, which need not be the host
     * @param verifiesName whether the certificate must have the name
     */
    public record Tls(SSLContext context, String serverName, boolean verifiesName) {}

    /**
     * The response of the server.
     *
     * @param code the status code; 101 if the connection now carries another protocol
     * @param headers the headers by name, case-insensitive
     * @param length the stated length of the body, which a response to HEAD lacks; negative if there is none
     * @param body the body; after an upgrade the bytes of the other protocol. A read blocks without a limit
     */
    public record Response(int code, Map<String, List<String>> headers, long length, InputStream body) {}

    private BackendConnection(InputStream in, OutputStream out, @Nullable Socket raw, Runnable end) {
        this.in = new SocketInput(in);
        this.out = out;
        this.raw = raw;
        this.end = end;
    }

    /**
     * Returns a connection within the process, whose reads have no time limit.
     *
     * @param end ends both streams, from any thread
     */
    public static BackendConnection within(InputStream in, OutputStream out, Runnable end) {
        return new BackendConnection(in, out, null, end);
    }

    /**
     * Connects to a server. Blocks for at most about twice the timeout, with TLS.
     *
     * @throws BackendException if the server cannot be reached, or has no valid certificate
     */
    public static BackendConnection connect(Server server, Duration timeout) throws BackendException {
        Socket raw = new Socket();
        try {
            raw.setTcpNoDelay(true);
            raw.setKeepAlive(true);
            raw.connect(new InetSocketAddress(server.host(), server.port()), Math.toIntExact(timeout.toMillis()));
            raw.setSoTimeout(Math.toIntExact(timeout.toMillis()));
            Tls tls = server.tls();
            Socket socket = tls == null ? raw : secure(raw, server, tls);
            // Closing TLS would wait for a writer.
            return new BackendConnection(socket.getInputStream(), socket.getOutputStream(), raw, () -> close(raw));
        } catch (IOException e) {
            close(raw);
            throw failed(server, e);
        }
    }

    private static BackendException failed(Server server, IOException e) {
        String dial = "dial tcp " + server.authority() + ": ";
        if (e instanceof UnknownHostException) {
            return new BackendException("dial tcp: lookup " + server.host() + ": no such host", e);
        }
        if (e instanceof ConnectException) {
            return new BackendException(dial + "connect: connection refused", e);
        }
        if (e instanceof SSLException) {
            String problem = String.valueOf(e.getMessage());
            boolean isUnknown = problem.contains("unable to find valid certification path")
                    || problem.endsWith("signature check failed");
            return new BackendException(
                    "tls: failed to verify certificate: "
                            + (isUnknown ? "x509: certificate signed by unknown authority" : problem),
                    e);
        }
        return new BackendException(dial + (e instanceof SocketTimeoutException ? "i/o timeout" : e.getMessage()), e);
    }

    private static SSLSocket secure(Socket raw, Server server, Tls tls) throws IOException {
        SSLSocket secure =
                (SSLSocket) tls.context().getSocketFactory().createSocket(raw, tls.serverName(), server.port(), true);
        if (tls.verifiesName()) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
        }
        secure.startHandshake();
        return secure;
    }

    /**
     * Sends the request line and the headers.
     *
     * @param target the path and the query, escaped
     * @param headers the headers, without line breaks; the lengths are not checked
     */
    public void send(String method, String target, Map<String, List<String>> headers) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        headers.forEach((name, values) -> values.forEach(value -> head.append(name + ": " + value + "\r\n")));
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends a body; the headers state its length, or that it comes in chunks. */
    public void sendBody(InputStream body, boolean chunked) throws IOException {
        try (OutputStream to = chunked ? new ChunkedOutput(out, () -> {}) : OutputStream.nullOutputStream()) {
            copy(body, chunked ? to : out);
        }
    }

    /** Sends all bytes of a stream as they come. */
    public void sendAll(InputStream bytes) throws IOException {
        copy(bytes, out);
    }

    /** Copies all bytes, and flushes after each read, so the other side sees them at once. */
    public static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[PIECE];
        for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
            to.write(buffer, 0, n);
            to.flush();
        }
    }

    /**
     * Waits for the head of the response, and skips informational ones.
     *
     * @param toHead whether the request was HEAD, whose response has no body
     * @param timeout the longest wait for each read; zero for no limit
     * @throws BackendException if the server closes the connection, is too slow, or does not send HTTP
     */
    public Response response(boolean toHead, Duration timeout) throws BackendException {
        try {
            limitReads(timeout);
            RequestHead.ResponseHead head;
            do {
                head = RequestHead.readResponse(in, MAX_HEADER_BYTES);
            } while (head.code() < 200 && head.code() != 101);
            limitReads(Duration.ZERO);
            long stated = head.code() == 101 ? MessageBody.UNTIL_CLOSE : head.bodyLength();
            return new Response(
                    head.code(),
                    head.headers(),
                    stated == MessageBody.UNTIL_CLOSE ? -1 : stated,
                    new MessageBody(in, toHead ? 0 : stated, () -> {}));
        } catch (SocketTimeoutException e) {
            throw new BackendException("net/http: timeout awaiting response headers", e);
        } catch (EOFException e) {
            throw new BackendException("EOF", e);
        } catch (MalformedRequestException e) {
            throw new BackendException("malformed HTTP response: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new BackendException(String.valueOf(e.getMessage()), e);
        }
    }

    private void limitReads(Duration timeout) throws IOException {
        if (raw != null) {
            raw.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        }
    }

    /** Ends both directions at once; blocked reads and writes fail. Closing twice does nothing. */
    @Override
    public void close() {
        end.run();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("Cannot close a connection to a backend: error={}", e.toString());
        }
    }
}
