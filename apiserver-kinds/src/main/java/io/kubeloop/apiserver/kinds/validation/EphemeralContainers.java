package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Members;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validation of ephemeral containers, which a client adds to an existing pod (upstream: {@code
 * ValidatePodEphemeralContainersUpdate}). The server only stores them; the simulated kubelet does not run them.
 */
public final class EphemeralContainers {

    /** The field of a pod spec that holds them. */
    public static final String LIST = "ephemeralContainers";

    private static final String NOT_HERE = "cannot be set for an Ephemeral Container";

    /** In the order of upstream's fields. */
    private static final List<String> FORBIDDEN =
            List.of("ports", "resources", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle");

    private EphemeralContainers() {}

    /**
     * Returns the old pod with the ephemeral containers of the new one. No other field can be changed through this
     * subresource.
     */
    public static JsonObject only(JsonObject pod, JsonObject old) {
        JsonObject spec = Members.take(old.object("spec"), LIST, pod.object("spec"));
        if (spec.array(LIST).isEmpty()) {
            spec = spec.without(LIST);
        }
        JsonObject result = old.with("spec", spec);
        return spec.equals(old.object("spec")) ? result : Meta.nextGeneration(result);
    }

    /** Adds the errors of fields that such containers must not have, or must have. */
    static void validate(String path, JsonObject spec, Set<String> others, FieldErrors errors) {
        List<JsonObject> containers = spec.array(LIST).objects().toList();
        for (int i = 0; i < containers.size(); i++) {
            JsonObject container = containers.get(i);
            String field = path + "[" + i + "]";
            String target = container.string("targetContainerName");
            if (!target.isEmpty() && !others.contains(target)) {
                errors.notFound(field + ".targetContainerName", target);
            }
            for (String name : FORBIDDEN) {
                if (isSet(container.get(name))) {
                    errors.forbidden(field + "." + name, NOT_HERE);
                }
            }
        }
    }

    private static boolean isSet(@Nullable JsonValue value) {
        return value != null && !value.equals(JsonObject.EMPTY) && !value.equals(JsonArray.EMPTY);
    }

    /** Adds an error for each existing container that was changed or removed. */
    public static void validateUpdate(JsonObject pod, JsonObject old, FieldErrors errors) {
        List<JsonObject> now = pod.array("spec", LIST).objects().toList();
        old.array("spec", LIST)
                .objects()
                .filter(before -> !now.contains(before))
                .forEach(before -> {
                    String name = before.string("name");
                    boolean there = now.stream()
                            .anyMatch(container -> container.string("name").equals(name));
                    errors.forbidden(
                            "spec." + LIST,
                            "existing ephemeral containers \"" + name + "\" may not be "
                                    + (there ? "changed" : "removed") + "\n");
                });
    }
}
