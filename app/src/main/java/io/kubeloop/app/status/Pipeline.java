package io.kubeloop.app.status;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.app.metrics.PrometheusQueueMetrics;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.workqueue.QueueGauges;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;

/** Renders the current state of informers and work queues, as JSON and as the page that displays it. Holds no state. */
public final class Pipeline {

    private Pipeline() {}

    /** Returns the HTML page, which loads the JSON. */
    public static byte[] page() {
        try (InputStream in = Pipeline.class.getResourceAsStream("pipeline.html")) {
            return Objects.requireNonNull(in, "pipeline.html is missing from the build")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read pipeline.html", e);
        }
    }

    /**
     * Returns the content of the page as JSON.
     *
     * @param state the state of the manager in words
     * @param informers the health of the informers
     * @param queues the metrics of the work queues
     */
    public static byte[] json(String state, List<InformerHealth> informers, PrometheusQueueMetrics queues) {
        List<JsonValue> informerLanes = new ArrayList<>();
        informers.forEach(health -> informerLanes.add(informer(health)));
        List<JsonValue> queueLanes = new ArrayList<>();
        new TreeMap<>(queues.queues()).forEach((name, gauges) -> queueLanes.add(queue(name, gauges, queues)));
        return JsonObject.EMPTY
                .with("state", state)
                .with("informers", JsonArray.of(informerLanes))
                .with("queues", JsonArray.of(queueLanes))
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject informer(InformerHealth health) {
        long pending = 0;
        for (HandlerHealth handler : health.handlers()) {
            pending += handler.pending();
        }
        return JsonObject.EMPTY
                .with("resource", health.name())
                .with("state", health.state().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .with("synced", health.synced())
                .with("objects", health.objects())
                .with("resourceVersion", health.lastSyncResourceVersion())
                .with("handlers", health.handlers().size())
                .with("pending", pending)
                .with("error", currentError(health));
    }

    /** Returns the last error with its remedy; empty if the server has sent something since the error. */
    public static String currentError(InformerHealth health) {
        Throwable error = health.lastError();
        if (error == null || health.lastErrorAt() == null) {
            return "";
        }
        boolean over = health.lastEventAt() != null && health.lastEventAt().isAfter(health.lastErrorAt());
        if (over) {
            return "";
        }
        String text = error instanceof ApiException refused ? String.valueOf(refused.getMessage()) : error.toString();
        return health.errorHint().isEmpty() ? text : text + "; " + health.errorHint();
    }

    private static JsonObject queue(String name, QueueGauges gauges, PrometheusQueueMetrics queues) {
        return JsonObject.EMPTY
                .with("name", name)
                .with("depth", gauges.depth())
                .with("adds", (long) queues.adds(name))
                .with("retries", (long) queues.retries(name))
                .with(
                        "unfinishedSeconds",
                        new JsonNumber(Double.toString(gauges.unfinishedWork().toMillis() / 1000.0)));
    }
}
