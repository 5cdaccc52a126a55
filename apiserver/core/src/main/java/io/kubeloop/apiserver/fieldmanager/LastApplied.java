/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The annotation of kubectl's client-side apply (upstream: {@code managedfields/internal/lastapplied*.go}). When
 * kubectl begins to apply on the server, it takes the fields over that it has applied on the client; the annotation
 * follows every later apply. Other managers are not affected. Thread-safe: immutable.
 */
final class LastApplied {

    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String KUBECTL = "kubectl";

    /** The maximum size of all annotations in bytes. */
    private static final int MAX_ANNOTATIONS = 256 * 1024;

    private final ApplyTarget target;

    LastApplied(ApplyTarget target) {
        this.target = target;
    }

    /**
     * Returns whether a failed apply of kubectl conflicts only with fields of an earlier client-side apply of kubectl.
     */
    boolean upgraded(ApplyException failure, String manager, JsonObject live) {
        return failure.reason() == ApplyException.Reason.CONFLICT
                && manager.equals(KUBECTL)
                && conflicting(failure, live).isEmpty();
    }

    /** Returns the failure without the conflicts over fields of an earlier client-side apply of kubectl. */
    ApplyException remaining(ApplyException failure, String manager, JsonObject live) {
        return failure.reason() == ApplyException.Reason.CONFLICT && manager.equals(KUBECTL)
                ? ApplyException.conflicting(conflicting(failure, live))
                : failure;
    }

    private List<ApplyException.Conflict> conflicting(ApplyException failure, JsonObject live) {
        FieldSet applied = appliedOnClient(live);
        List<ApplyException.Conflict> remaining = new ArrayList<>(failure.conflicts());
        remaining.removeIf(conflict -> applied.has(conflict.path()));
        return remaining;
    }

    /** Returns the fields of the annotation whose values are still those of the object. */
    private FieldSet appliedOnClient(JsonObject live) {
        TypeSchema type = target.versions().type(target.apiVersion());
        String text = live.string("metadata", "annotations", ANNOTATION);
        if (text.isEmpty() || type == null) {
            return FieldSet.EMPTY;
        }
        try {
            JsonObject applied = JsonObject.parse(text);
            SchemaErrors errors = new SchemaErrors();
            new ConfigCheck(errors).check(applied, type);
            if (!errors.isEmpty() || !applied.string("apiVersion").equals(target.apiVersion())) {
                return FieldSet.EMPTY;
            }
            FieldChanges changes = FieldChanges.between(applied, live, type);
            return Fields.of(applied, type).difference(changes.written()).difference(changes.removed());
        } catch (DecodeException | ApplyException e) {
            return FieldSet.EMPTY; // an annotation that does not describe the object transfers nothing
        }
    }

    /**
     * Updates the last-applied annotation if the manager is kubectl and the object has it; otherwise returns the object
     * unchanged.
     */
    JsonObject refreshed(JsonObject object, JsonObject config, String manager) {
        JsonObject annotations = object.object("metadata", "annotations");
        if (!manager.equals(KUBECTL) || annotations.string(ANNOTATION).isEmpty()) {
            return object;
        }
        JsonObject changed = annotations.with(ANNOTATION, sorted(withoutAnnotation(config)) + "\n");
        if (size(changed) > MAX_ANNOTATIONS) {
            changed = changed.without(ANNOTATION);
        }
        return object.with(List.of("metadata", "annotations"), changed);
    }

    private static JsonObject withoutAnnotation(JsonObject config) {
        JsonObject annotations = config.object("metadata", "annotations");
        return annotations.has(ANNOTATION)
                ? config.with(List.of("metadata", "annotations"), annotations.without(ANNOTATION))
                : config;
    }

    private static JsonValue sorted(JsonValue value) {
        if (value instanceof JsonObject object) {
            Map<String, JsonValue> members = new TreeMap<>(ValueOrder::compareText);
            object.members().forEach((name, member) -> members.put(name, sorted(member)));
            return JsonObject.of(members);
        }
        if (value instanceof JsonArray array) {
            return JsonArray.of(
                    array.elements().stream().map(LastApplied::sorted).toList());
        }
        return value;
    }

    private static int size(JsonObject annotations) {
        int size = 0;
        for (Map.Entry<String, JsonValue> annotation : annotations.members().entrySet()) {
            size += annotation.getKey().getBytes(StandardCharsets.UTF_8).length;
            if (annotation.getValue() instanceof JsonString text) {
                size += text.value().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return size;
    }
}
