package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.ContainerRules;
import io.kubeloop.apiserver.kinds.validation.EphemeralContainers;
import io.kubeloop.apiserver.kinds.validation.PodSpecRules;
import io.kubeloop.apiserver.kinds.validation.QosClass;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Members;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.StatusParts;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The strategy of Pods (upstream: {@code pkg/registry/core/pod/strategy.go}). */
final class PodStrategy implements RestStrategy {

    private static final List<String> FIELDS = List.of(
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName");

    /** A default for pods only; templates do not get it. */
    private static final Defaults DEFAULTS = Defaults.parse("spec.enableServiceLinks = true");

    /** The spec fields of a pod that may change after creation. */
    private static final List<String> MUTABLE_SPEC = List.of("activeDeadlineSeconds", "tolerations");

    @Override
    public JsonObject defaults(JsonObject object) {
        return DEFAULTS.apply(
                object.with("spec", PodSpecRules.requestLimits(PodSpecRules.defaults(object.object("spec")))));
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        JsonObject status =
                JsonObject.EMPTY.with("phase", "Pending").with("qosClass", QosClass.of(object.object("spec")));
        return object.with("status", status);
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        if (part == Part.BINDING) {
            return object;
        }
        if (part == Part.EPHEMERAL_CONTAINERS) {
            return EphemeralContainers.only(object, old);
        }
        JsonObject result = StatusParts.keepOther(object, old, part);
        if (part != Part.STATUS) {
            return result;
        }
        // A status update must not change owner references.
        JsonObject metadata = Members.take(Meta.of(result), "ownerReferences", Meta.of(old));
        JsonObject status = addresses(result.object("status"));
        if (status.string("qosClass").isEmpty()) {
            status = Members.take(status, "qosClass", old.object("status"));
        }
        return result.with("metadata", metadata).with("status", status);
    }

    /**
     * Clients that know only {@code podIP} write only that field. It becomes the first of {@code podIPs}, and
     * replaces them all if they differ.
     */
    private static JsonObject addresses(JsonObject status) {
        String one = status.string("podIP");
        List<JsonObject> all = status.array("podIPs").objects().toList();
        String first = all.isEmpty() ? "" : all.get(0).string("ip");
        if (one.isEmpty()) {
            return first.isEmpty() ? status : status.with("podIP", first);
        }
        return one.equals(first)
                ? status
                : status.with("podIPs", JsonArray.of(List.of(JsonObject.EMPTY.with("ip", one))));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        PodSpecRules.deletionCost("metadata.annotations", object.object("metadata", "annotations"), errors);
        PodSpecRules.validate("spec", object.object("spec"), errors);
        ContainerRules.validateOfPod(object.object("spec"), errors);
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        if (!object.array("spec", EphemeralContainers.LIST).isEmpty()) {
            errors.forbidden("spec." + EphemeralContainers.LIST, "cannot be set on create");
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (part == Part.EPHEMERAL_CONTAINERS) {
            EphemeralContainers.validateUpdate(object, old, errors);
        }
        if (part == Part.MAIN) {
            tolerations(object.object("spec"), old.object("spec"), errors);
            deadline(object.object("spec"), old.object("spec"), errors);
        }
        if (part == Part.MAIN && !frozen(object.object("spec")).equals(frozen(old.object("spec")))) {
            errors.forbidden(
                    "spec",
                    "pod updates may not change fields other than `spec.containers[*].image`,"
                            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
                            + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be"
                            + " set to 1 if it was previously negative)");
        }
    }

    private static void tolerations(JsonObject spec, JsonObject old, FieldErrors errors) {
        Set<JsonObject> now = timeless(spec).collect(Collectors.toSet());
        if (!timeless(old).allMatch(now::contains)) {
            errors.forbidden(
                    "spec.tolerations", "existing toleration can not be modified except its tolerationSeconds");
        }
    }

    private static Stream<JsonObject> timeless(JsonObject spec) {
        return spec.array("tolerations").objects().map(toleration -> toleration.without("tolerationSeconds"));
    }

    private static void deadline(JsonObject spec, JsonObject old, FieldErrors errors) {
        Long before = old.number("activeDeadlineSeconds");
        Long now = spec.number("activeDeadlineSeconds");
        if (before == null) {
            return;
        }
        if (now == null) {
            errors.invalid(
                    "spec.activeDeadlineSeconds",
                    JsonNull.NULL,
                    "must not update from a positive integer to nil value");
        } else if (now > before) {
            errors.invalid(
                    "spec.activeDeadlineSeconds", JsonNumber.of(now), "must be less than or equal to previous value");
        }
    }

    /** Returns the spec without its mutable fields. */
    private static JsonObject frozen(JsonObject spec) {
        JsonObject result = spec;
        for (String field : MUTABLE_SPEC) {
            result = result.without(field);
        }
        for (String list : List.of("containers", "initContainers")) {
            List<JsonValue> containers = new ArrayList<>();
            result.array(list).objects().forEach(container -> containers.add(container.without("image")));
            result = result.with(list, JsonArray.of(containers));
        }
        return result;
    }

    @Override
    public Map<String, String> fields(JsonObject object) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : FIELDS) {
            fields.put(field, object.string(field.split("\\.")));
        }
        fields.put("spec.hostNetwork", Boolean.toString(object.bool("spec", "hostNetwork")));
        return fields;
    }

    @Override
    public List<String> fieldNames() {
        return FIELDS;
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    @Override
    public long gracePeriodSeconds(JsonObject object) {
        Long period = object.number("spec", "terminationGracePeriodSeconds");
        return period == null ? 0 : period < 0 ? 1 : period;
    }

    /** A pod without a node, or one that has ended, has no grace period. */
    @Override
    public boolean endsAtOnce(JsonObject object) {
        String phase = object.string("status", "phase");
        return object.string("spec", "nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded");
    }

    @Override
    public boolean returnsDeletedObject() {
        return true;
    }
}
