/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.streams.SpdyFrames;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A server whose clients hold as much memory as it lets them, in every way: requests that they do not finish, responses
 * and events that they do not read, and history. Run in a JVM with little memory. Prints a line after each way.
 */
final class HeldMemory {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int CONNECTIONS = 60;
    private static final long HOLD_NANOS = 1_500_000_000;

    private static final int WATCHES = 159;
    private static final String POD = "/api/v1/namespaces/default/pods/p/";
    private static final ContainerHost RUNNING = new ContainerHost() {
        @Override
        public boolean hosts(JsonObject pod) {
            return true;
        }

        @Override
        public void log(Container container, LogOptions options, OutputStream out) throws IOException {
            out.write(0);
        }

        @Override
        public void requireRunning(Container container) {}

        @Override
        public int exec(Container container, Command command, Streams streams) throws InterruptedException {
            new CountDownLatch(1).await();
            return 0;
        }

        @Override
        public int attach(Container container, Streams streams) {
            return 0;
        }

        @Override
        public void forward(JsonObject pod, int port, InputStream in, OutputStream out) {}
    };

    private final ApiServer server = ApiServer.builder().build(BuiltInKinds.create());
    private final HttpApiServer http =
            HttpApiServer.start(server, HttpApiServer.Config.DEFAULT.withNodes(NodeAccess.DEFAULT.withHost(RUNNING)));

    private HeldMemory() {}

    public static void main(String[] ignored) throws IOException {
        HeldMemory held = new HeldMemory();
        String head = "POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\n";
        held.hold("unfinished bodies", CONNECTIONS, head + "Content-Length: 2900000\r\n\r\n", " ".repeat(2_800_000));
        String dense = "{\"x\":[" + "{},".repeat(900_000) + "{}]}";
        held.hold("dense bodies", 8, head + "Content-Length: " + dense.length() + "\r\n\r\n", dense);
        held.hold("long heads", CONNECTIONS, head + "Content-Length: 9\r\nX: " + "x".repeat(900_000) + "\r\n\r\n", "");
        held.hold("many headers", 40, head + "Content-Length: 9\r\n" + "a:b\r\n".repeat(7_000) + "\r\n", "");
        StringBuilder unknown = new StringBuilder("{\"metadata\":{\"generateName\":\"w-\"}");
        for (int i = 0; i < 3_000; i++) {
            unknown.append(",\"" + i + "x".repeat(900) + "\":1");
        }
        String warned = "POST " + MAPS + "?dryRun=All HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
        held.hold("warnings", CONNECTIONS, warned + (unknown.length() + 1) + "\r\n\r\n", unknown + "}");
        held.write(
                "POST",
                "/api/v1/namespaces/default/pods",
                "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\","
                        + "\"image\":\"i\"}]}}");
        held.hold("header blocks", 20, upgrade("portforward?ports=80", "portforward.k8s.io"), spdyStreams());
        String exec = "exec?command=x&stdin=1&stdout=1";
        held.hold("input of commands", 20, upgrade(exec, "v4.channel.k8s.io"), spdyInput());
        for (int i = 0; i < 150; i++) {
            held.write("POST", MAPS, "c" + i, 100_000, i);
        }
        for (String accept : List.of(
                "application/json",
                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                ApiRequest.PROTOBUF,
                "application/yaml")) {
            String get = "GET " + MAPS + "?includeObject=Object HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept;
            held.hold("lists as " + accept, 8, get + "\r\n\r\n", "");
        }
        held.write("POST", MAPS, "large", 900_000, 0);
        List<Socket> watches = new ArrayList<>();
        for (String accept : List.of("application/json", "application/json;as=Table;v=v1;g=meta.k8s.io")) {
            for (int i = 1; i <= WATCHES; i++) {
                held.write("PUT", MAPS + "/large", "large", 900_000, i);
                watches.add(held.connect("GET " + MAPS + "?watch=1&includeObject=Object HTTP/1.1\r\nHost: localhost\r\n"
                        + "Accept: " + accept + "\r\n\r\n"));
            }
            held.print("history and watches of " + accept);
            for (Socket watch : watches) {
                watch.close();
            }
            watches.clear();
        }
        System.exit(0);
    }

    private static String upgrade(String path, String protocol) {
        return "POST " + POD + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n"
                + "X-Stream-Protocol-Version: " + protocol + "\r\nContent-Length: 0\r\n\r\n";
    }

    /** Returns streams whose names are long; compressed, they are a few bytes. */
    private static String spdyStreams() throws IOException {
        StringBuilder frames = new StringBuilder();
        try (SpdyFrames client = new SpdyFrames()) {
            for (int i = 0; i < 254; i++) {
                byte[] stream = client.stream(2 * i + 1, "streamtype", "error", "requestid", i + "r".repeat(60_000));
                frames.append(new String(stream, StandardCharsets.ISO_8859_1));
            }
        }
        return frames.toString();
    }

    private static String spdyInput() throws IOException {
        StringBuilder frames = new StringBuilder();
        try (SpdyFrames client = new SpdyFrames()) {
            int id = 1;
            for (String type : List.of("error", "stdin", "stdout")) {
                frames.append(new String(client.stream(id, "streamtype", type), StandardCharsets.ISO_8859_1));
                id += 2;
            }
            frames.append(new String(client.data(3, "x".repeat(4 << 20), false), StandardCharsets.ISO_8859_1));
        }
        return frames.toString();
    }

    private void write(String method, String path, String name, int length, int round) {
        write(
                method,
                path,
                "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"" + round + "x".repeat(length) + "\"}}");
    }

    private void write(String method, String path, String json) {
        ApiRequest.Body body = ApiRequest.Body.json(json.getBytes(StandardCharsets.UTF_8));
        ServerResponse.Document answer =
                (ServerResponse.Document) server.handle(ApiRequest.of(method, path, Map.of(), body));
        if (answer.code() >= 300) {
            throw new AssertionError(method + " " + path + ": " + answer.code());
        }
    }

    private Socket connect(String head) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.port()));
        socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Each connection sends everything and reads nothing. */
    private void hold(String what, int connections, String head, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        List<Socket> sockets = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Thread thread = new Thread(() -> send(head, bytes, sockets));
            thread.start();
            threads.add(thread);
        }
        long end = System.nanoTime() + HOLD_NANOS;
        for (Thread thread : threads) {
            try {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        print(what);
        synchronized (sockets) {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private void send(String head, byte[] body, List<Socket> sockets) {
        try {
            Socket socket = connect(head);
            synchronized (sockets) {
                sockets.add(socket);
            }
            OutputStream out = socket.getOutputStream();
            out.write(body);
        } catch (IOException e) {
            // The server has closed the connection, as it should.
        }
    }

    private void print(String what) throws IOException {
        try (RawClient client = new RawClient(http.port())) {
            System.out.println(what + ": " + client.get("/readyz").split("\r\n", 2)[0]);
        }
    }
}
