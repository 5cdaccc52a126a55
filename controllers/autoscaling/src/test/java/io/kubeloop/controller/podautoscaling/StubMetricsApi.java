/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server of fixed documents by their paths, with discovery of pods, services and the API of custom metrics. For one
 * thread.
 */
final class StubMetricsApi implements Transport {

    private static final String CORE =
            "{'items':[{'metadata':{},'versions':[{'version':'v1','freshness':'Current','resources':["
                    + "{'resource':'pods','responseKind':{'group':'','version':'v1','kind':'Pod'},"
                    + "'scope':'Namespaced','verbs':['list']},"
                    + "{'resource':'services','responseKind':{'group':'','version':'v1','kind':'Service'},"
                    + "'scope':'Namespaced','verbs':['list']}"
                    + "]}]}]}";

    private final Map<String, String> documents = new HashMap<>();
    private final List<String> requested = new ArrayList<>();
    private int code = 404;
    private String error = "404 page not found\n";
    private String groups = "";

    StubMetricsApi() {
        documents.put("/api", CORE);
        customVersions("v1beta2", "v1beta1");
    }

    /** Serves custom metrics in these versions, the preferred one first; none means that there is no such API. */
    void customVersions(String... versions) {
        List<String> list = new ArrayList<>();
        for (String version : versions) {
            list.add("{'version':'" + version + "'}");
        }
        groups = "{'groups':["
                + (versions.length == 0
                        ? ""
                        : "{'name':'custom.metrics.k8s.io','preferredVersion':" + list.get(0) + ",'versions':["
                                + String.join(",", list) + "]}")
                + "]}";
    }

    /** Serves a document at a path, which begins behind {@code /apis/}. Quotes may be single ones. */
    void serve(String path, String document) {
        documents.put("/apis/" + path, document);
    }

    /** Sets the response for paths without a document: 404 in plain text at first. */
    void fail(int status, String text) {
        code = status;
        error = text;
    }

    /** Returns the requests for metrics, with their sorted parameters. */
    List<String> requested() {
        return requested;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        if (request.path().equals("/apis")) {
            return response(200, request.accept().contains("as=APIGroupDiscoveryList") ? "{'items':[]}" : groups);
        }
        if (request.path().startsWith("/apis/")) {
            requested.add(request.path() + " " + new TreeMap<>(request.query()));
        }
        String document = documents.get(request.path());
        return document == null ? response(code, error) : response(200, document);
    }

    private static ApiResponse response(int code, String body) {
        return new ApiResponse(
                code,
                Map.of("content-type", List.of(body.startsWith("{") ? ApiRequest.JSON : "text/plain")),
                new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new UnsupportedOperationException("metrics have no streams");
    }

    @Override
    public void close() {}
}
