/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.node;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.AmountRules;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.IpRange;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Validation of nodes (upstream: {@code pkg/apis/core/validation}). */
public final class NodeRules {

    private static final String RANGES = "spec.podCIDRs";
    private static final String FEATURES = "status.declaredFeatures";
    private static final Pattern FEATURE = Pattern.compile("[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*");
    private static final int MAX_FEATURE = 253;
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");

    private NodeRules() {}

    /** Validates a node. */
    public static void check(JsonObject node, FieldErrors errors) {
        NodeAnnotations.check(node.object("metadata", "annotations"), errors);
        Taints.check("metadata.taints", taints(node), errors);
        amounts(node.object("status"), errors);
        swap(node.object("status", "nodeInfo", "swap"), errors);
        features(node, errors);
        ranges(node.object("spec"), errors);
    }

    /** Returns the warnings about the spec of a node. */
    public static List<String> warnings(FieldCursor node) {
        List<String> warnings = new ArrayList<>();
        if (node.at("spec", "configSource").isSet()) {
            warnings.add("spec.configSource: the feature is removed");
        }
        if (!node.at("spec", "externalID").isEmpty()) {
            warnings.add("spec.externalID: this field is deprecated, and is unused by Kubernetes");
        }
        node.at("spec", "podCIDRs")
                .each(range -> warnings.addAll(AddressRules.cidrWarnings(range.path(), range.text())));
        return warnings;
    }

    private static List<JsonObject> taints(JsonObject node) {
        return node.array("spec", "taints").objects().toList();
    }

    private static void amounts(JsonObject status, FieldErrors errors) {
        for (String list : List.of("capacity", "allocatable")) {
            for (Map.Entry<String, JsonValue> amount :
                    status.object(list).members().entrySet()) {
                String field = "status." + list + "." + amount.getKey();
                amount(field, isCounted(amount.getKey()), Quantities.of(amount.getValue()), errors);
            }
        }
    }

    private static void amount(String field, boolean counted, Quantity amount, FieldErrors errors) {
        if (amount.signum() < 0) {
            errors.invalid(field, amount.toString(), "must be greater than or equal to 0");
        }
        if (counted && !AmountRules.isWhole(amount)) {
            errors.invalid(field, amount.toString(), "must be an integer");
        }
    }

    /** Kubernetes' countable resources and extended resources come in whole units. */
    private static boolean isCounted(String resource) {
        boolean added = resource.contains("/")
                && !resource.contains("kubernetes.io/")
                && !resource.startsWith("requests.")
                && NameValidation.qualifiedName("requests." + resource).isEmpty();
        return added || COUNTED.contains(resource);
    }

    private static void swap(JsonObject swap, FieldErrors errors) {
        Long capacity = swap.number("capacity");
        if (capacity != null && capacity <= 0) {
            errors.invalid("metadata.nodeSwapStatus.capacity", JsonNumber.of(capacity), "must be greater than zero");
        }
    }

    private static void features(JsonObject node, FieldErrors errors) {
        List<String> features =
                node.array("status", "declaredFeatures").strings().toList();
        for (int i = 0; i < features.size(); i++) {
            feature(FEATURES + "[" + i + "]", features.get(i), errors);
            if (i + 1 == features.size()) {
                return;
            }
            String next = features.get(i + 1);
            String field = FEATURES + "[" + (i + 1) + "]";
            int order = features.get(i).compareTo(next);
            if (order == 0) {
                errors.duplicate(field, new JsonString(next));
            } else if (order > 0) {
                errors.invalid(field, next, "list must be sorted alphabetically");
            }
        }
    }

    private static void feature(String field, String feature, FieldErrors errors) {
        String quoted = "invalid feature name \"" + feature + "\": must ";
        if (feature.length() > MAX_FEATURE) {
            errors.invalid(field, feature, quoted + "be no more than " + MAX_FEATURE + " characters");
        } else if (!FEATURE.matcher(feature).matches()) {
            errors.invalid(
                    field,
                    feature,
                    quoted + "start with an UpperCamelCase segment, with subsequent segments separated by '/'"
                            + " (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters"
                            + " and slashes");
        }
    }

    private static void ranges(JsonObject spec, FieldErrors errors) {
        JsonArray shown = spec.array("podCIDRs");
        List<String> ranges = shown.strings().toList();
        for (int i = 0; i < ranges.size(); i++) {
            AddressRules.cidr(RANGES + "[" + i + "]", ranges.get(i), List.of(), errors);
        }
        if (ranges.size() > 1) {
            internalError(ranges, errors);
            long families = ranges.stream()
                    .map(AddressRules::isV6Range)
                    .filter(Objects::nonNull)
                    .distinct()
                    .count();
            if (families < 2 || ranges.size() > 2) {
                errors.invalid(RANGES, shown, "may specify no more than one CIDR for each IP family");
            }
        }
    }

    /** Upstream compares the families even if a range is invalid, which fails. */
    private static void internalError(List<String> ranges, FieldErrors errors) {
        for (int i = 0; i < ranges.size(); i++) {
            if (IpRange.parse(ranges.get(i)) == null) {
                errors.add(FieldError.internal(
                        RANGES,
                        "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[" + i
                                + "]: <nil> (invalid CIDR address: " + ranges.get(i) + ")"));
                return;
            }
        }
    }

    /** Validates a change of a node. */
    public static void checkUpdate(JsonObject node, JsonObject old, FieldErrors errors) {
        NodeAnnotations.check(node.object("metadata", "annotations"), errors);
        amounts(node.object("status"), errors);
        features(node, errors);
        List<JsonObject> addresses = node.array("status", "addresses").objects().toList();
        Set<JsonObject> seen = new HashSet<>();
        for (int i = 0; i < addresses.size(); i++) {
            if (!seen.add(addresses.get(i))) {
                errors.duplicate(
                        "status.addresses[" + i + "]", InternalForm.of("core.v1.NodeAddress", addresses.get(i)));
            }
        }
        JsonArray ranges = old.array("spec", "podCIDRs");
        if (!ranges.isEmpty() && !ranges.equals(node.array("spec", "podCIDRs"))) {
            errors.forbidden(RANGES, "node updates may not change podCIDR except from \"\" to valid");
        }
        String provider = old.string("spec", "providerID");
        if (!provider.isEmpty() && !provider.equals(node.string("spec", "providerID"))) {
            boolean isCleared = node.string("spec", "providerID").isEmpty();
            errors.invalid(
                    "spec.providerID",
                    JsonNull.NULL,
                    "field cannot be " + (isCleared ? "cleared" : "modified") + " once set");
        }
        Taints.check("metadata.taints", taints(node), errors);
        if (!node.string("spec", "externalID").equals(old.string("spec", "externalID"))) {
            errors.forbidden("spec.externalID", "may not be updated");
        }
    }

    /** Validation of node annotations that fields have replaced, and that upstream still checks. */
    private static final class NodeAnnotations {

        private static final String TAINTS = "scheduler.alpha.kubernetes.io/taints";
        private static final String AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";
        private static final String FIELD = "metadata.annotations";

        private NodeAnnotations() {}

        static void check(JsonObject annotations, FieldErrors errors) {
            String taints = annotations.string(TAINTS);
            if (!taints.isEmpty()) {
                taints(taints, errors);
            }
            String avoided = annotations.string(AVOIDED);
            if (!avoided.isEmpty()) {
                avoided(avoided, errors);
            }
        }

        private static void taints(String text, FieldErrors errors) {
            try {
                if (JsonValue.parse(text) instanceof JsonArray taints) {
                    Taints.check(FIELD + "." + TAINTS, taints.objects().toList(), errors);
                    return;
                }
            } catch (DecodeException e) {
                // The annotation is not JSON, so it contains no taints.
            }
            errors.invalid(FIELD, TAINTS, "must be a list of taints in JSON");
        }

        private static void avoided(String text, FieldErrors errors) {
            try {
                if (JsonValue.parse(text) instanceof JsonObject preferences) {
                    List<JsonObject> entries =
                            preferences.array("preferAvoidPods").objects().toList();
                    for (int i = 0; i < entries.size(); i++) {
                        entry(FIELD + "." + AVOIDED + "[" + i + "].PodSignature", entries.get(i), errors);
                    }
                    return;
                }
            } catch (DecodeException e) {
                // The annotation is not JSON, so it contains no preferences.
            }
            errors.invalid(FIELD + ".AvoidPods", AVOIDED, "must be an object in JSON");
        }

        private static void entry(String field, JsonObject entry, FieldErrors errors) {
            JsonObject owner = entry.object("podSignature", "podController");
            if (owner.isEmpty()) {
                errors.required(field, "");
            } else if (!owner.bool("controller")) {
                errors.invalid(field + ".PodController.Controller", JsonBoolean.FALSE, "must point to a controller");
            }
        }
    }

    /** Validation of taints. */
    private static final class Taints {

        private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

        private Taints() {}

        static void check(String path, List<JsonObject> taints, FieldErrors errors) {
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < taints.size(); i++) {
                JsonObject taint = taints.get(i);
                String field = path + "[" + i + "]";
                String key = taint.string("key");
                String effect = taint.string("effect");
                errors.invalid(field + ".key", key, NameValidation.qualifiedName(key));
                List<String> problems = NameValidation.labelValue(taint.string("value"));
                if (!problems.isEmpty()) {
                    errors.invalid(field + ".value", taint.string("value"), String.join(";", problems));
                }
                if (effect.isEmpty()) {
                    errors.required(field + ".effect", "");
                } else {
                    errors.oneOf(field + ".effect", effect, EFFECTS);
                }
                if (!seen.add(effect + "/" + key)) {
                    errors.duplicate(field, shown(taint), "taints must be unique by key and effect pair");
                }
            }
        }

        /** Upstream's message shows all fields of its internal taint type. */
        private static JsonObject shown(JsonObject taint) {
            JsonValue added = taint.get("timeAdded");
            return JsonObject.builder()
                    .put("Key", taint.string("key"))
                    .put("Value", taint.string("value"))
                    .put("Effect", taint.string("effect"))
                    .put("TimeAdded", added == null ? JsonNull.NULL : added)
                    .build();
        }
    }
}
