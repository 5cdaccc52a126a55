/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.StatusParts;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Set;

/** The containers that are added to a running pod to debug it: they have no ports, probes and resources, and stay. */
public final class EphemeralContainers {

    /** The field of a pod spec that holds them. */
    public static final String LIST = "ephemeralContainers";

    private static final String NOT_HERE = "cannot be set for an Ephemeral Container";

    /** The field names, in upstream's order. */
    private static final List<String> FORBIDDEN = List.of(
            "ports",
            "resources",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle");

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
        JsonObject result = StatusParts.keepMetadata(old.with("metadata", Meta.of(pod)), old)
                .with("spec", spec);
        return spec.equals(old.object("spec")) ? result : Meta.nextGeneration(result);
    }

    /** Adds the errors of fields that such a container must not have, or must have. */
    static void validate(FieldCursor container, Set<String> others) {
        FieldCursor target = container.at("targetContainerName");
        if (!target.isEmpty() && !others.contains(target.text())) {
            target.errors().notFound(target.path(), target.text());
        }
        JsonObject sent = container.shownObject();
        FORBIDDEN.stream()
                .filter(sent::has)
                .filter(field ->
                        !field.equals("resources") || !sent.object(field).isEmpty())
                .forEach(field -> container.at(field).forbidden(NOT_HERE));
        container.at("volumeMounts").each(mount -> {
            mount.at("subPath").mustBeEmpty(NOT_HERE);
            mount.at("subPathExpr").mustBeEmpty(NOT_HERE);
        });
    }

    /** Adds an error for each existing container that was changed or removed. */
    public static void validateUpdate(FieldCursor pod, FieldCursor old) {
        FieldCursor list = pod.at("spec", LIST);
        List<JsonObject> now = list.array().objects().toList();
        old.at("spec", LIST)
                .array()
                .objects()
                .filter(before -> !now.contains(before))
                .forEach(before -> {
                    String name = before.string("name");
                    String what = "existing ephemeral containers \"" + name + "\" may not be ";
                    now.stream()
                            .filter(container -> container.string("name").equals(name))
                            .findFirst()
                            .ifPresentOrElse(
                                    changed -> list.forbidden(what + "changed\n"
                                            + InternalDiff.of("core.v1.EphemeralContainer", before, changed)),
                                    () -> list.forbidden(what + "removed\n"));
                });
    }
}
