/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.aggregation.ExtensionServer.Answer;
import io.kubeloop.apiserver.http.aggregation.ExtensionServer.Received;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for the group of another server, with the answers of kube-apiserver 1.36.3. */
@Timeout(60)
class AggregationTest {

    private static final String GROUP_VERSION = ExtensionServer.GROUP_VERSION;
    private static final String THINGS = GROUP_VERSION + "/namespaces/default/things";
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
    private static final String API_SERVICE = API_SERVICES + "/v1alpha1.extra.example.com";
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String THING_LIST = "{\"kind\":\"ThingList\",\"apiVersion\":\"extra.example.com/v1alpha1\"}";

    private final HttpClient http = HttpClient.newHttpClient();
    private ExtensionServer extension;
    private ApiServer server;
    private HttpApiServer front;

    @BeforeEach
    void start() throws Exception {
        extension = new ExtensionServer();
        InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", extension.port());
        server = ApiServer.builder().build(BuiltInKinds.create().withServiceAddresses(Map.of("default/agg", address)));
        BearerTokens tokens = BearerTokens.of(Map.of(
                "admin", new BearerTokens.User("admin", "", List.of("system:masters")),
                "janet", new BearerTokens.User("jané", "u1", List.of("devs"))));
        front = HttpApiServer.start(server, HttpApiServer.Config.DEFAULT.withTokens(tokens));
        extension.start(published().string("requestheader-client-ca-file"));
    }

    @AfterEach
    void close() {
        extension.close();
        front.close();
        server.close();
    }

    private JsonObject published() {
        return handle("GET", "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication", "")
                .object("data");
    }

    private JsonObject handle(String method, String path, String body) {
        ApiRequest.Body content = body.isEmpty() ? null : ApiRequest.Body.json(body.getBytes(UTF_8));
        ServerResponse response = server.handle(ApiRequest.of(method, path, Map.of(), content));
        return JsonObject.parse(((ServerResponse.Document) response).bytes());
    }

    private void createService() {
        handle("POST", SERVICES, """
                {"metadata":{"name":"agg"},"spec":{"ports":[{"port":443}]}}""");
    }

    private void createApiService(String further) {
        handle("POST", API_SERVICES, """
                {"metadata":{"name":"v1alpha1.extra.example.com"},"spec":{"group":"extra.example.com",\
                "version":"v1alpha1",
                "groupPriorityMinimum":1500,"versionPriority":7,"service":{"name":"agg","namespace":"default"},%s}\
                }""".formatted(further));
    }

    /** Registers the server and waits until it is available. */
    private void register() {
        createService();
        createApiService("\"caBundle\":\"" + extension.caBundle() + "\"");
        awaitCondition("Passed", "all checks passed");
        await().atMost(20, SECONDS).until(() -> discovered().contains("\"things\""));
    }

    private void awaitCondition(String reason, String message) {
        await().atMost(20, SECONDS).untilAsserted(() -> {
            JsonObject condition = handle("GET", API_SERVICE, "")
                    .array("status", "conditions")
                    .objects()
                    .findFirst()
                    .orElse(JsonObject.EMPTY);
            assertThat(condition.string("reason") + ": " + condition.string("message"))
                    .isEqualTo(reason + ": " + message.replace("PORT", Integer.toString(extension.port())));
        });
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(front.uri() + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer admin");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString(UTF_8));
    }

    /** Returns the group in the aggregated discovery document. */
    private String discovered() {
        try {
            return JsonObject.parse(get("/apis", "Accept", AGGREGATED).body().getBytes(UTF_8))
                    .array("items")
                    .objects()
                    .filter(item -> item.string("metadata", "name").equals("extra.example.com"))
                    .map(JsonObject::toString)
                    .findFirst()
                    .orElse("");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void request_reachesTheServer_withItsUser_andWithoutTheHeadersOfTheClient() throws Exception {
        register();
        extension.answer(THINGS, Answer.json(THING_LIST));

        HttpResponse<String> response = get(
                THINGS + "?limit=5&a=b%20c",
                "X-Remote-User",
                "evil",
                "X-Remote-Group",
                "system:masters",
                "X-Remote-Extra-Foo",
                "bar",
                "X-Remote-Uid",
                "7",
                "X-Other",
                "1",
                "Impersonate-User",
                "jane",
                "Impersonate-Group",
                "devs",
                "Impersonate-Uid",
                "u1",
                "Impersonate-Extra-Foo%2fBar",
                "v1");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(THING_LIST);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-cache, private");
        Received received = extension.last(THINGS);
        assertThat(received.target()).isEqualTo(THINGS + "?limit=5&a=b%20c");
        assertThat(received.proxy()).isEqualTo("CN=front-proxy-client");
        assertThat(received.header("X-Remote-User")).isEqualTo("jane");
        assertThat(received.header("X-Remote-Group")).isEqualTo("devs|system:authenticated");
        assertThat(received.header("X-Remote-Uid")).isEqualTo("u1");
        assertThat(received.header("X-Remote-Extra-Foo%2fbar")).isEqualTo("v1");
        assertThat(received.header("X-Remote-Extra-Foo")).isEmpty();
        assertThat(received.header("X-Other")).isEqualTo("1");
        assertThat(received.header("Authorization") + received.header("Impersonate-User"))
                .isEmpty();
        assertThat(received.header("Host")).isEqualTo("127.0.0.1:" + extension.port());
        assertThat(received.header("X-Forwarded-Host")).isEqualTo("127.0.0.1:" + extension.port());
        assertThat(received.header("X-Forwarded-Proto")).isEqualTo("https");
        assertThat(received.header("X-Forwarded-Uri")).isEqualTo(THINGS);
        assertThat(received.header("X-Forwarded-For")).isEqualTo("127.0.0.1");
    }

    @Test
    void nameOfAUser_isSentAsUtf8_andAnEscapedPathStaysEscaped() throws Exception {
        register();
        String path = GROUP_VERSION + "/namespaces/a%0D%0AX-Remote-User:%20evil/things";
        extension.answer(URI.create(path).getPath(), Answer.json(THING_LIST));
        HttpRequest request = HttpRequest.newBuilder(URI.create(front.uri() + path))
                .header("Authorization", "Bearer janet")
                .build();

        assertThat(http.send(request, BodyHandlers.ofString()).body()).isEqualTo(THING_LIST);

        Received received = extension.last(path);
        assertThat(received.header("X-Remote-User")).isEqualTo(new String("jané".getBytes(UTF_8), ISO_8859_1));
    }

    @Test
    void write_isForwardedWithItsBody_inTheProcessToo() throws Exception {
        register();
        extension.answer(THINGS, new Answer(201, "application/json", Map.of(), "{\"kind\":\"Thing\"}"));

        assertThat(handle("POST", THINGS, "{\"a\":1}").string("kind")).isEqualTo("Thing");

        assertThat(extension.last(THINGS).body()).isEqualTo("{\"a\":1}");
        assertThat(extension.last(THINGS).header("X-Remote-User")).isEqualTo("admin");
        HttpRequest post = HttpRequest.newBuilder(URI.create(front.uri() + THINGS))
                .header("Authorization", "Bearer admin")
                .POST(HttpRequest.BodyPublishers.ofString("{\"b\":2}"))
                .build();
        assertThat(http.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
        assertThat(extension.last(THINGS).body()).isEqualTo("{\"b\":2}");
    }

    @Test
    void watchInTheProcess_readsTheEventsOfTheServer() throws Exception {
        register();
        String event = "{\"type\":\"%s\",\"object\":{\"kind\":\"Thing\",\"n\":\"%s\"}}\n";
        extension.answer(THINGS, Answer.json(event.formatted("ADDED", "a") + event.formatted("DELETED", "b")));

        ServerResponse response = server.handle(ApiRequest.get(THINGS, Map.of("watch", "true")));

        try (ServerResponse.Frames frames = (ServerResponse.Frames) response) {
            assertThat(frames.next().type()).isEqualTo("ADDED");
            assertThat(frames.next().object().string("n")).isEqualTo("b");
            assertThat(frames.next()).isNull();
        }
        assertThat(extension.last(THINGS).target()).isEqualTo(THINGS + "?watch=true");
    }

    @Test
    void discovery_containsTheGroup_atItsPriority() throws Exception {
        register();

        assertThat(discovered()).isEqualTo("""
                {"metadata":{"name":"extra.example.com"},"versions":[{"version":"v1alpha1",\
                "resources":[{"resource":"things",\
                "responseKind":{"group":"","version":"","kind":"Thing"},"scope":"Namespaced",\
                "singularResource":"thing",\
                "verbs":["get","list","watch"],"shortNames":["th"],"subresources":[{"subresource":"status",\
                "responseKind":{"group":"","version":"","kind":"Thing"},"verbs":["get"]}]}],"freshness":"Current"}\
                ]}""");
        assertThat(get("/apis/extra.example.com").body().replaceAll("\\s", "")).isEqualTo("""
                {"kind":"APIGroup","apiVersion":"v1","name":"extra.example.com","versions":[{"groupVersion":\
                "extra.example.com/v1alpha1","version":"v1alpha1"}],"preferredVersion":{"groupVersion":\
                "extra.example.com/v1alpha1","version":"v1alpha1"}}""");
        List<String> groups = handle("GET", "/apis", "")
                .array("groups")
                .objects()
                .map(group -> group.string("name"))
                .toList();
        assertThat(groups).last().isEqualTo("extra.example.com");
        assertThat(get(GROUP_VERSION).body()).contains("APIResourceList");
    }

    @Test
    void documentsOfOpenApi_areMerged() throws Exception {
        String path = "apis/extra.example.com/v1alpha1";
        extension.answer("/openapi/v3", Answer.json("""
                {"paths":{"%s":{"serverRelativeURL":"/openapi/v3/%s?hash=ABC"},"version":{"serverRelativeURL":"other"}}\
                }""".formatted(path, path)));
        extension.answer("/openapi/v3/" + path, Answer.json("{\"openapi\":\"3.0.0\"}"));
        extension.answer("/openapi/v2", Answer.json("""
                {"paths":{"/%s/namespaces/{namespace}/things":{},"/api/v1/pods":{"x":1}},
                "definitions":{"com.example.Thing":{"type":"object"}}}""".formatted(path)));
        register();
        await().atMost(20, SECONDS).until(() -> get("/openapi/v3").body().contains(path));

        JsonObject index =
                JsonObject.parse(get("/openapi/v3").body().getBytes(UTF_8)).object("paths");
        assertThat(index.string(path, "serverRelativeURL")).isEqualTo("/openapi/v3/" + path + "?hash=ABC");
        assertThat(index.string("version", "serverRelativeURL")).startsWith("/openapi/v3/version?hash=");
        assertThat(get("/openapi/v3/" + path + "?hash=ABC").body()).isEqualTo("{\"openapi\":\"3.0.0\"}");
        JsonObject swagger = JsonObject.parse(get("/openapi/v2").body().getBytes(UTF_8));
        assertThat(swagger.object("paths").has("/" + path + "/namespaces/{namespace}/things"))
                .isTrue();
        assertThat(swagger.object("paths").object("/api/v1/pods").has("x")).isFalse();
        assertThat(swagger.string("definitions", "com.example.Thing", "type")).isEqualTo("object");
    }

    @Test
    void serverThatIsNotThere_isUnavailable_andStaleInDiscovery() throws Exception {
        createApiService("\"caBundle\":\"" + extension.caBundle() + "\"");
        awaitCondition("ServiceNotFound", "service/agg in \"default\" is not present");
        HttpResponse<String> response = get(THINGS);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("service unavailable\n");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        assertThat(discovered())
                .isEqualTo("{\"metadata\":{\"name\":\"extra.example.com\"},\"versions\":[{\"version\":\"v1alpha1\","
                        + "\"freshness\":\"Stale\"}]}");
        assertThat(handle("GET", THINGS, "").string("reason")).isEqualTo("ServiceUnavailable");
        createService();
        awaitCondition("Passed", "all checks passed");
        assertThat(get(GROUP_VERSION).statusCode()).isEqualTo(200);
    }

    @Test
    void failures_haveTheMessagesOfUpstream() throws Exception {
        extension.answer(GROUP_VERSION, new Answer(500, "text/plain", Map.of(), "broken"));
        createService();
        createApiService("\"caBundle\":\"" + extension.caBundle() + "\"");
        String url = "https://127.0.0.1:PORT" + GROUP_VERSION;
        awaitCondition(
                "FailedDiscoveryCheck",
                "failing or missing response from " + url + ": bad status from " + url + ": 500");

        extension.close();

        awaitCondition(
                "FailedDiscoveryCheck",
                "failing or missing response from " + url + ": Get \"" + url
                        + "\": dial tcp 127.0.0.1:PORT: connect: connection refused");
    }

    @Test
    void deadServer_answers503_andARedirect502() throws Exception {
        register();
        extension.answer(THINGS, new Answer(302, "text/plain", Map.of("Location", "/apis/other"), ""));

        HttpResponse<String> redirect = get(THINGS);
        assertThat(redirect.statusCode()).isEqualTo(502);
        assertThat(redirect.body()).isEqualTo("the backend attempted to redirect this request, which is not permitted");

        extension.close();

        HttpResponse<String> response = get(THINGS);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body())
                .isEqualTo("error trying to reach service: dial tcp 127.0.0.1:" + extension.port()
                        + ": connect: connection refused\n");
    }

    @Test
    void certificate_isVerified_unlessTheServiceSkipsThat() throws Exception {
        createService();
        createApiService("\"caBundle\":\"" + new ExtensionServer().caBundle() + "\"");
        String url = "https://127.0.0.1:PORT" + GROUP_VERSION;
        awaitCondition(
                "FailedDiscoveryCheck",
                "failing or missing response from " + url + ": Get \"" + url
                        + "\": tls: failed to verify certificate: x509: certificate signed by unknown authority");
        assertThat(handle("DELETE", API_SERVICE, "").string("status")).isEqualTo("Success");
        assertThat(get(GROUP_VERSION).statusCode()).isEqualTo(404);

        createApiService("\"insecureSkipTLSVerify\":true");

        awaitCondition("Passed", "all checks passed");
    }

    @Test
    void authenticationOfTheProxy_isPublished() {
        assertThat(published().without("requestheader-client-ca-file").toString())
                .isEqualTo("""
                {"requestheader-allowed-names":"[\\"front-proxy-client\\"]",\
                "requestheader-extra-headers-prefix":"[\\"X-Remote-Extra-\\"]",\
                "requestheader-group-headers":"[\\"X-Remote-Group\\"]",\
                "requestheader-uid-headers":"[\\"X-Remote-Uid\\"]",\
                "requestheader-username-headers":"[\\"X-Remote-User\\"]"}""");
    }
}
