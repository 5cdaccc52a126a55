/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of ownership: which manager owns a field after a write, and which fields an apply removes (upstream: {@code
 * merge.Updater}). Thread-safe: immutable.
 *
 * <p>Entries of versions that are no longer served are dropped.
 */
final class Ownership {

    /** The fields that no manager owns, because the server sets them or they identify the object. */
    private static final FieldSet UNOWNED = FieldSet.of(
            FieldPath.of("apiVersion"),
            FieldPath.of("kind"),
            FieldPath.of("metadata"),
            FieldPath.of("metadata", "name"),
            FieldPath.of("metadata", "namespace"),
            FieldPath.of("metadata", "creationTimestamp"),
            FieldPath.of("metadata", "selfLink"),
            FieldPath.of("metadata", "uid"),
            FieldPath.of("metadata", "clusterName"),
            FieldPath.of("metadata", "generation"),
            FieldPath.of("metadata", "managedFields"),
            FieldPath.of("metadata", "resourceVersion"));

    private final ApplyTarget target;

    Ownership(ApplyTarget target) {
        this.target = target;
    }

    /** The changes of one write in terms of each version that an entry needs. */
    private final class VersionedChanges {

        private final JsonObject live;
        private final JsonObject next;
        private final Map<String, FieldChanges> byVersion = new HashMap<>();
        private final FieldChanges own;

        VersionedChanges(JsonObject live, JsonObject next) {
            this.live = live;
            this.next = next;
            own = FieldChanges.between(live, next, requireType(target.apiVersion()))
                    .filtered(target.ownable());
            byVersion.put(target.apiVersion(), own);
        }

        /** Returns the changes; null if the version is not served. */
        @Nullable
        FieldChanges in(String version) {
            FieldChanges changes = byVersion.get(version);
            TypeSchema type = target.versions().type(version);
            if (changes != null || type == null) {
                return changes;
            }
            JsonObject oldVersion = target.versions().convert(live, version);
            JsonObject nextVersion = target.versions().convert(next, version);
            if (oldVersion == null || nextVersion == null) {
                return null;
            }
            changes = FieldChanges.between(oldVersion, nextVersion, type).filtered(target.ownable());
            byVersion.put(version, changes);
            return changes;
        }
    }

    TypeSchema requireType(String version) {
        TypeSchema type = target.versions().type(version);
        if (type == null) {
            throw ApplyException.failed("no corresponding type for " + version);
        }
        return type;
    }

    /**
     * The result of an update.
     *
     * @param others the entries after the update, without the written fields
     * @param written the fields that the update has set
     */
    record Updated(ManagedFields others, FieldSet written) {}

    /** Removes the written fields from the sets of their former owners. */
    Updated update(JsonObject live, JsonObject next, ManagedFields managed) {
        VersionedChanges changes = new VersionedChanges(live, next);
        ManagedFields others = release(reconciled(managed), changes, null, true);
        return new Updated(others, changes.own.written().difference(UNOWNED));
    }

    /**
     * The result of an apply.
     *
     * @param object the merged object; null if the apply changes nothing
     * @param managed the entries after the apply
     */
    record Applied(@Nullable JsonObject object, ManagedFields managed) {}

    /**
     * Merges a configuration and makes the applier the owner of its fields.
     *
     * @throws ApplyException if another manager owns a field that changes, unless the apply is forced
     */
    Applied apply(JsonObject live, JsonObject config, ManagedFields before, ManagerId applier, boolean force) {
        TypeSchema type = requireType(target.apiVersion());
        ManagedFields managed = reconciled(before);
        SchemaErrors errors = new SchemaErrors();
        JsonValue merged = new ConfigMerge(errors).merge(live, config, type);
        errors.requireNone("failed to merge config");
        ManagedEntry last = managed.get(applier);
        FieldSet set = target.ownable().apply(Fields.of(config, type));
        managed = managed.with(new ManagedEntry(applier, target.apiVersion(), set, last == null ? "" : last.time()));
        JsonObject next = last == null || last.fields().isEmpty()
                ? object(merged)
                : new ConfigPruning(target, managed, last).prune(object(merged));
        managed = release(managed, new VersionedChanges(live, next), applier, force);
        managed = withOwned(managed, applier, last);
        return new Applied(next.equals(live) ? null : next, managed);
    }

    /** Removes the fields that no manager owns, and keeps an entry that has not changed. */
    private static ManagedFields withOwned(ManagedFields managed, ManagerId applier, @Nullable ManagedEntry last) {
        ManagedEntry entry = managed.get(applier);
        if (entry == null) {
            return managed;
        }
        FieldSet owned = entry.fields().difference(UNOWNED);
        if (owned.isEmpty()) {
            return managed.without(applier);
        }
        if (last != null
                && last.apiVersion().equals(entry.apiVersion())
                && last.fields().equals(owned)) {
            return managed.with(last);
        }
        return managed.with(entry.withFields(owned));
    }

    static JsonObject object(JsonValue value) {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw ApplyException.failed("failed to convert value to unstructured for type " + GoText.type(value));
    }

    /** Adapts the entries to types that have changed since, and drops those of versions that are not served. */
    private ManagedFields reconciled(ManagedFields managed) {
        List<ManagedEntry> entries = new ArrayList<>();
        for (ManagedEntry entry : managed.entries()) {
            TypeSchema type = target.versions().type(entry.apiVersion());
            if (type != null) {
                entries.add(entry.withFields(SchemaReconciliation.reconcile(entry.fields(), type)));
            }
        }
        return ManagedFields.of(entries);
    }

    private ManagedFields release(
            ManagedFields managed, VersionedChanges changes, @Nullable ManagerId writer, boolean force) {
        Map<ManagerId, ManagedEntry> kept = new LinkedHashMap<>();
        Map<ManagerId, FieldSet> conflicts = new HashMap<>();
        for (ManagedEntry entry : managed.entries()) {
            FieldChanges change = changes.in(entry.apiVersion());
            if (entry.id().equals(writer)) {
                kept.put(entry.id(), entry);
            } else if (change != null) {
                FieldSet written = change.written();
                if (!force) {
                    FieldSet conflict = entry.fields().intersection(written);
                    if (!conflict.isEmpty()) {
                        conflicts.put(entry.id(), conflict);
                    }
                }
                FieldSet fields = entry.fields().difference(written).difference(change.removed());
                if (!fields.isEmpty()) {
                    kept.put(entry.id(), entry.withFields(fields));
                }
            }
        }
        if (!conflicts.isEmpty()) {
            throw conflicting(conflicts);
        }
        return ManagedFields.of(kept.values());
    }

    private static ApplyException conflicting(Map<ManagerId, FieldSet> conflicts) {
        List<ManagerId> managers = new ArrayList<>(conflicts.keySet());
        Collections.sort(managers);
        List<ApplyException.Conflict> listed = new ArrayList<>();
        for (ManagerId manager : managers) {
            conflicts
                    .getOrDefault(manager, FieldSet.EMPTY)
                    .paths()
                    .forEach(path -> listed.add(new ApplyException.Conflict(manager.describe(), path)));
        }
        return ApplyException.conflicting(listed);
    }
}
