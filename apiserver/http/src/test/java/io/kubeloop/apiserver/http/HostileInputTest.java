/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Texts for which a regular expression that backtracks needs seconds to hours, each with the response of
 * kube-apiserver.
 */
@Timeout(value = 10, unit = TimeUnit.SECONDS)
class HostileInputTest {

    private static final String TOKEN = "secret";
    private static final String OBJECTS = "/apis/example.com/v1/namespaces/default/figs";

    private static final String FIG = "{'apiVersion':'example.com/v1','kind':'Fig',";

    private static final ApiServer SERVER = ApiServer.builder().build(BuiltInKinds.create());
    private static final HttpApiServer HTTP =
            HttpApiServer.start(SERVER, HttpApiServer.Config.DEFAULT.withTokens(BearerTokens.of(Set.of(TOKEN))));
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @BeforeAll
    @Timeout(30)
    static void define() throws Exception {
        String definition =
                "{'metadata':{'name':'figs.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                        + "'names':{'plural':'figs',"
                        + "'kind':'Fig'},'versions':[{'name':'v1','served':true,'storage':true,"
                        + "'schema':{'openAPIV3Schema':{'type':'object','properties':{"
                        + "'duration':{'type':'string','format':'duration'},'email':{'type':'string','format':'email'},"
                        + "'hostname':{'type':'string','format':'hostname'},'uri':{'type':'string','format':'uri'},"
                        + "'isbn':{'type':'string','format':'isbn'},'pattern':{'type':'string','pattern':'(.*)*x'},"
                        + "'k8s':{'type':'string','format':'k8s-long-name'}}}}}]}}";
        assertThat(post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)
                        .statusCode())
                .isEqualTo(201);
        assertThat(post(OBJECTS, FIG + "'metadata':{'name':'warm'},'email':'a@b.c'}")
                        .statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    static void close() {
        HTTP.close();
        SERVER.close();
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(HTTP.uri() + path))
                        .header("Authorization", "Bearer " + TOKEN)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body.replace('\'', '"')))
                        .build(),
                BodyHandlers.ofString());
    }

    /** The credentials are checked first: a client without them learns nothing about the parameter. */
    @Test
    void timeout_ofManyDigits_isUnauthorized() throws Exception {
        try (RawClient client = new RawClient(HTTP.port())) {
            assertThat(client.get("/api/v1/pods?timeout=" + "1".repeat(300_000)))
                    .startsWith("HTTP/1.1 401 ");
        }
        try (RawClient client = new RawClient(HTTP.port())) {
            client.send(("GET /version?timeout=" + "1".repeat(300_000)
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + "Authorization: Bearer " + TOKEN
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(client.drain()).startsWith("HTTP/1.1 400 ").contains("time: invalid duration");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "duration, 1, 10000, '', 422",
        "duration, 1s, 10000, '', 201",
        "duration, 1s, 10000, x, 201",
        "duration, 1 , 10000, '', 422",
        "email, a, 20000, '@b.c', 201",
        "email, a.a, 10000, '', 422",
        "email, '\\\"a\\\" ', 5000, '', 422",
        "hostname, a, 20000, '', 422",
        "hostname, a., 10000, '', 422",
        "uri, http://%, 5000, '', 422",
        "isbn, 1-, 10000, '', 422",
        "pattern, a, 100000, '', 422",
        "pattern, a, 100000, x, 201",
        "k8s, a-, 10000, '', 422",
    })
    void valuesOfCustomResources_areCheckedInLinearTime(String field, String part, int times, String end, int code)
            throws Exception {
        String body = FIG + "'metadata':{'generateName':'f-'},'" + field + "':'";
        assertThat(post(OBJECTS + "?dryRun=All", body + part.repeat(times) + end + "'}")
                        .statusCode())
                .isEqualTo(code);
    }

    @Test
    void requestsForCertificates_withManyBeginnings_areInvalid() throws Exception {
        String pem = Base64.getEncoder()
                .encodeToString(
                        "-----BEGIN CERTIFICATE REQUEST-----\n".repeat(8_000).getBytes(StandardCharsets.US_ASCII));
        HttpResponse<String> response = post(
                "/apis/certificates.k8s.io/v1/certificatesigningrequests",
                "{'metadata':{'name':'a'},'spec':{'signerName':'a.b/c','usages':['client auth'],'request':'" + pem
                        + "'}}");
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.body()).contains("PEM block type must be CERTIFICATE REQUEST");
    }

    @ParameterizedTest
    @CsvSource({"'@every ', 1s, 20000, 201", "'@every ', 1, 20000, 422", "'', '1 ', 20000, 422", "'', '1,', 20000, 422"
    })
    void schedules_areCheckedInLinearTime(String start, String part, int times, int code) throws Exception {
        String template =
                "{'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}";
        assertThat(post(
                                "/apis/batch/v1/namespaces/default/cronjobs?dryRun=All",
                                "{'metadata':{'name':'c'},'spec':{'schedule':'" + start + part.repeat(times)
                                        + "','jobTemplate':" + template + "}}")
                        .statusCode())
                .isEqualTo(code);
    }

    /** Numbers of more digits than any amount has are refused: the JDK reads n digits in n² steps. */
    @ParameterizedTest
    @CsvSource({"1, x, 400", "1, '', 400", "1., '', 400", "0, '', 201"})
    void quantities_areReadInBoundedTime(String part, String end, int code) throws Exception {
        String quantity = part.repeat(200_000) + end;
        assertThat(post(
                                "/api/v1/namespaces/default/pods?dryRun=All",
                                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i',"
                                        + "'resources':{'limits':{'cpu':'"
                                        + quantity + "'}}}]}}")
                        .statusCode())
                .isEqualTo(code);
    }

    @Test
    void definitions_withHugeExpressions_areInvalid() throws Exception {
        for (String part : new String[] {"(", "[", "a{1000}", "(x*)", "\\\\\\\\p{Cn}", "(?P<a>x)"}) {
            String schema = "{'type':'object','properties':{'a':{'type':'string','pattern':'"
                    + part.repeat(100_000 / part.length()) + "'}}}";
            assertThat(post(
                                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                    "{'metadata':{'name':'plums.example.com'},'spec':{'group':'example.com',"
                                            + "'scope':'Namespaced','names':{'plural':"
                                            + "'plums','kind':'Plum'},'versions':[{'name':'v1','served':true,"
                                            + "'storage':true,'schema':"
                                            + "{'openAPIV3Schema':" + schema + "}}]}}")
                            .statusCode())
                    .as(part)
                    .isEqualTo(422);
        }
    }
}
