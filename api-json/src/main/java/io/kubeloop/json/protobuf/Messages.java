/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the built-in types, which are derived from the schema on first use. Thread-safe: the caches are
 * concurrent.
 */
final class Messages {

    private static final TypeCatalog CATALOG = TypeCatalog.kubernetes();
    private static final Map<String, MessageType> TYPES = new ConcurrentHashMap<>();
    private static final MessageType JSON_SCHEMA =
            of(Objects.requireNonNull(CATALOG.named("apiextensions.v1.JSONSchemaProps")));

    private Messages() {}

    /** Defers the table of resources until the first use. */
    private static final class Resources {

        /** The API versions of the resources whose kind has a message, by name. */
        static final Map<String, Set<String>> VERSIONS = versions();

        private static Map<String, Set<String>> versions() {
            Map<String, Set<String>> versions = new HashMap<>();
            for (ApiResource resource : CATALOG.resources()) {
                if (kind(resource.apiVersion(), resource.kind()) != null) {
                    versions.computeIfAbsent(resource.plural(), plural -> new HashSet<>())
                            .add(resource.apiVersion());
                }
            }
            return versions;
        }
    }

    static MessageType of(StructSchema struct) {
        MessageType known = TYPES.get(struct.name());
        if (known == null) {
            MessageType made = new MessageType(struct, CATALOG.removedFields(struct.name()));
            MessageType other = TYPES.putIfAbsent(struct.name(), made);
            known = other == null ? made : other;
        }
        return known;
    }

    /** Returns the message of {@code JSONSchemaProps}. */
    static MessageType jsonSchema() {
        return JSON_SCHEMA;
    }

    /** Returns the message of a kind; null if the kind is unknown or has none. */
    static @Nullable MessageType kind(String apiVersion, String kind) {
        StructSchema struct = CATALOG.type(apiVersion, kind);
        if (struct == null) {
            return null;
        }
        MessageType message = of(struct);
        return message.fields().isEmpty() ? null : message;
    }

    /** Returns whether objects of this resource, such as {@code pods}, are of a kind that has a message. */
    static boolean hasResource(String apiVersion, String resource) {
        return Resources.VERSIONS.getOrDefault(resource, Set.of()).contains(apiVersion);
    }
}
