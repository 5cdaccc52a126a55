/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource as discovery lists it, with its names, verbs, subresources and table columns. Immutable.
 *
 * @param group the API group; empty for the core group
 * @param version the version of the group
 * @param names the names of the resource and its kind
 * @param namespaced whether its objects are in namespaces
 * @param verbs the actions that the server offers
 * @param subresources the parts of its objects that have paths of their own
 * @param columns the columns of a table of its objects
 * @param storageVersionHash identifies the version in which the server stores the objects; empty if it stores none
 * @param returnsDeleted whether a delete request returns the deleted object instead of a {@code Status}
 */
public record ApiResource(
        String group,
        String version,
        Names names,
        boolean namespaced,
        List<String> verbs,
        List<Subresource> subresources,
        List<Column> columns,
        String storageVersionHash,
        boolean returnsDeleted) {

    /** Copies the lists. */
    public ApiResource {
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
        columns = List.copyOf(columns);
    }

    /**
     * The names of a resource.
     *
     * @param plural the name in paths, such as {@code pods}
     * @param singular such as {@code pod}
     * @param kind such as {@code Pod}
     * @param shortNames abbreviations that kubectl accepts
     * @param categories groups of resources to which it belongs, such as {@code all}
     */
    public record Names(String plural, String singular, String kind, List<String> shortNames, List<String> categories) {

        /** Copies the lists. */
        public Names {
            shortNames = List.copyOf(shortNames);
            categories = List.copyOf(categories);
        }
    }

    /**
     * A part of the objects that has a path of its own.
     *
     * @param name such as {@code status}
     * @param group the group of its kind
     * @param version the version of its kind
     * @param kind the kind that it reads and writes
     * @param verbs the actions that the server offers
     */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {

        /** Copies the verbs. */
        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }

    /**
     * A column of a table.
     *
     * @param name its title
     * @param type the type of its cells, as in OpenAPI, such as {@code string}
     * @param format the format of its cells, as in OpenAPI; {@code name} marks the column with the object's name
     * @param priority 0 for columns that are always shown; larger for those of wide output
     */
    public record Column(String name, String type, String format, int priority) {}

    /** Returns the name in paths. */
    public String plural() {
        return names.plural;
    }

    /** Returns the name of one object. */
    public String singular() {
        return names.singular;
    }

    /** Returns the kind of the objects. */
    public String kind() {
        return names.kind;
    }

    /** Returns the abbreviations that kubectl accepts. */
    public List<String> shortNames() {
        return names.shortNames;
    }

    /** Returns the groups of resources to which it belongs. */
    public List<String> categories() {
        return names.categories;
    }

    /** Returns the group and the version as objects state them: {@code v1} or {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns the subresource of this name, or null. */
    public @Nullable Subresource subresource(String name) {
        for (Subresource subresource : subresources) {
            if (subresource.name.equals(name)) {
                return subresource;
            }
        }
        return null;
    }
}
