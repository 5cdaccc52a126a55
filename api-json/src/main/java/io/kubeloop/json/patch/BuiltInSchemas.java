package io.kubeloop.json.patch;

import io.kubeloop.json.patch.MergeSchema.Field;
import io.kubeloop.json.patch.MergeSchema.Strategy;
import java.util.HashMap;
import java.util.Map;

/** The merge schemas of the built-in kinds. Each line of the table has the upstream tags of one member of one type. */
final class BuiltInSchemas {

    private static final MergeSchema METADATA = type(listByKey("ownerReferences", "uid"), set("finalizers"));

    private static final MergeSchema CONTAINER = type(
            listByKey("ports", "containerPort"),
            listByKey("env", "name"),
            listByKey("volumeMounts", "mountPath"),
            listByKey("volumeDevices", "devicePath"));

    private static final MergeSchema POD_SPEC = type(
            alternatives("volumes", "name"),
            listByKey("initContainers", "name", CONTAINER),
            listByKey("containers", "name", CONTAINER),
            listByKey("ephemeralContainers", "name", CONTAINER),
            listByKey("imagePullSecrets", "name"),
            listByKey("hostAliases", "ip"),
            listByKey("topologySpreadConstraints", "topologyKey"),
            listByKey("schedulingGates", "name"),
            alternatives("resourceClaims", "name"));

    private static final MergeSchema POD_STATUS = type(
            listByKey("conditions", "type"),
            listByKey("podIPs", "ip"),
            listByKey("hostIPs", "ip"),
            alternatives("resourceClaimStatuses", "name"));

    private static final Member POD_TEMPLATE =
            object("template", type(object("metadata", METADATA), object("spec", POD_SPEC)));

    private static final Member JOB_SPEC = object("spec", type(POD_TEMPLATE));

    private static final Member CONDITIONS = object("status", type(listByKey("conditions", "type")));

    private static final Map<String, MergeSchema> KINDS = new HashMap<>();

    /** For kinds without a line of their own, which have only metadata to merge. */
    private static final MergeSchema PLAIN = kind();

    static {
        KINDS.put("/Pod", kind(object("spec", POD_SPEC), object("status", POD_STATUS)));
        KINDS.put("/PodTemplate", kind(POD_TEMPLATE));
        KINDS.put("/ReplicationController", kind(object("spec", type(POD_TEMPLATE)), CONDITIONS));
        KINDS.put("/Service", kind(object("spec", type(listByKey("ports", "port"))), CONDITIONS));
        KINDS.put("/ServiceAccount", kind(listByKey("secrets", "name")));
        KINDS.put("/Namespace", kind(CONDITIONS));
        KINDS.put("/PersistentVolumeClaim", kind(CONDITIONS));
        KINDS.put(
                "/Node",
                kind(
                        object("spec", type(set("podCIDRs"))),
                        object("status", type(listByKey("conditions", "type"), listByKey("addresses", "type")))));
        KINDS.put("apps/ReplicaSet", kind(object("spec", type(POD_TEMPLATE)), CONDITIONS));
        KINDS.put("apps/StatefulSet", kind(object("spec", type(POD_TEMPLATE)), CONDITIONS));
        KINDS.put("apps/DaemonSet", kind(object("spec", type(POD_TEMPLATE)), CONDITIONS));
        KINDS.put(
                "apps/Deployment",
                kind(object("spec", type(POD_TEMPLATE, objectOfAlternatives("strategy"))), CONDITIONS));
        KINDS.put("batch/Job", kind(JOB_SPEC, CONDITIONS));
        KINDS.put(
                "batch/CronJob",
                kind(object("spec", type(object("jobTemplate", type(object("metadata", METADATA), JOB_SPEC))))));
        KINDS.put("autoscaling/HorizontalPodAutoscaler", kind(CONDITIONS));
        KINDS.put("policy/PodDisruptionBudget", kind(object("spec", type(replaced("selector"))), CONDITIONS));
        MergeSchema webhooks = kind(listByKey("webhooks", "name"));
        KINDS.put("admissionregistration.k8s.io/ValidatingWebhookConfiguration", webhooks);
        KINDS.put("admissionregistration.k8s.io/MutatingWebhookConfiguration", webhooks);
    }

    private BuiltInSchemas() {}

    static MergeSchema of(String group, String kind) {
        return KINDS.getOrDefault(group + "/" + kind, isBuiltInGroup(group) ? PLAIN : MergeSchema.NONE);
    }

    private static boolean isBuiltInGroup(String group) {
        return !group.contains(".") || group.endsWith(".k8s.io");
    }

    private record Member(String name, Field field) {}

    private static MergeSchema kind(Member... members) {
        Map<String, Field> fields = fields(members);
        fields.put("metadata", object("metadata", METADATA).field);
        return new MergeSchema(fields);
    }

    private static MergeSchema type(Member... members) {
        return new MergeSchema(fields(members));
    }

    private static Map<String, Field> fields(Member... members) {
        Map<String, Field> fields = new HashMap<>();
        for (Member member : members) {
            fields.put(member.name, member.field);
        }
        return fields;
    }

    private static Member object(String name, MergeSchema schema) {
        return new Member(name, new Field(Strategy.DEFAULT, "", false, schema));
    }

    private static Member replaced(String name) {
        return new Member(name, new Field(Strategy.REPLACE, "", false, MergeSchema.NONE));
    }

    private static Member objectOfAlternatives(String name) {
        return new Member(name, new Field(Strategy.DEFAULT, "", true, MergeSchema.NONE));
    }

    private static Member listByKey(String name, String key) {
        return listByKey(name, key, MergeSchema.NONE);
    }

    private static Member listByKey(String name, String key, MergeSchema elements) {
        return new Member(name, new Field(Strategy.MERGE, key, false, elements));
    }

    private static Member alternatives(String name, String key) {
        return new Member(name, new Field(Strategy.MERGE, key, true, MergeSchema.NONE));
    }

    private static Member set(String name) {
        return new Member(name, new Field(Strategy.MERGE, "", false, MergeSchema.NONE));
    }
}
