/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Derives the names of types in OpenAPI documents. Thread-safe: stateless. */
final class Definitions {

    private static final TypeCatalog CATALOG = TypeCatalog.kubernetes();

    static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    static final String DELETE_OPTIONS = META + "DeleteOptions";
    static final String STATUS = META + "Status";
    static final String WATCH_EVENT = META + "WatchEvent";
    static final String PATCH = META + "Patch";

    private Definitions() {}

    /** Returns the name of the kind of a resource. */
    static String ofKind(ResourceStore store) {
        ResourceType<?> type = store.type();
        return store.definition().custom() == null
                ? ofKind(type.group(), type.version(), type.kind())
                : ofCustom(type, type.kind());
    }

    /** Returns the name of the list kind of a resource. */
    static String ofList(ResourceStore store) {
        ResourceType<?> type = store.type();
        CustomSchema custom = store.definition().custom();
        return custom == null
                ? ofKind(type.group(), type.version(), type.kind() + "List")
                : ofCustom(type, custom.listKind());
    }

    /** Returns the name of a built-in kind. */
    static String ofKind(String group, String version, String kind) {
        StructSchema type = Objects.requireNonNull(CATALOG.type(group, version, kind), kind);
        return CATALOG.openApiName(type.name());
    }

    private static String ofCustom(ResourceType<?> type, String kind) {
        List<String> parts = new ArrayList<>(List.of(type.group().split("\\.", -1)));
        Collections.reverse(parts);
        return String.join(".", parts) + "." + type.version() + "." + kind;
    }

    /** Returns the recorded schema of a kind in the API version of a resource. */
    static StructSchema type(ResourceType<?> type, String kind) {
        return Objects.requireNonNull(CATALOG.type(type.group(), type.version(), kind), kind);
    }

    /** Returns whether a delete request of this resource returns the deleted object instead of a status. */
    static boolean returnsDeleted(ResourceType<?> type) {
        for (ApiResource known : CATALOG.resources()) {
            if (known.plural().equals(type.plural()) && known.apiVersion().equals(type.apiVersion())) {
                return known.returnsDeleted();
            }
        }
        return false;
    }
}
