/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.api.ResourceType;
import io.kubeloop.json.schema.ApiResource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource that the server serves, in the form of the discovery documents (upstream: {@code metav1.APIResource}).
 *
 * @param type the resource type with group, version and plural
 * @param singular the singular name, such as {@code pod}
 * @param shortNames the abbreviations for kubectl, such as {@code po}
 * @param categories the groups of resources for kubectl, such as {@code all}
 * @param verbs the supported verbs
 * @param subresources the subresources of its objects
 */
public record ServedResource(
        ResourceType<?> type,
        String singular,
        List<String> shortNames,
        List<String> categories,
        List<String> verbs,
        List<Subresource> subresources) {

    /** Copies the lists. */
    public ServedResource {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
    }

    /**
     * Returns a resource of the catalog.
     *
     * @param type the resource type with its Java class
     */
    public static ServedResource of(ResourceType<?> type, ApiResource resource) {
        List<Subresource> subresources = resource.subresources().stream()
                .map(sub -> new Subresource(sub.name(), sub.group(), sub.version(), sub.kind(), sub.verbs()))
                .toList();
        return new ServedResource(
                type,
                resource.singular(),
                resource.shortNames(),
                resource.categories(),
                resource.verbs(),
                subresources);
    }

    /** Returns the subresource of this name, or null. */
    public @Nullable Subresource subresource(String name) {
        for (Subresource subresource : subresources) {
            if (subresource.name().equals(name)) {
                return subresource;
            }
        }
        return null;
    }

    /** Returns {@code plural.group}, or the plural alone in the core group. */
    @Override
    public String toString() {
        return type.toString();
    }

    /**
     * A part or a view of an object with a path of its own.
     *
     * @param name its name in paths, such as {@code status}
     * @param group the group of the objects that are read and written there
     * @param version the version of these objects
     * @param kind the kind of these objects
     * @param verbs the supported verbs
     */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {

        /** Copies the list. */
        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }
}
