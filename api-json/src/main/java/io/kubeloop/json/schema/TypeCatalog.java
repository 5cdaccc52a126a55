/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types and resources of Kubernetes 1.37: one schema for validation, patches, apply, protocol buffers and OpenAPI.
 *
 * <p>Two text resources hold the catalog. {@code e2e/record-schema.sh} records them from kube-apiserver; {@link
 * TypeText} and {@link ResourceText} describe their form. The catalog reads a type when it is first used. Thread-safe.
 */
public final class TypeCatalog {

    private final TypeText types;
    private final List<ApiResource> resources;

    private TypeCatalog(TypeText types, List<ApiResource> resources) {
        this.types = types;
        this.resources = resources;
    }

    /** Defers the reading until the first use. */
    private static final class Holder {
        static final TypeCatalog KUBERNETES =
                new TypeCatalog(TypeText.read("kubernetes.types"), ResourceText.read("kubernetes.resources"));
    }

    /** Returns the catalog of the built-in types. The first call reads the resources, which takes some milliseconds. */
    public static TypeCatalog kubernetes() {
        return Holder.KUBERNETES;
    }

    /**
     * A kind of object.
     *
     * @param group its API group; empty for the core group
     * @param version the version of the group
     * @param name the kind, such as {@code Pod}
     */
    public record Kind(String group, String version, String name) {

        /** Returns the group and the version as objects state them: {@code v1} or {@code apps/v1}. */
        public String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }
    }

    /**
     * Returns the type of a kind, or null if the catalog has none. Every group and version, even of a custom resource,
     * has the option kinds such as {@code DeleteOptions}.
     *
     * @param group the API group; empty for the core group
     */
    public @Nullable StructSchema type(String group, String version, String kind) {
        return types.ofKind(group.isEmpty() ? version : group + "/" + version, kind);
    }

    /** Returns the type of a kind, or null if the catalog has none; see {@link #type(String, String, String)}. */
    public @Nullable StructSchema type(String apiVersion, String kind) {
        return types.ofKind(apiVersion, kind);
    }

    /** Returns the type of this name, such as {@code core.v1.PodSpec}; null if the catalog has none. */
    public @Nullable StructSchema named(String name) {
        return types.named(name);
    }

    /** Returns the names of all types, in order. */
    public List<String> names() {
        return types.names();
    }

    /** Returns the kinds with a group and version of their own, in order; so without the option kinds. */
    public List<Kind> kinds() {
        return types.kinds();
    }

    /** Returns the kinds that every group and version has, such as {@code DeleteOptions}, in order. */
    public List<String> optionKinds() {
        return types.optionKinds();
    }

    /** Returns every group and version of Kubernetes, whether or not the server serves it. */
    public List<String> groupVersions() {
        return types.groupVersions();
    }

    /** Returns the name of a type in OpenAPI documents, such as {@code io.k8s.api.core.v1.PodSpec}. */
    public String openApiName(String name) {
        return types.openApiName(name);
    }

    /** Returns further {@code x-kubernetes-} members of the OpenAPI definition of a type; usually empty. */
    public JsonObject extensions(String name) {
        return types.extensions(name);
    }

    /**
     * Returns the fields of a type that only older releases have, since 1.20; usually none. Their numbers are not used
     * again.
     */
    public List<StructSchema.Field> removedFields(String name) {
        return types.removedFields(name);
    }

    /** Returns the resources that the server serves, in the order of discovery. */
    public List<ApiResource> resources() {
        return resources;
    }
}
