/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.canned;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serves a list of pods, and watches with events on demand, over HTTP/1.1 on the loopback interface. It ignores
 * versions, selectors and pages. Thread-safe.
 */
public final class CannedApiServer implements AutoCloseable {

    private static final byte[] SENT = ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    private static final byte[] NOT_FOUND =
            ascii("HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");

    private final CannedPods pods;
    private final CannedPods podsInProtobuf;
    private final ServerSocket listening;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<CannedWatch> watches = new LinkedBlockingQueue<>();

    /** The watch since the last list, which another process sends events through; null before it is opened. */
    private volatile @Nullable CannedWatch newest;

    /**
     * Starts a server.
     *
     * @param pods the number of pods; each takes about 12 KB of memory
     */
    public CannedApiServer(int pods) {
        this(new CannedPods(pods));
    }

    /**
     * Starts a server whose watches have no events.
     *
     * @param recorded the JSON of a list of pods
     */
    public CannedApiServer(byte[] recorded) {
        this(new CannedPods(recorded));
    }

    private CannedApiServer(CannedPods pods) {
        this(pods, pods, 0);
    }

    private CannedApiServer(CannedPods pods, CannedPods podsInProtobuf, int port) {
        this.pods = pods;
        this.podsInProtobuf = podsInProtobuf;
        try {
            listening = new ServerSocket();
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on the loopback interface", e);
        }
        start("canned-accept", this::accept);
    }

    /**
     * Serves generated pods, in JSON or protocol buffers, until the process ends. Arguments: the number of pods, and
     * the port. More than 20,000 pods are served in JSON only, and the first 20,000 have events.
     */
    public static void main(String[] arguments) throws InterruptedException {
        int pods = Integer.parseInt(arguments[0]);
        CannedPods json = new CannedPods(pods);
        CannedPods protobuf = json.count() < pods ? json : CannedPods.inProtobuf(pods);
        CannedApiServer server = new CannedApiServer(json, protobuf, Integer.parseInt(arguments[1]));
        System.out.println(server.url());
        Thread.currentThread().join();
    }

    /** Returns the head of a response without a length. */
    static String head(String contentType) {
        return "HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the server's address. */
    public String url() {
        return "http://" + listening.getInetAddress().getHostAddress() + ":" + listening.getLocalPort();
    }

    /** Returns the oldest open watch that this method has not returned yet. Blocks until there is one. */
    public EventSource awaitWatch() throws InterruptedException {
        return watches.take()::send;
    }

    /** An open watch. */
    @FunctionalInterface
    public interface EventSource {

        /** Requests this number of change events, for the generated pods in turn. Does not block. */
        void send(int events);
    }

    private interface Body {
        void run() throws IOException;
    }

    private static void start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException e) {
                        // The client or close() has ended the connection. All connections end in this way.
                        return;
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket socket = listening.accept();
            socket.setTcpNoDelay(true);
            connections.add(socket);
            start("canned-connection", () -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (CannedRequest request = CannedRequest.read(in); request != null; request = CannedRequest.read(in)) {
                CannedPods served = request.prefersProtobuf() ? podsInProtobuf : pods;
                if (request.events() > 0) {
                    awaitNewest().send(request.events());
                    out.write(SENT);
                } else if (!request.requestsPods()) {
                    out.write(NOT_FOUND);
                } else if (request.requestsWatch()) {
                    watch(served, request, in, out);
                    return;
                } else {
                    newest = null;
                    out.write(ascii(head(served.contentType())));
                    served.writeList(out);
                }
            }
        } finally {
            connections.remove(socket);
        }
    }

    private CannedWatch awaitNewest() {
        CannedWatch watch = newest;
        while (watch == null) {
            LockSupport.parkNanos(100_000);
            watch = newest;
        }
        return watch;
    }

    private void watch(CannedPods served, CannedRequest request, InputStream in, OutputStream out) throws IOException {
        CannedWatch watch = new CannedWatch(served, out, request.webSocketKey());
        start("canned-watch-end", () -> {
            try {
                in.skip(Long.MAX_VALUE);
            } finally {
                watch.end();
            }
        });
        newest = watch;
        watches.add(watch);
        watch.run();
    }

    /** Stops listening and closes all connections. */
    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
