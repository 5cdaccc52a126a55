/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the condition {@code EvictionInProgress} of DeviceTaintRules (upstream: {@code maybeUpdateRuleStatus}): how
 * many pods a rule evicts, or would evict if its effect was {@code NoExecute}. A condition is written at most every 10
 * seconds, unless the rule changes.
 *
 * <p>Thread-safe for different rules; the record of evictions is a concurrent map. {@link #sync} blocks for a request.
 */
final class TaintRuleStatus {

    /** The shortest time between two changes of a status. */
    static final Duration PERIOD = Duration.ofSeconds(10);

    private static final String TYPE = "EvictionInProgress";
    private static final String MANAGER = "device-taint-eviction-controller";

    /**
     * What the pods to evict are counted from.
     *
     * @param pods the cached pods
     * @param claims the cached claims
     * @param slices the cached slices
     * @param due when a pod must go because of these taints; null for never
     */
    record Sources(
            Lister<Pod> pods,
            Lister<GenericObject> claims,
            Lister<GenericObject> slices,
            BiFunction<Pod, DeviceTaints, DeviceTaints.@Nullable Expiry> due) {}

    private final Lister<GenericObject> rules;
    private final ResourceClient<GenericObject> client;
    private final DeviceTaints taints;
    private final Sources sources;
    private final DelayingQueue<ObjectName> queue;
    private final Clock clock;

    /** The number of pods that were evicted since the start, by the UID of a rule. */
    private final Map<String, Integer> evicted = new ConcurrentHashMap<>();

    TaintRuleStatus(
            Lister<GenericObject> rules,
            ResourceClient<GenericObject> client,
            DeviceTaints taints,
            Sources sources,
            DelayingQueue<ObjectName> queue,
            Clock clock) {
        this.rules = rules;
        this.client = client;
        this.taints = taints;
        this.sources = sources;
        this.queue = queue;
        this.clock = clock;
    }

    /** Updates the status of rules soon: a pod waits for its eviction because of them. */
    void pending(DeviceTaints.Expiry expiry) {
        expiry.rules().forEach(rule -> queue.addAfter(new ObjectName("", rule), PERIOD));
    }

    /** Counts the eviction of a pod. */
    void evicted(DeviceTaints.Expiry expiry) {
        for (String name : expiry.rules()) {
            GenericObject rule = rules.get(new ObjectName("", name));
            if (rule != null) {
                evicted.merge(rule.metadata().uid(), 1, Integer::sum);
            }
        }
        pending(expiry);
    }

    void forget(GenericObject rule) {
        evicted.remove(rule.metadata().uid());
    }

    void sync(ObjectName name) {
        GenericObject rule = rules.get(name);
        if (rule == null) {
            return;
        }
        JsonObject old = condition(rule);
        Instant now = clock.instant();
        if (isObserved(rule, old)) {
            Instant next =
                    Time.parse(old.string("lastTransitionTime")).instant().plus(PERIOD);
            if (next.isAfter(now)) {
                queue.addAfter(name, Duration.between(now, next));
                return;
            }
        }
        JsonObject wanted = wanted(rule);
        boolean isSame = isObserved(rule, old)
                && old.string("status").equals(wanted.string("status"))
                && old.string("reason").equals(wanted.string("reason"))
                && old.string("message").equals(wanted.string("message"));
        if (!isSame) {
            write(rule, wanted.with("lastTransitionTime", new Time(now).toString()));
        }
    }

    private static boolean isObserved(GenericObject rule, JsonObject condition) {
        return Objects.equals(
                condition.number("observedGeneration"), rule.metadata().generation());
    }

    private static JsonObject condition(GenericObject rule) {
        return JsonObject.of(rule.unknownFields())
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(TYPE))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private JsonObject wanted(GenericObject rule) {
        String effect = rule.string("spec", "taint", "effect");
        String status = "False";
        String reason = "OtherEffect";
        String message = "Eviction only happens for the NoExecute effect.";
        int done = evicted.getOrDefault(rule.metadata().uid(), 0);
        if (effect.equals("None")) {
            reason = "NoEffect";
            message = forecast(rule);
        } else if (effect.equals(Taint.NO_EXECUTE)) {
            Affected affected = affected(rule, taints);
            boolean isPending = affected.pods() > 0;
            status = isPending ? "True" : "False";
            reason = isPending ? "PodsPendingEviction" : done > 0 ? "Completed" : "NotStarted";
            message = isPending
                    ? (affected.pods() == 1 ? "1 pod needs" : affected.pods() + " pods need") + " to be evicted in "
                            + namespaces(affected.namespaces()) + "."
                    : "";
        }
        if (done > 0) {
            message += (message.isEmpty() ? "" : " ") + (done == 1 ? "1 pod" : done + " pods")
                    + " evicted since starting the controller.";
        }
        return JsonObject.EMPTY
                .with("type", TYPE)
                .with("status", status)
                .with("reason", reason)
                .with("message", message)
                .with("observedGeneration", JsonNumber.of(rule.metadata().generation()));
    }

    /** Returns what would happen if the effect was {@code NoExecute}. */
    private String forecast(GenericObject rule) {
        GenericObject strict = rule.with(List.of("spec", "taint", "effect"), Taint.NO_EXECUTE);
        Affected affected = affected(rule, taints.with(List.of(strict)));
        long published = sources.slices().list().stream()
                .filter(taints::isNewest)
                .mapToLong(slice -> DeviceTaints.selected(rule, slice))
                .sum();
        long allocated = sources.claims().list().stream()
                .mapToLong(claim -> DeviceTaints.allocated(rule, claim))
                .sum();
        return devices(published, "published") + devices(allocated, "allocated")
                + (affected.pods() == 1 ? "1 pod" : affected.pods() + " pods") + " would be evicted in "
                + namespaces(affected.namespaces())
                + " if the effect was NoExecute. This information will not be updated again. Recreate the"
                + " DeviceTaintRule to trigger an update.";
    }

    private static String devices(long count, String which) {
        return count + " " + which + (count == 1 ? " device" : " devices") + " selected. ";
    }

    private static String namespaces(long count) {
        return count == 1 ? "1 namespace" : count + " different namespaces";
    }

    private record Affected(long pods, long namespaces) {}

    private Affected affected(GenericObject rule, DeviceTaints all) {
        List<String> namespaces = sources.pods().list().stream()
                .filter(pod -> !pod.metadata().isDeleting())
                .filter(pod -> {
                    DeviceTaints.Expiry expiry = sources.due().apply(pod, all);
                    return expiry != null
                            && expiry.rules().contains(rule.metadata().name());
                })
                .map(pod -> pod.metadata().namespace())
                .toList();
        return new Affected(namespaces.size(), namespaces.stream().distinct().count());
    }

    private void write(GenericObject rule, JsonObject condition) {
        JsonObject applied = JsonObject.EMPTY
                .with("apiVersion", rule.apiVersion())
                .with("kind", rule.kind())
                .with(
                        "metadata",
                        JsonObject.EMPTY
                                .with("name", rule.metadata().name())
                                .with("uid", rule.metadata().uid()))
                .with("status", JsonObject.of("conditions", JsonArray.of(List.of(condition))));
        client.patch(rule.objectName(), Patch.apply(applied.toString(), MANAGER, true), "status");
    }
}
