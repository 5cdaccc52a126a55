/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives new pods the overhead, the node selector and the tolerations of their runtime class (upstream: the plug-in
 * {@code RuntimeClass}). Thread-safe.
 */
final class PodRuntime implements AdmissionPlugin {

    private static final String OVERHEAD = "overhead";
    private static final String NODE_SELECTOR = "nodeSelector";
    private static final String DIFFERS = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

    private final ResourceStore classes;

    PodRuntime(ResourceStore classes) {
        this.classes = classes;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        JsonObject runtime = Targets.creates(request, "pods") ? runtime(request, object) : null;
        if (runtime == null) {
            return object;
        }
        JsonObject spec = object.object("spec");
        if (runtime.has(OVERHEAD)) {
            spec = withOverhead(request, spec, runtime.object(OVERHEAD, "podFixed"));
        }
        if (runtime.has("scheduling")) {
            spec = scheduled(request, spec, runtime.object("scheduling"));
        }
        return object.with("spec", spec);
    }

    private @Nullable JsonObject runtime(AdmissionRequest request, JsonObject pod) {
        if (pod.get("spec", "runtimeClassName") == null) {
            return null;
        }
        String name = pod.string("spec", "runtimeClassName");
        StoredObject found = request.now().get(classes.bucket(), name);
        if (found == null) {
            String problem = Targets.pathProblem(name);
            if (problem != null) {
                throw StatusException.unclassified(problem);
            }
            throw request.forbidden("pod rejected: RuntimeClass \"" + name + "\" not found");
        }
        return found.tree();
    }

    private static JsonObject withOverhead(AdmissionRequest request, JsonObject spec, JsonObject fixed) {
        JsonObject given = spec.object(OVERHEAD);
        if (!given.isEmpty() && !isSame(given, fixed)) {
            throw request.forbidden(DIFFERS);
        }
        return fixed.isEmpty() ? spec.without(OVERHEAD) : spec.with(OVERHEAD, fixed);
    }

    /** Compares the quantities by their amounts: {@code 0.1} equals {@code 100m}. */
    private static boolean isSame(JsonObject one, JsonObject other) {
        Map<String, Quantity> first = Amounts.read(one).byName();
        Map<String, Quantity> second = Amounts.read(other).byName();
        return first.keySet().equals(second.keySet())
                && first.entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue().compareTo(second.getOrDefault(entry.getKey(), Quantity.ZERO)) == 0);
    }

    private static JsonObject scheduled(AdmissionRequest request, JsonObject spec, JsonObject scheduling) {
        JsonObject wanted = scheduling.object(NODE_SELECTOR);
        JsonObject selector = spec.object(NODE_SELECTOR);
        for (String key : wanted.members().keySet()) {
            if (selector.has(key) && !selector.string(key).equals(wanted.string(key))) {
                throw request.forbidden("conflict: runtimeClass.scheduling.nodeSelector[" + key + "] = "
                        + wanted.string(key) + "; pod.spec.nodeSelector[" + key + "] = " + selector.string(key));
            }
        }
        JsonObject.Builder strings = JsonObject.builder();
        wanted.members().keySet().forEach(key -> strings.put(key, wanted.string(key)));
        List<JsonObject> tolerations = merged(
                spec.array("tolerations").objects(),
                scheduling.array("tolerations").objects());
        JsonObject all = selector.withAll(strings.build());
        JsonObject selected = all.isEmpty() ? spec : spec.with(NODE_SELECTOR, all);
        return tolerations.isEmpty() ? selected : selected.with("tolerations", JsonArray.of(tolerations));
    }

    /** Returns the tolerations of both without those that another one includes. */
    private static List<JsonObject> merged(Stream<JsonObject> first, Stream<JsonObject> second) {
        List<JsonObject> all = Stream.concat(first, second).toList();
        List<JsonObject> merged = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            JsonObject candidate = all.get(i);
            boolean redundant = merged.stream().anyMatch(kept -> includes(kept, candidate))
                    || all.subList(i + 1, all.size()).stream()
                            .anyMatch(later -> !later.equals(candidate) && includes(later, candidate));
            if (!redundant) {
                merged.add(candidate);
            }
        }
        return merged;
    }

    /** Returns whether every taint that the second tolerates is also tolerated by the first, and for as long. */
    private static boolean includes(JsonObject wide, JsonObject narrow) {
        if (wide.equals(narrow)) {
            return true;
        }
        String operator = wide.string("operator");
        boolean anyKey = wide.string("key").isEmpty() && operator.equals("Exists");
        if (!anyKey && !wide.string("key").equals(narrow.string("key"))) {
            return false;
        }
        String effect = wide.string("effect");
        if (!effect.isEmpty() && !effect.equals(narrow.string("effect"))) {
            return false;
        }
        Long most = wide.number("tolerationSeconds");
        Long seconds = narrow.number("tolerationSeconds");
        if (effect.equals("NoExecute") && most != null && (seconds == null || seconds > most)) {
            return false;
        }
        return operator.equals("Exists")
                || ((operator.isEmpty() || operator.equals("Equal"))
                        && narrow.string("operator").equals("Equal")
                        && narrow.string("value").equals(wide.string("value")));
    }

    /** An empty overhead, which the object no longer has, counts too. */
    private static boolean sendsOverhead(AdmissionRequest request) {
        return request.options().sent().mentions(OVERHEAD)
                && request.options().sent().document().get("spec", OVERHEAD) instanceof JsonObject;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        if (!Targets.creates(request, "pods")) {
            return;
        }
        JsonObject runtime = runtime(request, object);
        JsonObject overhead = object.object("spec", OVERHEAD);
        if (runtime != null && runtime.has(OVERHEAD)) {
            if (!isSame(overhead, runtime.object(OVERHEAD, "podFixed"))) {
                throw request.forbidden(DIFFERS);
            }
        } else if (object.object("spec").has(OVERHEAD) || sendsOverhead(request)) {
            throw request.forbidden(
                    "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        }
    }
}
