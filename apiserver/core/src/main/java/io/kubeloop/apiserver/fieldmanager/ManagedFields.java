/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The managers of an object with the fields that they own (upstream: {@code metadata.managedFields}, {@code
 * fieldpath.ManagedFields}). Immutable.
 */
public final class ManagedFields {

    static final ManagedFields NONE = new ManagedFields(Map.of());

    /** The number of entries of updates above which the oldest ones are merged. */
    private static final int MAX_UPDATERS = 10;

    private static final String OLD_UPDATES = "ancient-changes";
    private static final String FIELD = "managedFields";

    private final Map<ManagerId, ManagedEntry> entries;

    private ManagedFields(Map<ManagerId, ManagedEntry> entries) {
        this.entries = entries;
    }

    static ManagedFields of(Collection<ManagedEntry> entries) {
        Map<ManagerId, ManagedEntry> byId = new LinkedHashMap<>();
        entries.forEach(entry -> byId.put(entry.id(), entry));
        return new ManagedFields(Collections.unmodifiableMap(byId));
    }

    /** Returns the managed fields of an object in their JSON form; null if it has none. */
    public static @Nullable JsonValue encodedIn(JsonObject object) {
        JsonValue encoded = object.get("metadata", FIELD);
        return encoded == JsonNull.NULL ? null : encoded;
    }

    /** Returns the object without its managed fields. */
    public static JsonObject removeFrom(JsonObject object) {
        return encodedIn(object) == null
                ? object
                : object.with("metadata", object.object("metadata").without(FIELD));
    }

    /**
     * Returns the object with these managed fields instead of its own, in the order of their members. {@code
     * JsonObject.with} would keep those that differ in nothing but the order.
     */
    public static JsonObject with(JsonObject object, JsonValue encoded) {
        JsonObject metadata =
                object.object("metadata").toBuilder().put(FIELD, encoded).build();
        return object.toBuilder().put("metadata", metadata).build();
    }

    /** Returns whether two lists in their JSON form have the same entries in the same order, with different times. */
    public static boolean differOnlyInTimes(JsonValue one, @Nullable JsonValue two) {
        if (!(one instanceof JsonArray mine) || !(two instanceof JsonArray theirs) || mine.size() != theirs.size()) {
            return false;
        }
        boolean differ = false;
        for (int i = 0; i < mine.size(); i++) {
            if (!mine.get(i).toString().equals(theirs.get(i).toString())) {
                differ = true;
                // As upstream, entries differ if their fields have another order.
                if (!withoutTime(mine.get(i))
                        .toString()
                        .equals(withoutTime(theirs.get(i)).toString())) {
                    return false;
                }
            }
        }
        return differ;
    }

    private static JsonValue withoutTime(JsonValue entry) {
        return entry instanceof JsonObject object ? object.without("time") : entry;
    }

    /**
     * Reads the managed fields of an object; of entries with the same identity the last one counts.
     *
     * @throws DecodeException if they are invalid
     */
    static ManagedFields decode(@Nullable JsonValue encoded) {
        if (encoded == null) {
            return NONE;
        }
        if (!(encoded instanceof JsonArray array)) {
            throw new DecodeException("managed fields must be a list", null);
        }
        List<ManagedEntry> entries = new ArrayList<>(array.size());
        for (JsonValue entry : array) {
            entries.add(ManagedEntry.decode(entry instanceof JsonObject object ? object : JsonObject.EMPTY));
        }
        return of(entries);
    }

    /** Returns the JSON form, sorted. */
    JsonArray encode() {
        return JsonArray.of(entries.values().stream()
                .sorted(ManagedEntry.ORDER)
                .map(ManagedEntry::encode)
                .toList());
    }

    /** Returns the object with these managed fields instead of its own. */
    JsonObject writeTo(JsonObject object) {
        return isEmpty() ? removeFrom(object) : with(object, encode());
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Collection<ManagedEntry> entries() {
        return entries.values();
    }

    @Nullable
    ManagedEntry get(ManagerId id) {
        return entries.get(id);
    }

    ManagedFields with(ManagedEntry entry) {
        Map<ManagerId, ManagedEntry> changed = new LinkedHashMap<>(entries);
        changed.put(entry.id(), entry);
        return new ManagedFields(Collections.unmodifiableMap(changed));
    }

    ManagedFields without(ManagerId id) {
        Map<ManagerId, ManagedEntry> changed = new LinkedHashMap<>(entries);
        changed.remove(id);
        return new ManagedFields(Collections.unmodifiableMap(changed));
    }

    /** Returns the entries with the oldest updates of each version merged into one, if there are too many updates. */
    ManagedFields capped() {
        List<ManagedEntry> updaters = new ArrayList<>(entries.size());
        for (ManagedEntry entry : entries.values()) {
            if (!entry.id().isApplier()) {
                updaters.add(entry);
            }
        }
        if (updaters.size() <= MAX_UPDATERS) {
            return this;
        }
        updaters.sort((one, two) -> one.seconds() == two.seconds()
                ? one.id().compareTo(two.id())
                : Long.compare(one.seconds(), two.seconds()));
        Map<ManagerId, ManagedEntry> capped = new LinkedHashMap<>(entries);
        Map<String, ManagerId> firsts = new LinkedHashMap<>();
        int count = updaters.size();
        for (ManagedEntry updater : updaters) {
            if (count <= MAX_UPDATERS) {
                break;
            }
            ManagerId first = firsts.putIfAbsent(updater.apiVersion(), updater.id());
            if (first != null) {
                ManagerId bucket = ManagerId.updater(OLD_UPDATES, updater.apiVersion(), "");
                ManagedEntry merged = capped.containsKey(bucket) ? capped.get(bucket) : capped.remove(first);
                capped.remove(updater.id());
                FieldSet fields =
                        merged == null ? updater.fields() : merged.fields().union(updater.fields());
                capped.put(bucket, new ManagedEntry(bucket, updater.apiVersion(), fields, updater.time()));
                count--;
            }
        }
        return new ManagedFields(Collections.unmodifiableMap(capped));
    }
}
