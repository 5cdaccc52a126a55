/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A server with an API of metrics, in which ready pods share a load. It notes the scale that it was asked for. For one
 * thread.
 */
final class SimulatedLoad implements Transport {

    private final Transport server;
    private final Supplier<List<Pod>> pods;
    private final Clock clock;
    private int total = 100;
    private int hidden;
    private int readScale = -1;

    SimulatedLoad(Transport server, Supplier<List<Pod>> pods, Clock clock) {
        this.server = server;
        this.pods = pods;
        this.clock = clock;
    }

    /** Sets the load of all pods together, in thousandths of a processor. */
    void total(int milli) {
        total = milli;
    }

    int total() {
        return total;
    }

    /** Lets the first pods have no values. */
    void hide(int number) {
        hidden = number;
    }

    /** Returns the number of wanted pods that was read first since {@link #forgetScale}; -1 if none was. */
    int readScale() {
        return readScale;
    }

    void forgetScale() {
        readScale = -1;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        if (request.path().startsWith("/apis/metrics.k8s.io/")) {
            return answer(metrics());
        }
        if (!request.method().equals("GET") || !request.path().endsWith("/scale")) {
            return server.execute(request);
        }
        byte[] body;
        int code;
        try (ApiResponse response = server.execute(request)) {
            body = response.wholeBody("scale");
            code = response.code();
        }
        Long replicas = JsonObject.parse(body).number("spec", "replicas");
        if (readScale < 0) {
            readScale = replicas == null ? 0 : replicas.intValue();
        }
        return new ApiResponse(code, Map.of("content-type", List.of(ApiRequest.JSON)), new ByteArrayInputStream(body));
    }

    private String metrics() {
        List<Pod> ready = pods.get().stream()
                .filter(pod -> pod.status().phase().equals("Running") && pod.isReady())
                .toList();
        long share = ready.isEmpty() ? 0 : total / ready.size();
        List<String> items = new ArrayList<>();
        for (Pod pod : ready.subList(Math.min(hidden, ready.size()), ready.size())) {
            String name = pod.metadata().name();
            items.add("""
                    {"metadata":{"name":"%s"},"timestamp":"%s","window":"0s","containers":[\
                    {"name":"c","usage":{"cpu":"%dm"}}]}""".formatted(name, clock.instant(), share));
        }
        return "{\"items\":[" + String.join(",", items) + "]}";
    }

    private static ApiResponse answer(String body) {
        return new ApiResponse(
                200,
                Map.of("content-type", List.of(ApiRequest.JSON)),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return server.stream(request);
    }

    @Override
    public void close() {}
}
