/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import java.util.Map;

/**
 * The descriptions of the fields that every object has. The recorded schema has no descriptions. Thread-safe:
 * stateless.
 */
final class Descriptions {

    static final String API_VERSION = "APIVersion defines the group and the version of the object.";
    static final String KIND = "Kind is the name of the type of the object.";
    static final String METADATA = "Standard object's metadata.";
    static final String LIST_METADATA = "Standard list metadata.";

    private static final Map<String, String> OF_METADATA = Map.ofEntries(
            Map.entry("annotations", "Annotations are values by name that tools attach to an object."),
            Map.entry("creationTimestamp", "CreationTimestamp is a timestamp that the server sets at the creation."),
            Map.entry("deletionGracePeriodSeconds", "The seconds between the request of a deletion and its end."),
            Map.entry("deletionTimestamp", "The time after which the server deletes the object."),
            Map.entry("finalizers", "The names of the components that must act before the object is deleted."),
            Map.entry("generateName", "The prefix of a name that the server completes."),
            Map.entry("generation", "A number that grows with each change of the desired state."),
            Map.entry("labels", "Labels are values by name by which selectors find an object."),
            Map.entry("managedFields", "The fields that each manager owns."),
            Map.entry("name", "The name is unique among the objects of a resource in a namespace."),
            Map.entry("namespace", "The namespace that contains the object."),
            Map.entry("ownerReferences", "The objects on which this object depends."),
            Map.entry("resourceVersion", "The version of the stored object."),
            Map.entry("selfLink", "A field that the server no longer sets."),
            Map.entry("uid", "The identity of the object in time and space."));

    private Descriptions() {}

    /** Returns the description of a field; empty if there is none. */
    static String of(String type, String field) {
        if (type.equals("meta.v1.ObjectMeta")) {
            return OF_METADATA.getOrDefault(field, "");
        }
        return switch (field) {
            case "apiVersion" -> API_VERSION;
            case "kind" -> KIND;
            default -> "";
        };
    }
}
