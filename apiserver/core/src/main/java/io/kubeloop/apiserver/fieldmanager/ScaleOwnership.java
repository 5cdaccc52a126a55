/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Translates managed fields between an object and its {@code scale} subresource, which shows one of its fields: the
 * number of replicas (upstream: {@code managedfields.ScaleHandler}). Thread-safe: immutable.
 */
public final class ScaleOwnership {

    private static final String SCALE_VERSION = "autoscaling/v1";
    private static final FieldPath SCALE_REPLICAS = FieldPath.of("spec", "replicas");

    private final String apiVersion;
    private final Map<String, FieldPath> replicas;

    /**
     * Creates the translation for a kind.
     *
     * @param apiVersion the version of the object through which it is scaled
     * @param replicas the path of the number of replicas in each served version of the kind. Entries of other versions
     *     are dropped
     */
    public ScaleOwnership(String apiVersion, Map<String, FieldPath> replicas) {
        this.apiVersion = apiVersion;
        this.replicas = Map.copyOf(replicas);
    }

    /** Returns the object of a scale with the managers of the number of replicas. */
    public JsonObject toScale(JsonObject parent, JsonObject scale) {
        List<ManagedEntry> entries = new ArrayList<>();
        for (ManagedEntry entry : decode(parent).entries()) {
            FieldPath path = replicas.get(entry.apiVersion());
            if (path != null && entry.fields().has(path)) {
                FieldSet fields = FieldSet.of(SCALE_REPLICAS);
                entries.add(new ManagedEntry(entry.id(), SCALE_VERSION, fields, entry.time()));
            }
        }
        return ManagedFields.of(entries).writeTo(scale);
    }

    /**
     * Returns the parent with the managers of its scale after a write; a parent without metadata is returned unchanged.
     */
    public JsonObject toParent(JsonObject parent, JsonObject scale) {
        Map<ManagerId, ManagedEntry> scaled = new LinkedHashMap<>();
        decode(scale).entries().forEach(entry -> scaled.put(entry.id(), entry));
        List<ManagedEntry> entries = new ArrayList<>();
        Map<ManagerId, String> times = new LinkedHashMap<>();
        for (ManagedEntry entry : decode(parent).entries()) {
            FieldPath path = replicas.get(entry.apiVersion());
            times.put(entry.id(), entry.time());
            if (path != null) {
                boolean stolen = entry.fields().has(path) && scaled.remove(entry.id()) == null;
                FieldSet fields = stolen ? entry.fields().difference(FieldSet.of(path)) : entry.fields();
                if (!fields.isEmpty()) {
                    entries.add(entry.withFields(fields));
                }
            }
        }
        FieldPath path = replicas.get(apiVersion);
        for (ManagedEntry entry : scaled.values()) {
            if (path != null && entry.fields().has(SCALE_REPLICAS)) {
                String time = times.getOrDefault(entry.id(), "");
                entries.add(new ManagedEntry(entry.id(), apiVersion, FieldSet.of(path), time));
            }
        }
        return sorted(ManagedFields.of(entries).writeTo(parent));
    }

    /** Upstream converts the entries through maps, which sorts the names of their members. */
    private static JsonObject sorted(JsonObject parent) {
        if (!(ManagedFields.encodedIn(parent) instanceof JsonArray entries)) {
            return parent;
        }
        List<JsonValue> sorted = new ArrayList<>(entries.size());
        for (JsonObject entry : entries.objects().toList()) {
            sorted.add(entry.toBuilder()
                    .put("fieldsV1", sorted((JsonValue) entry.object("fieldsV1")))
                    .build());
        }
        return ManagedFields.with(parent, JsonArray.of(sorted));
    }

    private static JsonValue sorted(JsonValue fields) {
        if (!(fields instanceof JsonObject object)) {
            return fields;
        }
        Map<String, JsonValue> sorted = new TreeMap<>();
        object.members().forEach((name, value) -> sorted.put(name, sorted(value)));
        return JsonObject.of(sorted);
    }

    private static ManagedFields decode(JsonObject object) {
        return ManagedFields.decode(
                ManagedFields.encodedIn(object) instanceof JsonArray array ? array : JsonArray.EMPTY);
    }
}
