/* SPDX-License-Identifier: Apache-2.0 */
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Fills an API server with pods, opens watches, and writes at a fixed rate, and prints rows of a Markdown table.
 *
 * <p>{@code java Load.java PORT PODS WATCHES WRITES_PER_SECOND SECONDS}. Of the watches, 10 are of all pods, as those
 * of controllers, and the others of the pods of one node, as those of kubelets. One more watch does not read until all
 * is written.
 */
final class Load {

    private static final int WRITERS = 4;
    private static final int NAMESPACES = 50;
    private static final int MOST_OF_ALL = 10;
    private static final byte[] EVENT = "{\"type\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SENT = "\"sent\":\"".getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final int pods;
    private final int watches;
    private final int nodes;
    private final int unfiltered; // watches of all pods

    private Load(int port, int pods, int watches) {
        this.port = port;
        this.pods = pods;
        this.watches = watches;
        this.unfiltered = Math.min(watches, MOST_OF_ALL);
        this.nodes = Math.max(1, watches - unfiltered);
    }

    public static void main(String[] args) throws Exception {
        Load load = new Load(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        load.run(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    }

    private void run(int rate, int seconds) throws Exception {
        try (Connection connection = new Connection(port)) {
            for (int i = 0; i < NAMESPACES; i++) {
                require(
                        connection.send(
                                "POST",
                                "/api/v1/namespaces",
                                "application/json",
                                "{\"metadata\":{\"name\":\"load-" + i + "\"}}"),
                        201);
            }
        }
        long start = System.nanoTime();
        writers(
                writer -> (connection, number) ->
                        connection.send("POST", path(number, ""), "application/json", pod(number)),
                0,
                pods);
        double filled = (System.nanoTime() - start) / 1e9;
        row("create " + pods + " pods", String.format(Locale.ROOT, "%.1f s, %.0f/s", filled, pods / filled));
        try (Watches all = new Watches();
                Slow slow = new Slow()) {
            start = System.nanoTime();
            all.open();
            row(
                    "open " + watches + " watches",
                    String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - start) / 1e9));
            int writes = rate * seconds;
            Latencies latencies = writers(
                    writer -> (connection, number) -> connection.send(
                            "PATCH",
                            path((int) (number * 7919L % pods), "/load-" + number * 7919L % pods),
                            "application/merge-patch+json",
                            "{\"metadata\":{\"annotations\":{\"sent\":\"" + System.nanoTime() + "\"}}}"),
                    rate,
                    writes);
            row(writes + " writes", String.format(Locale.ROOT, "%.0f/s", latencies.rate()));
            row("latency of a write", latencies.text());
            all.await((long) writes * unfiltered);
            row(
                    "events that watches received",
                    all.events.get() + " ("
                            + String.format(Locale.ROOT, "%.0f/s", all.events.get() / latencies.seconds()) + ")");
            row("from a write to its event", all.latencies().text());
            row("the watch that did not read", slow.end());
        }
        System.out.flush();
    }

    private static void row(String name, String value) {
        System.out.println("| " + name + " | " + value + " |");
    }

    private String path(int number, String name) {
        return "/api/v1/namespaces/load-" + number % NAMESPACES + "/pods" + name;
    }

    private String pod(int number) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"load-" + number
                + "\",\"labels\":{\"app\":\"load\"}},"
                + "\"spec\":{\"nodeName\":\"node-" + number % nodes
                + "\",\"containers\":[{\"name\":\"main\",\"image\":\"example.com/app:1\","
                + "\"ports\":[{\"containerPort\":8080}],\"resources\":{\"requests\":{\"cpu\":\"100m\","
                + "\"memory\":\"64Mi\"}}}]}}";
    }

    private static void require(int status, int expected) {
        if (status != expected) {
            throw new IllegalStateException("answered " + status + " instead of " + expected);
        }
    }

    /** Sends one request. */
    private interface Request {
        int send(Connection connection, int number) throws IOException;
    }

    private interface Writer {
        Request of(int writer);
    }

    /** Sends requests from several connections; a rate of 0 is as fast as possible. */
    private Latencies writers(Writer writer, int rate, int count) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
        long begin = System.nanoTime();
        List<Future<long[]>> parts = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int first = w;
            Callable<long[]> part = () -> {
                long[] nanos = new long[(count - first + WRITERS - 1) / WRITERS];
                Request request = writer.of(first);
                try (Connection connection = new Connection(port)) {
                    for (int i = 0; i < nanos.length; i++) {
                        int number = first + i * WRITERS;
                        if (rate > 0) {
                            long due = begin + number * 1_000_000_000L / rate;
                            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                                LockSupport.parkNanos(left);
                            }
                        }
                        long sent = System.nanoTime();
                        int status = request.send(connection, number);
                        nanos[i] = System.nanoTime() - sent;
                        if (status / 100 != 2) {
                            throw new IllegalStateException("a write was answered " + status);
                        }
                    }
                }
                return nanos;
            };
            parts.add(pool.submit(part));
        }
        Latencies latencies = new Latencies();
        for (Future<long[]> part : parts) {
            latencies.add(part.get());
        }
        latencies.took = System.nanoTime() - begin;
        pool.shutdown();
        return latencies;
    }

    /** Durations of one kind. */
    private static final class Latencies {

        private long[] nanos = {};
        private long took;

        void add(long[] more) {
            long[] all = Arrays.copyOf(nanos, nanos.length + more.length);
            System.arraycopy(more, 0, all, nanos.length, more.length);
            nanos = all;
        }

        double seconds() {
            return took / 1e9;
        }

        double rate() {
            return nanos.length / seconds();
        }

        String text() {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            return sorted.length == 0
                    ? "none"
                    : String.format(
                            Locale.ROOT,
                            "median %.2f ms, 99 %% below %.1f ms, largest %.1f ms",
                            sorted[sorted.length / 2] / 1e6,
                            sorted[(int) (sorted.length * 0.99)] / 1e6,
                            sorted[sorted.length - 1] / 1e6);
        }
    }

    /** A connection that stays open. Confined to one thread. */
    private static final class Connection implements AutoCloseable {

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
            out = socket.getOutputStream();
        }

        /** Sends a request, reads the whole answer and returns its status. */
        int send(String method, String path, String type, String body) throws IOException {
            out.write((method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                            + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII));
            int status = Integer.parseInt(line().split(" ")[1]);
            int length = 0;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                    length = Integer.parseInt(header.substring(15).strip());
                }
            }
            in.skipNBytes(length);
            return status;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new IOException("the server closed the connection");
                }
                if (b != '\r') {
                    line.append((char) b);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] watch(String query) {
        return ("GET /api/v1/pods?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion="
                        + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private String version() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write("GET /api/v1/pods?limit=1 HTTP/1.0\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String list = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int at = list.indexOf("\"resourceVersion\":\"") + 19;
            return list.substring(at, list.indexOf('"', at));
        }
    }

    /** Reads all watches on one thread. */
    private final class Watches implements AutoCloseable {

        final AtomicLong events = new AtomicLong();
        final AtomicLong ofAll = new AtomicLong();
        private final Selector selector = Selector.open();
        private final List<SocketChannel> channels = new ArrayList<>();
        private final Thread reader = new Thread(this::read, "reader");
        private long[] nanos = new long[1 << 20];
        private int count;
        private volatile boolean closed;

        Watches() throws IOException {}

        /** The state of one connection: how much of the beginning of an event has been read. */
        private final class State {

            final boolean all;
            final boolean measured;
            int matched;
            int sentMatched;
            long sent = -1;

            State(int number) {
                all = number < unfiltered;
                measured = number == 0;
            }

            void take(ByteBuffer bytes) {
                while (bytes.hasRemaining()) {
                    byte b = bytes.get();
                    matched = b == EVENT[matched] ? matched + 1 : b == EVENT[0] ? 1 : 0;
                    if (matched == EVENT.length) {
                        matched = 0;
                        events.incrementAndGet();
                        if (all) {
                            ofAll.incrementAndGet();
                        }
                    }
                    if (measured) {
                        measure(b);
                    }
                }
            }

            private void measure(byte b) {
                if (sent >= 0) {
                    if (b >= '0' && b <= '9') {
                        sent = sent * 10 + b - '0';
                    } else {
                        if (count < nanos.length) {
                            nanos[count++] = System.nanoTime() - sent;
                        }
                        sent = -1;
                    }
                    return;
                }
                sentMatched = b == SENT[sentMatched] ? sentMatched + 1 : b == SENT[0] ? 1 : 0;
                if (sentMatched == SENT.length) {
                    sentMatched = 0;
                    sent = 0;
                }
            }
        }

        void open() throws IOException {
            String version = version();
            for (int i = 0; i < watches; i++) {
                SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
                String query =
                        i < unfiltered ? version : version + "&fieldSelector=spec.nodeName%3Dnode-" + (i - unfiltered);
                channel.write(ByteBuffer.wrap(watch(query)));
                ByteBuffer top = ByteBuffer.allocate(4096);
                channel.read(top); // the headers, which are sent at once
                if (!new String(top.array(), 0, top.position(), StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200")) {
                    throw new IOException("a watch was refused: "
                            + new String(top.array(), 0, top.position(), StandardCharsets.US_ASCII));
                }
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new State(i));
                channels.add(channel);
            }
            reader.start();
        }

        private void read() {
            ByteBuffer buffer = ByteBuffer.allocateDirect(256 << 10);
            try {
                while (!closed) {
                    selector.select(key -> {
                        try {
                            buffer.clear();
                            int read = ((SocketChannel) key.channel()).read(buffer);
                            if (read < 0) {
                                System.err.println("a watch has ended");
                                key.cancel();
                                return;
                            }
                            buffer.flip();
                            ((State) key.attachment()).take(buffer);
                        } catch (IOException e) {
                            System.err.println("a watch failed: " + e);
                            key.cancel();
                        }
                    });
                }
            } catch (IOException e) {
                System.err.println("the reader failed: " + e);
            }
        }

        /** Waits until the watches of all pods have received their events. */
        void await(long wanted) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (ofAll.get() < wanted && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            if (ofAll.get() < wanted) {
                throw new IllegalStateException(
                        "the watches of all pods received " + ofAll + " of " + wanted + " events");
            }
        }

        Latencies latencies() {
            Latencies latencies = new Latencies();
            latencies.add(Arrays.copyOf(nanos, count));
            return latencies;
        }

        @Override
        public void close() throws IOException {
            closed = true;
            selector.wakeup();
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    /** A watch whose client does not read until the end. */
    private final class Slow implements AutoCloseable {

        private final SocketChannel channel = SocketChannel.open();

        Slow() throws IOException {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16);
            channel.connect(new InetSocketAddress("127.0.0.1", port));
            channel.write(ByteBuffer.wrap(watch(version())));
        }

        /** Reads the rest and returns how the watch ended. */
        String end() throws IOException {
            byte[] buffer = new byte[1 << 20];
            StringBuilder last = new StringBuilder();
            channel.socket().setSoTimeout(60_000);
            InputStream in = channel.socket().getInputStream();
            try {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    last.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
                    last.delete(0, Math.max(0, last.length() - 2000));
                    if (last.indexOf("\"code\":410") > 0) {
                        return "ended with 410 (Expired)";
                    }
                }
            } catch (IOException e) {
                return "was cut (" + e.getMessage() + ")";
            }
            return "was cut by the server, which bounds the time of a blocked write";
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
