/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The defaults of the groups apps, batch and autoscaling (upstream: {@code pkg/apis/apps/v1} and its neighbors). */
final class WorkloadDefaults {

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    static final String VALUES = """
            core.v1.ReplicationControllerSpec
             replicas 1
            apps.v1.ReplicaSetSpec
             replicas 1
            apps.v1.DeploymentSpec
             replicas 1
             revisionHistoryLimit 10
             progressDeadlineSeconds 600
            apps.v1.DaemonSetSpec
             revisionHistoryLimit 10
            apps.v1.StatefulSetSpec
             podManagementPolicy "OrderedReady"
             persistentVolumeClaimRetentionPolicy {}
             replicas 1
             revisionHistoryLimit 10
            apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy
             whenDeleted "Retain"
             whenScaled "Retain"
            batch.v1.PodFailurePolicyOnPodConditionsPattern
             status "True"
            batch.v1.CronJobSpec
             concurrencyPolicy "Allow"
             suspend false
             successfulJobsHistoryLimit 3
             failedJobsHistoryLimit 1
            autoscaling.v1.HorizontalPodAutoscalerSpec
             minReplicas 1
            autoscaling.v2.HorizontalPodAutoscalerSpec
             minReplicas 1
            """;

    static final Map<String, UnaryOperator<JsonObject>> FUNCTIONS = Map.ofEntries(
            Map.entry("core.v1.ReplicationController", WorkloadDefaults::replicationController),
            Map.entry("apps.v1.DeploymentStrategy", WorkloadDefaults::deploymentStrategy),
            Map.entry("apps.v1.DaemonSet", WorkloadDefaults::daemonSet),
            Map.entry("apps.v1.DaemonSetUpdateStrategy", WorkloadDefaults::daemonSetStrategy),
            Map.entry("apps.v1.StatefulSetUpdateStrategy", WorkloadDefaults::statefulSetStrategy),
            Map.entry("apps.v1.StatefulSetSpec", WorkloadDefaults::statefulSet),
            Map.entry("batch.v1.Job", WorkloadDefaults::job),
            Map.entry("autoscaling.v2.HorizontalPodAutoscalerSpec", WorkloadDefaults::metrics),
            Map.entry("autoscaling.v2.HorizontalPodAutoscalerBehavior", WorkloadDefaults::behavior));

    private static final String TYPE = "type";
    private static final String ROLLING = "RollingUpdate";
    private static final String ROLLING_FIELD = "rollingUpdate";

    private static final JsonArray CPU_METRIC = (JsonArray) JsonValue.parse("""
            [{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]
            """);
    private static final JsonObject SCALE_UP = JsonObject.parse("""
            {"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[
                {"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]}
            """);
    private static final JsonObject SCALE_DOWN = JsonObject.parse("""
            {"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}
            """);

    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private WorkloadDefaults() {}

    /** Returns a daemon set with the annotation that upstream converts into a field and back. */
    private static JsonObject daemonSet(JsonObject set) {
        if (set.get("metadata") instanceof JsonObject metadata) {
            JsonObject annotations = metadata.object("annotations");
            boolean isWhole =
                    WHOLE.matcher(annotations.string(TEMPLATE_GENERATION)).matches();
            return isWhole
                    ? set
                    : set.with("metadata", metadata.with("annotations", annotations.with(TEMPLATE_GENERATION, "0")));
        }
        return set;
    }

    private static JsonObject missing(JsonObject object, String field, JsonValue initial) {
        return object.has(field) ? object : object.with(field, initial);
    }

    private static JsonObject labelsFromTemplate(JsonObject object) {
        JsonObject labels = object.object("spec", "template", "metadata", "labels");
        return labels.isEmpty() || !object.object("metadata", "labels").isEmpty()
                ? object
                : Meta.with(object, "labels", labels);
    }

    private static JsonObject replicationController(JsonObject object) {
        JsonObject labels = object.object("spec", "template", "metadata", "labels");
        JsonObject result = labelsFromTemplate(object);
        return labels.isEmpty() || !object.object("spec", "selector").isEmpty()
                ? result
                : result.with(List.of("spec", "selector"), labels);
    }

    private static JsonObject deploymentStrategy(JsonObject strategy) {
        JsonObject typed = strategy.has(TYPE) ? strategy : strategy.with(TYPE, ROLLING);
        if (!typed.string(TYPE).equals(ROLLING)) {
            return typed;
        }
        JsonObject bounds = typed.object(ROLLING_FIELD);
        bounds = bounds.has("maxUnavailable") ? bounds : bounds.with("maxUnavailable", "25%");
        bounds = bounds.has("maxSurge") ? bounds : bounds.with("maxSurge", "25%");
        return typed.with(ROLLING_FIELD, bounds);
    }

    private static JsonObject daemonSetStrategy(JsonObject strategy) {
        JsonObject typed = strategy.has(TYPE) ? strategy : strategy.with(TYPE, ROLLING);
        boolean isRolling = typed.string(TYPE).equals(ROLLING);
        if (!isRolling && !(typed.get(ROLLING_FIELD) instanceof JsonObject)) {
            return typed;
        }
        // Without a rolling update, upstream's conversion turns absent bounds into 0.
        JsonObject bounds = typed.object(ROLLING_FIELD);
        bounds = bounds.has("maxUnavailable") ? bounds : bounds.with("maxUnavailable", isRolling ? 1 : 0);
        bounds = bounds.has("maxSurge") ? bounds : bounds.with("maxSurge", 0);
        return typed.with(ROLLING_FIELD, bounds);
    }

    /** An explicit type without bounds stays without bounds. */
    private static JsonObject statefulSetStrategy(JsonObject strategy) {
        JsonObject typed = strategy;
        if (!strategy.has(TYPE)) {
            typed = missing(strategy.with(TYPE, ROLLING), ROLLING_FIELD, JsonObject.EMPTY);
        }
        if (!typed.string(TYPE).equals(ROLLING) || !typed.has(ROLLING_FIELD)) {
            return typed;
        }
        JsonObject bounds = typed.object(ROLLING_FIELD);
        bounds = bounds.has("partition") ? bounds : bounds.with("partition", 0);
        return typed.with(ROLLING_FIELD, bounds.has("maxUnavailable") ? bounds : bounds.with("maxUnavailable", 1));
    }

    /** The claim templates of a stateful set have their type, even though it is the only one possible. */
    private static JsonObject statefulSet(JsonObject spec) {
        JsonArray templates = spec.array("volumeClaimTemplates");
        if (templates.isEmpty()) {
            return spec;
        }
        List<JsonObject> typed = templates
                .objects()
                .map(claim -> claim.with("kind", "PersistentVolumeClaim").with("apiVersion", "v1"))
                .toList();
        return spec.with("volumeClaimTemplates", JsonArray.of(typed));
    }

    /** The job template of a CronJob does not get these defaults, only its jobs do. */
    private static JsonObject job(JsonObject job) {
        JsonObject spec = job.object("spec");
        if (!spec.has("parallelism")) {
            spec = spec.has("completions") ? spec : spec.with("completions", 1);
            spec = spec.with("parallelism", 1);
        }
        if (!spec.has("backoffLimit")) {
            spec = spec.with("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        }
        if (!spec.has("podReplacementPolicy")) {
            spec = spec.with("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        }
        spec = missing(spec, "completionMode", new JsonString("NonIndexed"));
        spec = missing(spec, "suspend", JsonBoolean.FALSE);
        spec = missing(spec, "manualSelector", JsonBoolean.FALSE);
        return sharedLabels(job.with("spec", spec));
    }

    /**
     * Gives a job without labels those of its template: the same instance, because upstream's two fields share a map.
     * The job then also gets the labels that the server generates for the template.
     */
    private static JsonObject sharedLabels(JsonObject job) {
        JsonObject template = job.object("spec", "template");
        JsonObject labels = TypeDefaults.sorted(template.object("metadata", "labels"));
        if (labels.isEmpty() || !job.object("metadata", "labels").isEmpty()) {
            return job;
        }
        // JsonObject.with() would keep labels that differ in nothing but their order.
        JsonObject metadata =
                template.object("metadata").toBuilder().put("labels", labels).build();
        JsonObject spec = job.object("spec").toBuilder()
                .put("template", template.toBuilder().put("metadata", metadata).build())
                .build();
        return Meta.with(job.toBuilder().put("spec", spec).build(), "labels", labels);
    }

    private static JsonObject metrics(JsonObject spec) {
        return missing(spec, "metrics", CPU_METRIC);
    }

    private static JsonObject behavior(JsonObject behavior) {
        JsonObject result = behavior;
        for (Map.Entry<String, JsonObject> rules :
                Map.of("scaleUp", SCALE_UP, "scaleDown", SCALE_DOWN).entrySet()) {
            JsonObject set = behavior.object(rules.getKey());
            JsonObject completed = rules.getValue();
            for (Map.Entry<String, JsonValue> member : set.members().entrySet()) {
                completed = completed.with(member.getKey(), member.getValue());
            }
            result = result.with(rules.getKey(), completed);
        }
        return result;
    }
}
