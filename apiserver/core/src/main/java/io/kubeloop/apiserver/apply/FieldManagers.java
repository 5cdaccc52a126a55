/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.apply;

import io.kubeloop.apiserver.fieldmanager.ApplyTarget;
import io.kubeloop.apiserver.fieldmanager.EmptyObjects;
import io.kubeloop.apiserver.fieldmanager.FieldFilter;
import io.kubeloop.apiserver.fieldmanager.FieldManager;
import io.kubeloop.apiserver.fieldmanager.ServedVersions;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The field managers of one resource in one version: one for the objects, and one for each subresource. Thread-safe.
 *
 * <p>Two threads that need the same manager for the first time may both create it; the managers are equal.
 */
public final class FieldManagers {

    /** The kind of the {@code scale} subresource of all resources. */
    private static final TypeCatalog.Kind SCALE = new TypeCatalog.Kind("autoscaling", "v1", "Scale");

    private final String apiVersion;
    private final String kind;
    private final ServedVersions versions;
    private final OwnableFields ownable;
    private final JsonObject empty;
    private final Map<String, FieldManager> managers = new ConcurrentHashMap<>();

    /**
     * Creates the managers of a resource.
     *
     * @param apiVersion the version of the resource
     * @param kind the kind of its objects
     * @param type their type
     * @param versions the versions of the kind
     * @param ownable the fields that can be written through each subresource
     */
    public FieldManagers(
            String apiVersion, String kind, StructSchema type, ServedVersions versions, OwnableFields ownable) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.versions = versions;
        this.ownable = ownable;
        empty = EmptyObjects.of(type, apiVersion, kind);
    }

    /** Returns the empty object with which a creation starts. It contains the members that are never absent. */
    public JsonObject empty() {
        return empty;
    }

    /**
     * Returns the manager of writes through a subresource.
     *
     * @param subresource its name; empty for the objects themselves
     */
    public FieldManager of(String subresource) {
        FieldManager present = managers.get(subresource);
        if (present == null) {
            present = subresource.equals("scale") ? scale() : part(subresource);
            managers.put(subresource, present);
        }
        return present;
    }

    private FieldManager part(String subresource) {
        return new FieldManager(
                new ApplyTarget(apiVersion, kind, subresource, versions, ownable.in(subresource), empty));
    }

    private static FieldManager scale() {
        StructSchema type = Objects.requireNonNull(TypeCatalog.kubernetes().type(SCALE.apiVersion(), SCALE.name()));
        return new FieldManager(new ApplyTarget(
                SCALE.apiVersion(),
                SCALE.name(),
                "scale",
                ServedVersions.single(SCALE.apiVersion(), type),
                FieldFilter.ALL,
                EmptyObjects.of(type, SCALE.apiVersion(), SCALE.name())));
    }
}
