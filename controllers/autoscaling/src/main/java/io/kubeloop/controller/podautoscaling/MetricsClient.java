/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.Time;
import io.kubeloop.api.autoscaling.CrossVersionObjectReference;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.api.value.GoDuration;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.discovery.JsonRequests;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads metrics from the APIs {@code metrics.k8s.io}, {@code custom.metrics.k8s.io} and {@code external.metrics.k8s.io}
 * (upstream: {@code restMetricsClient}). The texts of its exceptions are upstream's, because events and conditions
 * contain them.
 *
 * <p>Thread-safe. Each method blocks until the server responds, and throws a {@link ControllerException} if there are
 * no metrics.
 */
final class MetricsClient {

    static final String RESOURCE = "metrics.k8s.io";
    static final String CUSTOM = "custom.metrics.k8s.io";
    static final String EXTERNAL = "external.metrics.k8s.io";

    /** The versions of the API of custom metrics, the best first. */
    private static final List<String> CUSTOM_VERSIONS = List.of("v1beta2", "v1beta1");

    private static final Duration DEFAULT_WINDOW = Duration.ofMinutes(1);
    private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

    private final JsonRequests requests;
    private final ScaleClient kinds;
    private final Clock clock;
    private final Duration versionAge;
    // Racy on purpose: two threads may discover the same version.
    private volatile CustomVersion customVersion = new CustomVersion("", Instant.MIN);

    private record CustomVersion(String name, Instant since) {}

    /**
     * Creates a client.
     *
     * @param kinds finds the resources of kinds
     * @param versionAge the time after which the version of custom metrics is discovered again
     */
    MetricsClient(Transport transport, ScaleClient kinds, Clock clock, Duration versionAge) {
        this.requests = new JsonRequests(transport);
        this.kinds = kinds;
        this.clock = clock;
        this.versionAge = versionAge;
    }

    /**
     * Returns the usage of a resource by the selected pods.
     *
     * @param container the container whose usage counts; empty for all containers of a pod together
     */
    PodMetrics resource(String resource, String namespace, Selector selector, String container) {
        List<JsonObject> items = items(
                "resource",
                () -> requests.send(
                        ApiRequest.get(
                                "/apis/" + RESOURCE + "/v1beta1/namespaces/" + namespace + "/pods",
                                query("labelSelector", selector.toString())),
                        new JsonRequests.Target(RESOURCE, "pods", "")));
        Map<String, PodMetrics.Value> values = new LinkedHashMap<>();
        for (JsonObject item : items) {
            Long usage = usage(item, resource, container);
            if (usage != null) {
                String window = item.string("window");
                values.put(
                        item.string("metadata", "name"),
                        new PodMetrics.Value(
                                time(item), window.isEmpty() ? Duration.ZERO : GoDuration.parse(window), usage));
            }
        }
        return new PodMetrics(values);
    }

    /** Returns the usage of a pod in thousandths; null if the usage of a container is missing. */
    private static @Nullable Long usage(JsonObject item, String resource, String container) {
        List<JsonObject> usages =
                containers(item, container).map(one -> one.object("usage")).toList();
        if (usages.isEmpty() || !usages.stream().allMatch(usage -> usage.has(resource))) {
            return null;
        }
        return usages.stream().mapToLong(usage -> milli(usage, resource)).sum();
    }

    private static Stream<JsonObject> containers(JsonObject item, String name) {
        Stream<JsonObject> all = item.array("containers").objects();
        return name.isEmpty()
                ? all
                : all.filter(one -> one.string("name").equals(name)).limit(1);
    }

    /** Returns a metric of each of the selected pods. */
    PodMetrics pods(String metric, String namespace, Selector selector, Selector series) {
        Map<String, String> query = new LinkedHashMap<>(query("labelSelector", selector.toString()));
        query.putAll(query("metricLabelSelector", series.toString()));
        List<JsonObject> items = items("custom", () -> custom(namespace, "Pod", "", "*", metric, query));
        Map<String, PodMetrics.Value> values = new LinkedHashMap<>();
        for (JsonObject item : items) {
            Long window = item.number(item.has("windowSeconds") ? "windowSeconds" : "window");
            values.put(
                    item.string("describedObject", "name"),
                    new PodMetrics.Value(
                            time(item),
                            window == null ? DEFAULT_WINDOW : Duration.ofSeconds(window),
                            milli(item, "value")));
        }
        return new PodMetrics(values);
    }

    /** Returns a metric of one object, in thousandths. */
    long object(String metric, String namespace, CrossVersionObjectReference object, Selector series) {
        boolean isNamespace = object.group().isEmpty() && object.kind().equals("Namespace");
        List<JsonObject> items = fetch("custom", () -> {
                    Map<String, String> query = query("metricLabelSelector", series.toString());
                    JsonObject list = isNamespace
                            ? customAt(namespace, "metrics", metric, query)
                            : custom(namespace, object.kind(), object.group(), object.name(), metric, query);
                    int number = list.array("items").size();
                    if (number != 1) {
                        throw new ControllerException(
                                "the custom metrics API server returned " + number
                                        + " results when we asked for exactly one",
                                null);
                    }
                    return list;
                })
                .array("items")
                .objects()
                .toList();
        return milli(items.get(0), "value");
    }

    private JsonObject custom(
            String namespace, String kind, String group, String name, String metric, Map<String, String> query) {
        String version = customVersion();
        String resource = qualifiedResource(group, kind);
        return requests.send(
                ApiRequest.get(
                        "/apis/" + CUSTOM + "/" + version + "/namespaces/" + namespace + "/" + resource + "/"
                                + segment(name) + "/" + segment(metric),
                        query),
                new JsonRequests.Target(CUSTOM, resource, name));
    }

    /** Returns a metric of the namespace itself; its path has no object name. */
    private JsonObject customAt(String namespace, String resource, String metric, Map<String, String> query) {
        return requests.send(
                ApiRequest.get(
                        "/apis/" + CUSTOM + "/" + customVersion() + "/namespaces/" + namespace + "/" + resource + "/"
                                + segment(metric),
                        query),
                new JsonRequests.Target(CUSTOM, resource, metric));
    }

    private String qualifiedResource(String group, String kind) {
        try {
            String plural = kinds.resource(group, kind).plural();
            return group.isEmpty() ? plural : plural + "." + group;
        } catch (RuntimeException e) {
            String qualified = group.isEmpty() ? kind : kind + "." + group;
            throw new ControllerException("unable to map kind " + qualified + " to resource: " + Errors.text(e), e);
        }
    }

    /** Returns the version of custom metrics that the server prefers, if this client knows it. */
    private String customVersion() {
        CustomVersion known = customVersion;
        if (!known.name().isEmpty() && clock.instant().isBefore(known.since().plus(versionAge))) {
            return known.name();
        }
        JsonObject group = requests.send(ApiRequest.get("/apis", Map.of()), new JsonRequests.Target("", "", ""))
                .array("groups")
                .objects()
                .filter(one -> one.string("name").equals(CUSTOM))
                .findFirst()
                .orElseThrow(() -> new ControllerException("no custom metrics API (" + CUSTOM + ") registered", null));
        String version = Stream.concat(
                        Stream.of(group.string("preferredVersion", "version")),
                        group.array("versions").objects().map(one -> one.string("version")))
                .filter(CUSTOM_VERSIONS::contains)
                .findFirst()
                .orElseThrow(() -> new ControllerException("no known available metric versions found", null));
        customVersion = new CustomVersion(version, clock.instant());
        return version;
    }

    /** Returns the values of all series of an external metric, in thousandths. */
    List<Long> external(String metric, String namespace, Selector series) {
        return items(
                        "external",
                        () -> requests.send(
                                ApiRequest.get(
                                        "/apis/" + EXTERNAL + "/v1beta1/namespaces/" + namespace + "/"
                                                + segment(metric),
                                        query("labelSelector", series.toString())),
                                new JsonRequests.Target(EXTERNAL, metric, "")))
                .stream()
                .map(item -> milli(item, "value"))
                .toList();
    }

    private static List<JsonObject> items(String api, Supplier<JsonObject> request) {
        List<JsonObject> items = fetch(api, request).array("items").objects().toList();
        if (items.isEmpty()) {
            throw new ControllerException("no metrics returned from " + api + " metrics API", null);
        }
        return items;
    }

    private static JsonObject fetch(String api, Supplier<JsonObject> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            throw new ControllerException("unable to fetch metrics from " + api + " metrics API: " + Errors.text(e), e);
        }
    }

    private static Map<String, String> query(String name, String value) {
        return value.isEmpty() ? Map.of() : Map.of(name, value);
    }

    private static Instant time(JsonObject item) {
        String text = item.string("timestamp");
        return text.isEmpty() ? NEVER : Time.parse(text).instant();
    }

    /** Returns a quantity in thousandths. A quantity is a text or a number; an absent one is 0. */
    private static long milli(JsonObject object, String member) {
        JsonValue value = object.get(member);
        String text = value instanceof JsonNumber number ? number.text() : object.string(member);
        return text.isEmpty() ? 0 : Quantity.parse(text).milliValue();
    }

    /** Returns a path segment in which only letters, digits and the marks of RFC 3986 stand for themselves. */
    private static String segment(String name) {
        StringBuilder segment = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || "-._~!$&'()*+,;=:@".indexOf(c) >= 0)) {
                segment.append(c);
            } else {
                segment.append('%').append(String.format("%02X", (int) c));
            }
        }
        return segment.toString();
    }
}
