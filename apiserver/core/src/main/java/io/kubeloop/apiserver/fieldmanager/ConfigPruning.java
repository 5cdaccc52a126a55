/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes what the applier has applied last time and leaves out this time, unless another manager owns it (upstream:
 * {@code merge.Updater.prune}). Thread-safe: immutable.
 */
final class ConfigPruning {

    private final ApplyTarget target;
    private final ManagedFields managed;
    private final ManagedEntry last;

    /**
     * Creates the removal of one apply.
     *
     * @param managed the entries with the new fields of the applier
     * @param last the entry of the applier before the apply
     */
    ConfigPruning(ApplyTarget target, ManagedFields managed, ManagedEntry last) {
        this.target = target;
        this.managed = managed;
        this.last = last;
    }

    /** Two states of an object in the same version: with and without the removed parts. */
    private record Stage(String version, TypeSchema type, JsonObject merged, JsonObject pruned) {

        FieldSet mergedFields() {
            return Fields.of(merged, type).withDeclaredParents(type);
        }

        FieldSet prunedFields() {
            return Fields.of(pruned, type).withDeclaredParents(type);
        }

        Stage keepingAllBut(FieldSet removed) {
            return new Stage(version, type, merged, Ownership.object(ItemRemoval.remove(merged, removed, type)));
        }
    }

    JsonObject prune(JsonObject merged) {
        Stage start = in(last.apiVersion(), merged, merged);
        if (start == null) {
            return merged;
        }
        Stage removed = start.keepingAllBut(last.fields().withDeclaredParents(start.type()));
        Stage kept = in(last.apiVersion(), start.merged(), withOwned(removed).pruned());
        if (kept == null) {
            return merged;
        }
        Stage result = withDangling(kept);
        JsonObject converted = target.versions().convert(result.pruned(), target.apiVersion());
        return converted == null ? result.pruned() : converted;
    }

    private @Nullable Stage in(String version, JsonObject merged, JsonObject pruned) {
        TypeSchema type = target.versions().type(version);
        JsonObject convertedMerged = target.versions().convert(merged, version);
        JsonObject convertedPruned = target.versions().convert(pruned, version);
        return type == null || convertedMerged == null || convertedPruned == null
                ? null
                : new Stage(version, type, convertedMerged, convertedPruned);
    }

    /** Restores the fields that any manager owns, version by version, beginning with the version of the last apply. */
    private Stage withOwned(Stage removed) {
        Map<String, FieldSet> byVersion = new LinkedHashMap<>();
        byVersion.put(removed.version(), FieldSet.EMPTY);
        for (ManagedEntry entry : managed.entries()) {
            byVersion.merge(entry.apiVersion(), entry.fields(), FieldSet::union);
        }
        Stage stage = removed;
        for (Map.Entry<String, FieldSet> owned : byVersion.entrySet()) {
            Stage next = in(owned.getKey(), stage.merged(), stage.pruned());
            if (next != null && !owned.getValue().isEmpty()) {
                FieldSet keep = next.prunedFields().union(owned.getValue().withDeclaredParents(next.type()));
                stage = next.keepingAllBut(next.mergedFields().difference(keep));
            }
        }
        return stage;
    }

    /** Restores the fields that the applier did not own, such as defaults below an element that it gives up. */
    private Stage withDangling(Stage kept) {
        FieldSet owned = last.fields().withDeclaredParents(kept.type());
        return kept.keepingAllBut(
                kept.mergedFields().difference(kept.prunedFields()).intersection(owned));
    }
}
