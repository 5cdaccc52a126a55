/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Requests that a server must refuse, each with the code, the {@code Retry-After} header and the body of kube-apiserver
 * 1.37.2. {@code e2e/refusals.sh --record} writes the file.
 */
class RecordedRefusalsTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static List<JsonObject> recorded() throws IOException {
        try (InputStream in = Objects.requireNonNull(RecordedRefusalsTest.class.getResourceAsStream("refusals.json"))) {
            JsonArray steps = (JsonArray) JsonValue.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return steps.objects().toList();
        }
    }

    @Test
    void requests_haveTheRecordedAnswers() throws Exception {
        List<String> problems = new ArrayList<>();
        try (ApiServer server = ApiServer.builder().firstVersion(1000).build(BuiltInKinds.create());
                HttpApiServer http = HttpApiServer.start(server, HttpApiServer.Config.DEFAULT)) {
            for (JsonObject step : recorded()) {
                JsonObject own = answer(http.uri(), step);
                JsonObject real = JsonObject.EMPTY
                        .with("code", Objects.requireNonNull(step.get("code")))
                        .with("retry", step.string("retry"))
                        .with("body", Objects.requireNonNull(step.get("body")));
                if (!own.equals(real)) {
                    problems.add(step.string("step") + "\n  real " + real + "\n  ours " + own);
                }
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void recordings_haveEveryCodeOfARefusal() throws Exception {
        assertThat(recorded().stream().map(step -> step.number("code")))
                .contains(400L, 404L, 405L, 406L, 409L, 410L, 413L, 415L, 422L, 429L, 500L, 504L);
    }

    private static JsonObject answer(URI server, JsonObject step) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + step.string("path")))
                .header("Accept", step.string("accept"))
                .header("User-Agent", "refusals/1");
        String body = body(step);
        if (!body.isEmpty()) {
            request.header("Content-Type", step.string("content"));
        }
        request.method(step.string("method"), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
        return JsonObject.EMPTY
                .with("code", JsonNumber.of(response.statusCode()))
                .with("retry", response.headers().firstValue("Retry-After").orElse(""))
                .with("body", stable(response.body(), step.string("step")));
    }

    private static String body(JsonObject step) {
        JsonValue sent = step.get("sent");
        if (sent == null) {
            return "";
        }
        Long repeat = step.number("repeat");
        if (repeat != null && sent instanceof JsonArray one) {
            return JsonArray.of(Collections.nCopies(repeat.intValue(), one.get(0)))
                    .toString();
        }
        return sent instanceof JsonString text ? text.value() : sent.toString();
    }

    /** Replaces what differs from server to server. A success is compared by its code; "stored" ones as a whole. */
    private static JsonValue stable(String text, String step) {
        String stable = text.replaceAll("\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b", "<uid>")
                .replaceAll("(current: |in record \\()\\d+", "$1<version>")
                .replaceAll("(\"continue\":\\s*)\"[^\"]+\"", "$1\"<token>\"")
                .replaceAll("\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\"", "\"<time>\"");
        if (!stable.startsWith("{")) {
            return new JsonString(stable);
        }
        JsonObject body = JsonObject.parse(stable);
        JsonObject stored = step.startsWith("stored ") ? body.without("metadata") : JsonObject.EMPTY;
        return body.string("kind").equals("Status") ? body : stored;
    }
}
