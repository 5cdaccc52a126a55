/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A page about the component itself, {@code /statusz} or {@code /flagz}: text for people, and an object of {@code
 * config.k8s.io} for a client that names its kind in the header {@code Accept} (upstream: {@code
 * component-base/zpages}). Thread-safe.
 */
public final class ComponentPage implements HttpListener.Handler {

    private static final String COMPONENT = "kube-controller-manager";
    private static final String GROUP = "config.k8s.io";
    private static final String WARNING = "Warning: This endpoint is not meant to be machine parseable, has no"
            + " formatting compatibility guarantees and is for debugging purposes only.\n";
    private static final Set<String> TEXTS = Set.of("text/plain", "text/*", "*/*");

    private final String kind;
    private final Supplier<String> text;
    private final Supplier<JsonObject> members;

    /**
     * Creates a page.
     *
     * @param kind {@code Statusz} or {@code Flagz}
     * @param text returns the lines below the heading
     * @param members returns the members of the object beside kind, version and name
     */
    public ComponentPage(String kind, Supplier<String> text, Supplier<JsonObject> members) {
        this.kind = kind;
        this.text = text;
        this.members = members;
    }

    @Override
    public void handle(HttpServerExchange exchange) throws IOException {
        String header = exchange.header("Accept");
        String accepted = header.isEmpty() ? "*/*" : header;
        for (String range : accepted.split(",", -1)) {
            Set<String> parts = Arrays.stream(range.strip().split(";", -1))
                    .map(String::strip)
                    .collect(Collectors.toSet());
            String version = parts.contains("v=v1beta1") ? "v1beta1" : parts.contains("v=v1alpha1") ? "v1alpha1" : "";
            boolean isOfKind = parts.contains("as=" + kind) && parts.contains("g=" + GROUP);
            if (parts.contains("application/json") && isOfKind && !version.isEmpty()) {
                send(exchange, version);
                return;
            }
            if (parts.stream().anyMatch(TEXTS::contains)) {
                String heading = "\n" + COMPONENT + " " + kind.toLowerCase(Locale.ROOT) + "\n" + WARNING;
                ManagerHttp.send(exchange, 200, ManagerHttp.TEXT, utf8(heading + text.get()));
                return;
            }
        }
        JsonObject refusal = JsonObject.EMPTY
                .with("kind", "Status")
                .with("apiVersion", "v1")
                .with("metadata", JsonObject.EMPTY)
                .with("status", "Failure")
                .with("message", "only the following media types are accepted: application/json, text/plain")
                .with("reason", "NotAcceptable")
                .with("code", 406);
        ManagerHttp.send(exchange, 406, "application/json", utf8(refusal.toString()));
    }

    private void send(HttpServerExchange exchange, String version) throws IOException {
        if (version.equals("v1alpha1")) {
            exchange.setHeader(
                    "Warning",
                    "299 - \"This version of the " + kind.toLowerCase(Locale.ROOT)
                            + " endpoint is deprecated. Please use a newer version.\"");
        }
        JsonObject object = JsonObject.EMPTY
                .with("kind", kind)
                .with("apiVersion", GROUP + "/" + version)
                .with("metadata", JsonObject.EMPTY.with("name", COMPONENT));
        JsonObject own = members.get();
        for (var member : own.members().entrySet()) {
            object = object.with(member.getKey(), member.getValue());
        }
        String type = "application/json;g=" + GROUP + ";v=" + version + ";as=" + kind;
        ManagerHttp.send(exchange, 200, type, utf8(object.toString()));
    }

    private static byte[] utf8(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }
}
