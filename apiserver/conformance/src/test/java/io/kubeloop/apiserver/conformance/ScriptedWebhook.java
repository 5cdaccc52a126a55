/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A webhook on a free port of this machine, whose answers a test sets by path. Thread-safe. */
final class ScriptedWebhook implements AutoCloseable {

    private static final char[] PASSWORD = "secret".toCharArray();

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String caBundle;
    private final List<JsonObject> requests = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();

    private ScriptedWebhook(HttpsServer server, String caBundle) {
        this.server = server;
        this.caBundle = caBundle;
    }

    /** Keys by the names of their certificates; keytool takes half a second for each. */
    private static final Map<String, KeyStore> KEYS = new ConcurrentHashMap<>();

    private static KeyStore keys(Path dir, String names) {
        Path file = dir.resolve("webhook.p12");
        try {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-J-XX:TieredStopAtLevel=1", // half of its processor time is the second compiler's
                            "-J-XX:+UseSerialGC",
                            "-genkeypair",
                            "-alias",
                            "webhook",
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=webhook",
                            "-ext",
                            "san=" + names,
                            "-keystore",
                            file.toString(),
                            "-storepass",
                            new String(PASSWORD))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
            assertThat(keytool.waitFor()).as(output).isZero();
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD);
            }
            return keys;
        } catch (IOException | InterruptedException | GeneralSecurityException e) {
            throw new AssertionError("no keys for " + names, e);
        }
    }

    /** Starts a server whose certificate has these names, in keytool's syntax. */
    static ScriptedWebhook start(Path dir, String names) throws Exception {
        KeyStore keys = KEYS.computeIfAbsent(names, each -> keys(dir, each));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        String pem = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getCertificate("webhook").getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        ScriptedWebhook webhook =
                new ScriptedWebhook(server, Base64.getEncoder().encodeToString(pem.getBytes(US_ASCII)));
        server.setExecutor(webhook.threads);
        server.start();
        return webhook;
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns the bundle with which the server is trusted, as a configuration contains it. */
    String caBundle() {
        return caBundle;
    }

    /** Returns the requests in the reviews so far, in their order. */
    List<JsonObject> requests() {
        return requests;
    }

    /** Returns the paths of the requests so far, with their queries. */
    List<String> paths() {
        return paths;
    }

    /** Responses the admission reviews at a path with these responses; the UID is added. */
    void answer(String path, Function<JsonObject, JsonObject> response) {
        answer(path, "AdmissionReview", "admission.k8s.io/v1", response);
    }

    /** Responses the conversion reviews at a path with these responses; the UID is added. */
    void answerConversions(String path, Function<JsonObject, JsonObject> response) {
        answer(path, "ConversionReview", "apiextensions.k8s.io/v1", response);
    }

    private void answer(String path, String kind, String apiVersion, Function<JsonObject, JsonObject> response) {
        server.createContext(path, exchange -> {
            JsonObject request =
                    JsonObject.parse(exchange.getRequestBody().readAllBytes()).object("request");
            requests.add(request);
            paths.add(exchange.getRequestURI().toString());
            JsonObject answer = JsonObject.EMPTY
                    .with("kind", kind)
                    .with("apiVersion", apiVersion)
                    .with("response", response.apply(request).with("uid", request.string("uid")));
            reply(exchange, 200, answer.toString());
        });
    }

    /** Responses each request for a path with this status and text. */
    void answer(String path, int code, String text) {
        server.createContext(path, exchange -> {
            exchange.getRequestBody().readAllBytes();
            reply(exchange, code, text);
        });
    }

    private static void reply(HttpExchange exchange, int code, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    static JsonObject allow() {
        return JsonObject.EMPTY.with("allowed", true);
    }

    static JsonObject deny(String status) {
        return JsonObject.EMPTY.with("allowed", false).with("status", JsonObject.parse(status.replace('\'', '"')));
    }

    /** Returns a response with a JSON patch; single quotes become double quotes. */
    static JsonObject patch(String operations) {
        String encoded =
                Base64.getEncoder().encodeToString(operations.replace('\'', '"').getBytes(UTF_8));
        return allow().with("patchType", "JSONPatch").with("patch", encoded);
    }

    static JsonObject warn(String... warnings) {
        return allow().with("warnings", JsonArray.ofStrings(List.of(warnings)));
    }

    /** Returns the successful response to a conversion review, with these objects. */
    static JsonObject converted(List<JsonObject> objects) {
        return JsonObject.EMPTY
                .with("convertedObjects", JsonArray.of(objects))
                .with("result", JsonObject.EMPTY.with("status", "Success"));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
