/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Keeps {@code metadata.managedFields} of the objects of one endpoint, and merges applied configurations (upstream:
 * {@code managedfields.FieldManager}). Thread-safe: immutable.
 */
public final class FieldManager {

    /** The manager of the fields that an object had before it was applied for the first time. */
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    private static final String UNKNOWN = "unknown";

    private final ApplyTarget target;
    private final Ownership ownership;
    private final LastApplied lastApplied;

    /** Creates the manager of an endpoint. */
    public FieldManager(ApplyTarget target) {
        this.target = target;
        ownership = new Ownership(target);
        lastApplied = new LastApplied(target);
    }

    /**
     * Records a write other than an apply. Managed fields that the client has sent replace the stored ones if they are
     * valid; a subresource cannot change them.
     *
     * @param live the stored object; {@link ApplyTarget#empty} for a creation
     * @param next the object as the client wants it, with defaults
     * @param manager the name of the manager; empty if it is unknown
     * @param now the current time
     * @return the new object with its managed fields; without any if one of the states does not fit the schema. O(the
     *     parts that differ and the size of the managed fields)
     */
    public JsonObject update(JsonObject live, JsonObject next, String manager, Instant now) {
        ManagedFields managed = managedBefore(live, next);
        JsonObject bare = ManagedFields.removeFrom(next);
        if (managed.isEmpty() && !live.string("metadata", "uid").isEmpty()) {
            return bare; // the fields of an object are not tracked once its managed fields have been reset
        }
        try {
            return updated(ManagedFields.removeFrom(live), bare, managed, manager, now)
                    .writeTo(bare);
        } catch (ApplyException e) {
            return bare;
        }
    }

    private ManagedFields updated(
            JsonObject live, JsonObject next, ManagedFields managed, String manager, Instant now) {
        Ownership.Updated updated = ownership.update(live, next, managed);
        ManagedFields after = updated.others();
        if (!updated.written().isEmpty()) {
            String name = manager.isEmpty() ? UNKNOWN : manager;
            ManagerId id = ManagerId.updater(name, target.apiVersion(), target.subresource());
            ManagedEntry previous = after.get(id);
            FieldSet fields =
                    previous == null ? updated.written() : previous.fields().union(updated.written());
            after = after.with(new ManagedEntry(id, target.apiVersion(), fields, text(now)));
        }
        return after.capped();
    }

    private static String text(Instant now) {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private ManagedFields managedBefore(JsonObject live, JsonObject next) {
        JsonValue sent = ManagedFields.encodedIn(next);
        if (sent != null && target.subresource().isEmpty()) {
            if (isReset(sent)) {
                return ManagedFields.NONE;
            }
            try {
                return ManagedFields.decode(sent);
            } catch (DecodeException e) {
                return stored(live); // a client must not delete what it does not understand
            }
        }
        return stored(live);
    }

    private static ManagedFields stored(JsonObject live) {
        try {
            return ManagedFields.decode(ManagedFields.encodedIn(live));
        } catch (DecodeException e) {
            return ManagedFields.NONE;
        }
    }

    /** An empty list, or a list with one empty entry, resets the managed fields. */
    private static boolean isReset(JsonValue sent) {
        return sent.equals(JsonArray.EMPTY) || sent.equals(JsonArray.of(JsonObject.EMPTY));
    }

    /**
     * Applies a configuration.
     *
     * @param live the stored object; {@link ApplyTarget#empty} if there is none yet
     * @param config the configuration
     * @param manager the name of the applier
     * @param force whether to take fields from other managers instead of failing
     * @param now the current time
     * @return the merged object with its managed fields, without defaults of new fields; members that were removed can
     *     be {@code null}
     * @throws ApplyException if the configuration is not one of this kind or does not fit its schema, or if another
     *     manager owns a field that it changes
     */
    public JsonObject apply(JsonObject live, JsonObject config, String manager, boolean force, Instant now) {
        checkConfig(config);
        JsonObject bare = ManagedFields.removeFrom(live);
        ManagedFields managed = stored(live);
        if (managed.isEmpty()) {
            managed = updated(target.empty(), bare, managed, BEFORE_FIRST_APPLY, now);
        }
        ManagerId id = ManagerId.applier(manager, target.subresource());
        Ownership.Applied applied;
        try {
            applied = ownership.apply(bare, config, managed, id, force);
        } catch (ApplyException e) {
            applied = lastApplied.upgraded(e, manager, bare)
                    ? ownership.apply(bare, config, managed, id, true)
                    : rethrow(lastApplied.remaining(e, manager, bare));
        }
        ManagedFields after = applied.managed();
        ManagedEntry entry = after.get(id);
        if (applied.object() != null && entry != null) {
            after = after.with(new ManagedEntry(id, entry.apiVersion(), entry.fields(), text(now)));
        }
        JsonObject object = applied.object() == null ? bare : applied.object();
        return after.writeTo(lastApplied.refreshed(object, config, manager));
    }

    private static Ownership.Applied rethrow(ApplyException e) {
        throw e;
    }

    /**
     * Merges a part of an object into it, without an owner of its fields (upstream: {@code
     * patch.ApplyStructuredMergeDiff} of mutating policies).
     *
     * @param live the object
     * @param part the part, without kind and version
     * @return the merged object, without defaults of new fields
     * @throws ApplyException if the part does not fit the schema, or sets a list or an object that can only be replaced
     *     as a whole
     */
    public JsonObject merged(JsonObject live, JsonObject part) {
        TypeSchema type = ownership.requireType(target.apiVersion());
        SchemaErrors errors = new SchemaErrors();
        new ConfigCheck(errors).check(part, type);
        errors.requireNone("failed to convert patch object to typed object");
        List<String> atomics = AtomicParts.in(part, type);
        if (!atomics.isEmpty()) {
            throw ApplyException.failed("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
                    + String.join(", ", atomics));
        }
        JsonValue merged = new ConfigMerge(errors).merge(live, part, type);
        errors.requireNone("failed to merge patch");
        return Ownership.object(merged);
    }

    private void checkConfig(JsonObject config) {
        if (!config.string("apiVersion").equals(target.apiVersion())
                || !config.string("kind").equals(target.kind())) {
            throw ApplyException.badRequest("invalid object type: " + ApplyTarget.describeKind(config));
        }
        if (ManagedFields.encodedIn(config) instanceof JsonArray) {
            throw ApplyException.badRequest("metadata.managedFields must be nil");
        }
        SchemaErrors errors = new SchemaErrors();
        new ConfigCheck(errors).check(config, ownership.requireType(target.apiVersion()));
        errors.requireNone("failed to create typed patch object (" + target.describe(config) + ")");
    }
}
