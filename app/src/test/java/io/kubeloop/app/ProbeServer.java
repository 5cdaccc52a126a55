/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.testing.LoopbackServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An API server on loopback that serves pods only, and fails on request as networks, proxies and servers do.
 * Thread-safe.
 */
final class ProbeServer implements Closeable {

    private static final String GONE = """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version",\
            "reason":"Expired","code":410}""";

    private final LoopbackServer server;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();

    /** The JSON of a pod without its resource version. */
    @GuardedBy("this")
    private final Map<String, String> pods = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> versions = new TreeMap<>();

    @GuardedBy("this")
    private int version = 100;

    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicInteger watchRequests = new AtomicInteger();
    private volatile String failLists = "";
    private volatile String failWatches = "";
    private volatile boolean closeWatchesAtOnce;
    private volatile int bytesAtATime = Integer.MAX_VALUE;

    ProbeServer(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            put("p" + i, "");
        }
        server = new LoopbackServer(this::serve);
    }

    String url() {
        return server.url("http");
    }

    /** Makes or changes a pod that nobody is told of; the text is more JSON for its metadata. */
    synchronized void put(String name, String extra) {
        pods.put(name, extra);
        versions.put(name, ++version);
    }

    /** Removes a pod that nobody is told of. */
    synchronized void remove(String name) {
        pods.remove(name);
        versions.remove(name);
        version++;
    }

    synchronized int size() {
        return pods.size();
    }

    synchronized int version(String name) {
        return versions.get(name);
    }

    /** Changes a pod, and tells everybody who watches. */
    void modify(String name, String extra) throws IOException {
        put(name, extra);
        send("MODIFIED", name);
    }

    void send(String type, String name) throws IOException {
        for (Watch watch : watches) {
            watch.frame("{\"type\":\"" + type + "\",\"object\":" + json(name) + "}\n");
        }
    }

    private synchronized String json(String name) {
        return "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"n\",\"uid\":\"u-" + name + "\",\"resourceVersion\":\"" + versions.get(name) + "\""
                + pods.get(name) + "},\"spec\":{\"containers\":[]},\"status\":{\"phase\":\"Running\"}}";
    }

    /** Ends every watch in order. */
    void endWatches() throws IOException {
        for (Watch watch : watches) {
            watch.end();
        }
    }

    /** Resets the connection of every watch. */
    void resetWatches() throws IOException {
        for (Watch watch : List.copyOf(watches)) {
            watch.socket.setSoLinger(true, 0);
            watch.socket.close();
            watches.remove(watch);
        }
    }

    /** Says on every watch that its version is too old, and ends it. */
    void expireWatches() throws IOException {
        for (Watch watch : watches) {
            watch.frame("{\"type\":\"ERROR\",\"object\":" + GONE + "}\n");
            watch.end();
        }
    }

    /** Responses lists with this status line and headers; empty for well again. */
    void failLists(String statusAndHeaders) {
        failLists = statusAndHeaders;
    }

    void failWatches(String statusAndHeaders) {
        failWatches = statusAndHeaders;
    }

    void closeWatchesAtOnce(boolean atOnce) {
        closeWatchesAtOnce = atOnce;
    }

    /** Sends watches in chunks of so many bytes. */
    void chunk(int bytes) {
        bytesAtATime = bytes;
    }

    int lists() {
        return lists.get();
    }

    int watchRequests() {
        return watchRequests.get();
    }

    int openWatches() {
        return watches.size();
    }

    private void serve(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        InputStream in = socket.getInputStream();
        for (String request = LoopbackServer.head(in); !request.isEmpty(); request = LoopbackServer.head(in)) {
            if (request.contains("watch=true")) {
                watchRequests.incrementAndGet();
                if (!watch(socket, request)) {
                    return;
                }
            } else {
                lists.incrementAndGet();
                answer(socket, failLists, list());
            }
        }
    }

    /** Returns false when the connection is used up. */
    private boolean watch(Socket socket, String request) throws IOException {
        if (request.contains("sendInitialEvents")) {
            answer(socket, "422 Unprocessable Entity\r\n", "");
            return true;
        }
        if (!failWatches.isEmpty()) {
            answer(socket, failWatches, "");
            return true;
        }
        Watch watch = new Watch(socket);
        if (closeWatchesAtOnce) {
            watch.begin();
            watch.end();
            return true;
        }
        synchronized (watch) {
            // Before the client can tell that it watches: from then on no frame may pass it by, nor may close().
            watches.add(watch);
            watch.begin();
            if (server.isClosed()) {
                watch.finish();
            }
            while (!watch.ended) {
                try {
                    watch.wait();
                } catch (InterruptedException e) {
                    return false;
                }
            }
        }
        return !socket.isClosed();
    }

    private synchronized String list() {
        StringBuilder list = new StringBuilder(
                        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"")
                .append(version)
                .append("\"},\"items\":[");
        String comma = "";
        for (String name : pods.keySet()) {
            list.append(comma).append(json(name));
            comma = ",";
        }
        return list.append("]}").toString();
    }

    private static void answer(Socket socket, String failure, String body) throws IOException {
        String code = failure.isEmpty() ? "200 OK\r\n" : failure;
        String content = failure.isEmpty()
                ? body
                : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"as told\",\"code\":"
                        + failure.substring(0, 3) + "}";
        int length = content.getBytes(UTF_8).length;
        LoopbackServer.write(
                socket,
                "HTTP/1.1 " + code + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n"
                        + content);
    }

    /** The server's side of one watch. */
    private final class Watch {

        private final Socket socket;

        @GuardedBy("this")
        private boolean ended;

        Watch(Socket socket) {
            this.socket = socket;
        }

        synchronized void begin() throws IOException {
            write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .getBytes(ISO_8859_1));
        }

        synchronized void frame(String json) throws IOException {
            byte[] bytes = json.getBytes(UTF_8);
            for (int from = 0; from < bytes.length; from += Math.min(bytesAtATime, bytes.length)) {
                int length = Math.min(bytesAtATime, bytes.length - from);
                write((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
                write(Arrays.copyOfRange(bytes, from, from + length));
                write("\r\n".getBytes(ISO_8859_1));
            }
        }

        @GuardedBy("this")
        private void write(byte[] bytes) throws IOException {
            if (ended) {
                return;
            }
            try {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
            } catch (SocketException clientIsGone) {
                finish();
            }
        }

        synchronized void end() throws IOException {
            write("0\r\n\r\n".getBytes(ISO_8859_1));
            finish();
        }

        private synchronized void finish() {
            ended = true;
            watches.remove(this);
            notifyAll();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Watch watch : watches) {
            watch.finish();
        }
    }
}
