/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.json.tree.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that kube-apiserver 1.36.3 rejects, with the codes and messages that it sends. */
class RejectedRequestsTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String TYPES = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

    private static final ApiServer SERVER = ApiServer.builder().build(BuiltInKinds.create());
    private static final HttpApiServer HTTP = HttpApiServer.start(SERVER, HttpApiServer.Config.DEFAULT);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @AfterAll
    static void close() {
        HTTP.close();
        SERVER.close();
    }

    private static HttpResponse<String> send(String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(HTTP.uri() + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static String message(HttpResponse<String> response) {
        return JsonObject.parse(response.body()).string("message");
    }

    private static HttpResponse<String> create(String type, String body, String query) throws Exception {
        return send("POST", MAPS + "?dryRun=All" + query, body, "Content-Type", type);
    }

    /** kubectl 1.20 names no type for some of the objects that it creates. */
    @Test
    void create_withoutAContentType_isJson() throws Exception {
        HttpResponse<String> created =
                send("POST", MAPS + "?dryRun=All", "{\"metadata\":{\"name\":\"a\"}}", "Accept", "application/json");
        assertThat(created.statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/cbor", "application/xml", "bad"})
    void create_inAnUnknownFormat_isUnsupported(String type) throws Exception {
        HttpResponse<String> response = create(type, "{}", "");
        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(message(response))
                .isEqualTo("the body of the request was in an unknown format - accepted media types include: " + TYPES);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"kind":"Pod","apiVersion":"v1"} | Pod in version "v1" cannot be handled as a ConfigMap: converting \
            (v1.Pod) to (core.ConfigMap): unknown conversion
            {"kind":"Odd","apiVersion":"v1"} | Odd in version "v1" cannot be handled as a ConfigMap: no kind "Odd" is \
            registered for version "v1" in scheme "pkg/runtime/scheme.go:111"
            {"apiVersion":"a.b/v2"} | ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" \
            is registered for version "a.b/v2" in scheme "pkg/runtime/scheme.go:111"
            {"kind":7} | couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct \
            field .kind of type string ({"kind":7})
            [] | the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json \
            parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string \
            "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)
            """)
    void create_ofSomethingElse_isABadRequest(String body, String message) throws Exception {
        HttpResponse<String> response = create("application/json", body, "");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(message(response)).endsWith(message);
    }

    /** The reader does not recurse: the stack is large enough for every document. */
    @ParameterizedTest
    @CsvSource({"[, '['", "'{\"a\":', '{'"})
    void create_ofADeepDocument_isABadRequest(String level, String opening) throws Exception {
        HttpResponse<String> response = create("application/json", level.repeat(20_000), "");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(message(response)).contains("invalid character '" + opening + "' exceeded max depth");
    }

    @Test
    void create_inYamlWithAKeyTwice_isJudgedByTheFieldValidation() throws Exception {
        String yaml = "metadata:\n  name: d\ndata:\n  a: '1'\n  a: '2'\nunknown: 1\nunknown: 2\n";
        HttpResponse<String> strict = create("application/yaml", yaml, "&fieldValidation=Strict");
        assertThat(strict.statusCode()).isEqualTo(400);
        assertThat(message(strict))
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
                        + "yaml: unmarshal errors:\n  line 5: key \"a\" already set in map\n"
                        + "  line 7: key \"unknown\" already set in map, unknown field \"unknown\"");
        HttpResponse<String> warned = create("application/yaml", yaml, "");
        assertThat(warned.headers().allValues("Warning"))
                .containsExactly(
                        "299 - \"line 5: key \\\"a\\\" already set in map\"",
                        "299 - \"line 7: key \\\"unknown\\\" already set in map\"",
                        "299 - \"unknown field \\\"unknown\\\"\"");
        assertThat(JsonObject.parse(warned.body()).string("data", "a")).isEqualTo("2");
        HttpResponse<String> ignored = create("application/yaml", yaml, "&fieldValidation=Ignore");
        assertThat(ignored.statusCode()).isEqualTo(201);
        assertThat(ignored.headers().allValues("Warning")).isEmpty();
    }

    @Test
    void create_inBadYaml_namesTheLine() throws Exception {
        HttpResponse<String> response = create("application/yaml", "a: [", "");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(message(response))
                .startsWith("the object provided is unrecognized (must be of type ConfigMap): yaml: line 1: ");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/default/nothings, 404",
        "/api/v1/namespaces/default/pods/none/log, 404",
        "/api/v1/namespaces/de|fault/pods/{x}, 404",
        "/api/v1/namespaces/none?a=%zz&%zz=1;, 404",
        "/api/v1/namespaces/%, 400",
        "/api/v1/namespaces/a%4, 400",
    })
    void get_ofAnUnusualTarget_isReadAsUpstreamReadsIt(String target, int code) throws Exception {
        try (RawClient client = new RawClient(HTTP.port())) {
            assertThat(client.get(target)).startsWith("HTTP/1.1 " + code + " ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /api/v1/namespaces, 405",
        "POST, /api/v1, 405",
        "POST, /apis/apps/v1, 405",
        "POST, /apis, 200",
        "DELETE, /apis/apps, 200",
        "POST, /version, 405",
        "TRACE, /api/v1/namespaces, 405",
        "DELETE, /apis/authorization.k8s.io/v1/subjectaccessreviews, 405",
        "GET, /apis/authorization.k8s.io/v1/subjectaccessreviews, 405",
    })
    void method_isJudgedByThePath(String method, String path, int code) throws Exception {
        assertThat(send(method, path, "").statusCode()).isEqualTo(code);
    }

    /** Only what can be listed has tables. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                "/api/v1/namespaces/default/pods/none/eviction"
            })
    void table_ofAReview_isNotAcceptable(String path) throws Exception {
        String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        HttpResponse<String> response = send("POST", path, "{}", "Accept", table, "Content-Type", "application/json");
        assertThat(response.statusCode()).isEqualTo(406);
        assertThat(message(response)).isEqualTo("only the following media types are accepted: " + TYPES);
        HttpResponse<String> either =
                send("POST", path, "{}", "Accept", table + ",application/json", "Content-Type", "application/json");
        assertThat(either.statusCode()).isNotEqualTo(406);
    }

    @Test
    void dryRun_withoutAValue_isInvalid() throws Exception {
        HttpResponse<String> response = send("DELETE", MAPS + "/none?dryRun=", "", "Content-Type", "application/json");
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(message(response))
                .isEqualTo("DeleteOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"\"]: "
                        + "supported values: \"All\"");
    }

    @Test
    void impersonation_changesTheUser() throws Exception {
        String path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
        HttpResponse<String> response = send(
                "POST",
                path,
                "{}",
                "Content-Type",
                "application/json",
                "Impersonate-User",
                "bob",
                "Impersonate-Uid",
                "7",
                "Impersonate-Group",
                "g1",
                "Impersonate-Extra-Scopes",
                "a");
        JsonObject user = JsonObject.parse(response.body()).object("status", "userInfo");
        assertThat(user)
                .isEqualTo(JsonObject.parse(
                        "{\"username\":\"bob\",\"uid\":\"7\",\"groups\":[\"g1\",\"system:authenticated\"],"
                                + "\"extra\":{\"scopes\":[\"a\"]}}"));
        HttpResponse<String> account = send(
                "POST",
                path,
                "{}",
                "Content-Type",
                "application/json",
                "Impersonate-User",
                "system:serviceaccount:a:b");
        assertThat(JsonObject.parse(account.body())
                        .object("status", "userInfo")
                        .array("groups")
                        .strings())
                .isEqualTo(List.of("system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"));
    }

    @Test
    void impersonation_withoutAUser_isABadRequest() throws Exception {
        HttpResponse<String> response =
                send("GET", MAPS, "", "Impersonate-Group", "g1", "Impersonate-Extra-Scopes", "a");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(message(response))
                .isEqualTo("requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"g1\"}, "
                        + "Extra:map[string][]string{\"scopes\":[]string{\"a\"}}} without impersonating a user name");
    }

    /** An open server accepts clients without a token; one with a token claims to be a user, and must be that user. */
    @Test
    void tokens_thatAreInvalid_areUnauthorized_alsoOnAnOpenServer() throws Exception {
        for (String path : List.of("/version", "/livez", MAPS)) {
            HttpResponse<String> response = send("GET", path, "", "Authorization", "Bearer unknown");
            assertThat(response.statusCode()).as(path).isEqualTo(401);
        }
        assertThat(send("GET", MAPS, "", "Authorization", "Basic YTpi").statusCode())
                .isEqualTo(200);
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        assertThat(send("POST", accounts, "{\"metadata\":{\"name\":\"a\"}}", "Content-Type", "application/json")
                        .statusCode())
                .isEqualTo(201);
        String token = JsonObject.parse(
                        send("POST", accounts + "/a/token", "{\"spec\":{}}", "Content-Type", "application/json")
                                .body())
                .string("status", "token");
        assertThat(send("GET", MAPS, "", "Authorization", "Bearer " + token).statusCode())
                .isEqualTo(200);
        send("DELETE", accounts + "/a", "");
        assertThat(send("GET", MAPS, "", "Authorization", "Bearer " + token).statusCode())
                .isEqualTo(401);
    }
}
