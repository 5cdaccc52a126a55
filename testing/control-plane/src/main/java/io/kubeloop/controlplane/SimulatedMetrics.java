/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A metrics provider whose values a test sets. A control plane with it serves the APIs {@code metrics.k8s.io}, {@code
 * custom.metrics.k8s.io} and {@code external.metrics.k8s.io}, as a metrics server and adapters of monitoring systems
 * do.
 *
 * <p>Values of pods apply to all running pods that a selector selects, also to those that start later. Of several
 * values for a pod, the one that was set last counts. A value replaces an earlier one of the same selector and metric.
 *
 * <p>Thread-safe. No method blocks.
 */
public final class SimulatedMetrics {

    private final Clock clock;

    private final PodValues usages = new PodValues();
    private final PodValues podMetrics = new PodValues();
    private final Map<ObjectMetric, String> objectMetrics = new ConcurrentHashMap<>();
    private final Map<Series, String> series = new ConcurrentHashMap<>();

    /** Written once, when the server is built. */
    private volatile @Nullable Function<ApiRequest, ServerResponse> server;

    private record PodMetric(String namespace, String selector, String metric) {}

    private record PodValue(Selector selector, String value) {}

    /** Values that are set for selected pods. Thread-safe. */
    private static final class PodValues {

        private final ReentrantLock lock = new ReentrantLock();

        /** The last set last, so it applies. */
        @GuardedBy("lock")
        private final Map<PodMetric, PodValue> all = new LinkedHashMap<>();

        void set(String namespace, String selector, Map<String, String> values) {
            lock.lock();
            try {
                Selector parsed = LabelSelectors.parse(selector);
                values.forEach((metric, value) -> {
                    PodMetric key = new PodMetric(namespace, selector, metric);
                    all.remove(key);
                    all.put(key, new PodValue(parsed, value));
                });
            } finally {
                lock.unlock();
            }
        }

        /** Returns the values of a pod by metric. */
        Map<String, String> of(JsonObject pod) {
            lock.lock();
            try {
                String namespace = pod.string("metadata", "namespace");
                Map<String, String> labels = new LinkedHashMap<>();
                JsonObject given = pod.object("metadata", "labels");
                given.members().keySet().forEach(label -> labels.put(label, given.string(label)));
                Map<String, String> values = new LinkedHashMap<>();
                all.forEach((key, one) -> {
                    if (key.namespace().equals(namespace) && one.selector().matches(labels)) {
                        values.put(key.metric(), one.value());
                    }
                });
                return values;
            } finally {
                lock.unlock();
            }
        }
    }

    private record ObjectMetric(String namespace, String resource, String name, String metric) {}

    private record Series(String namespace, String metric, Map<String, String> labels) {}

    /** Creates a provider without values. */
    public SimulatedMetrics() {
        this(Clock.systemUTC());
    }

    /**
     * Creates a provider without values.
     *
     * @param clock the time of the measurements
     */
    public SimulatedMetrics(Clock clock) {
        this.clock = clock;
    }

    /**
     * Sets the usage of each container of pods.
     *
     * @param selector the pods, such as {@code app=web}; empty for all pods of the namespace
     * @param usage quantities by resource, such as {@code cpu} and {@code 250m}
     */
    public void setUsage(String namespace, String selector, Map<String, String> usage) {
        usages.set(namespace, selector, usage);
    }

    /**
     * Sets a metric of each of the selected pods.
     *
     * @param selector the pods; empty for all pods of the namespace
     * @param value a quantity
     */
    public void setPodMetric(String namespace, String selector, String metric, String value) {
        podMetrics.set(namespace, selector, Map.of(metric, value));
    }

    /**
     * Sets a metric of one object.
     *
     * @param resource the resource, such as {@code services} or {@code ingresses.networking.k8s.io}
     * @param value a quantity
     */
    public void setObjectMetric(String namespace, String resource, String name, String metric, String value) {
        objectMetrics.put(new ObjectMetric(namespace, resource, name, metric), value);
    }

    /**
     * Sets a series of a metric that belongs to no object.
     *
     * @param labels the labels of the series; a metric has one value for each set of labels
     * @param value a quantity
     */
    public void setExternalMetric(String namespace, String metric, Map<String, String> labels, String value) {
        series.put(new Series(namespace, metric, Map.copyOf(labels)), value);
    }

    /** Sets the server whose pods have the metrics. */
    void attach(Function<ApiRequest, ServerResponse> handler) {
        server = handler;
    }

    List<ComputedApi> apis() {
        return List.of(
                new Api("metrics.k8s.io", List.of("v1beta1"), this::usage),
                new Api("custom.metrics.k8s.io", List.of("v1beta2", "v1beta1"), this::custom),
                new Api("external.metrics.k8s.io", List.of("v1beta1"), this::external));
    }

    /** A group whose paths are {@code /apis/GROUP/VERSION/namespaces/NAMESPACE/...}. */
    private record Api(
            String group, List<String> versions, BiFunction<List<String>, ApiRequest, @Nullable JsonObject> documents)
            implements ComputedApi {

        @Override
        public @Nullable JsonObject read(ApiRequest request) {
            List<String> path = List.of(request.path().substring(1).split("/"));
            return path.size() > 5
                            && versions.contains(path.get(2))
                            && path.get(3).equals("namespaces")
                    ? documents.apply(path.subList(2, path.size()), request)
                    : null;
        }
    }

    private @Nullable JsonObject usage(List<String> path, ApiRequest request) {
        if (!path.get(3).equals("pods") || path.size() > 5) {
            return null;
        }
        List<JsonObject> items = new ArrayList<>();
        for (JsonObject pod : pods(path.get(2), request)) {
            Map<String, String> values = usages.of(pod);
            boolean isAsked = path.size() < 5 || pod.string("metadata", "name").equals(path.get(4));
            if (!values.isEmpty() && isAsked) {
                items.add(podUsage(pod, values));
            }
        }
        if (path.size() == 5) {
            return items.isEmpty() ? null : items.get(0);
        }
        return list("metrics.k8s.io/v1beta1", "PodMetricsList", items);
    }

    private JsonObject podUsage(JsonObject pod, Map<String, String> values) {
        JsonObject usage = strings(values);
        return JsonObject.EMPTY
                .with("kind", "PodMetrics")
                .with("apiVersion", "metrics.k8s.io/v1beta1")
                .with(
                        "metadata",
                        JsonObject.EMPTY
                                .with("name", pod.string("metadata", "name"))
                                .with("namespace", pod.string("metadata", "namespace"))
                                .with("labels", pod.object("metadata", "labels")))
                .with("timestamp", now())
                .with("window", "30s")
                .with(
                        "containers",
                        JsonArray.of(pod.array("spec", "containers")
                                .objects()
                                .map(container -> JsonObject.EMPTY
                                        .with("name", container.string("name"))
                                        .with("usage", usage))
                                .toList()));
    }

    private @Nullable JsonObject custom(List<String> path, ApiRequest request) {
        if (path.size() != 6) {
            return null;
        }
        String namespace = path.get(2);
        String resource = path.get(3);
        String name = path.get(4);
        String metric = path.get(5);
        List<JsonObject> items = new ArrayList<>();
        if (resource.equals("pods")) {
            for (JsonObject pod : pods(namespace, request)) {
                String value = podMetrics.of(pod).get(metric);
                String podName = pod.string("metadata", "name");
                if (value != null && (name.equals("*") || name.equals(podName))) {
                    items.add(customValue(path.get(0), "Pod", namespace, podName, metric, value));
                }
            }
        } else {
            String value = objectMetrics.get(new ObjectMetric(namespace, resource, name, metric));
            if (value == null) {
                return null;
            }
            items.add(customValue(path.get(0), "", namespace, name, metric, value));
        }
        return list("custom.metrics.k8s.io/" + path.get(0), "MetricValueList", items);
    }

    private JsonObject customValue(
            String version, String kind, String namespace, String name, String metric, String value) {
        JsonObject item = JsonObject.EMPTY
                .with(
                        "describedObject",
                        JsonObject.EMPTY
                                .with("kind", kind)
                                .with("namespace", namespace)
                                .with("name", name))
                .with("timestamp", now())
                .with("value", value);
        return version.equals("v1beta1")
                ? item.with("metricName", metric)
                : item.with("metric", JsonObject.EMPTY.with("name", metric));
    }

    private @Nullable JsonObject external(List<String> path, ApiRequest request) {
        if (path.size() != 4) {
            return null;
        }
        Selector selector = LabelSelectors.parse(request.query().getOrDefault("labelSelector", ""));
        List<JsonObject> items = new ArrayList<>();
        series.forEach((one, value) -> {
            if (one.namespace().equals(path.get(2))
                    && one.metric().equals(path.get(3))
                    && selector.matches(one.labels())) {
                items.add(JsonObject.EMPTY
                        .with("metricName", one.metric())
                        .with("metricLabels", strings(one.labels()))
                        .with("timestamp", now())
                        .with("value", value));
            }
        });
        return list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList", items);
    }

    /** Returns the running pods that the request selects. */
    private List<JsonObject> pods(String namespace, ApiRequest request) {
        Function<ApiRequest, ServerResponse> handler = server;
        if (handler == null) {
            return List.of();
        }
        String selector = request.query().getOrDefault("labelSelector", "");
        ServerResponse response = handler.apply(ApiRequest.get(
                "/api/v1/namespaces/" + namespace + "/pods",
                selector.isEmpty() ? Map.of() : Map.of("labelSelector", selector)));
        return response instanceof ServerResponse.Document document
                ? JsonObject.parse(document.bytes())
                        .array("items")
                        .objects()
                        .filter(pod -> pod.string("status", "phase").equals("Running"))
                        .toList()
                : List.of();
    }

    private static JsonObject list(String apiVersion, String kind, List<JsonObject> items) {
        return JsonObject.EMPTY
                .with("kind", kind)
                .with("apiVersion", apiVersion)
                .with("metadata", JsonObject.EMPTY)
                .with("items", JsonArray.of(items));
    }

    private static JsonObject strings(Map<String, String> values) {
        Map<String, JsonString> members = new LinkedHashMap<>();
        values.forEach((name, value) -> members.put(name, new JsonString(value)));
        return JsonObject.of(members);
    }

    private String now() {
        return new Time(clock.instant()).toString();
    }
}
