/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.apiserver.openapi.Operation.Parameter;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The query parameters of each action, which are the fields of its options kind, such as {@code ListOptions}.
 * Thread-safe: stateless.
 */
final class Options {

    private static final Set<String> NOT_IN_QUERIES = Set.of("kind", "apiVersion");
    private static final Set<String> OF_WATCHES = Set.of("allowWatchBookmarks", "watch");

    private Options() {}

    static List<Parameter> get() {
        return named("GetOptions");
    }

    static List<Parameter> list() {
        return named("ListOptions");
    }

    static List<Parameter> create() {
        return named("CreateOptions");
    }

    static List<Parameter> update() {
        return named("UpdateOptions");
    }

    static List<Parameter> patch() {
        return named("PatchOptions");
    }

    static List<Parameter> delete() {
        return named("DeleteOptions");
    }

    static List<Parameter> deleteCollection() {
        List<Parameter> both = new ArrayList<>(list());
        both.removeIf(parameter -> OF_WATCHES.contains(parameter.name()));
        both.addAll(delete());
        return both;
    }

    private static List<Parameter> named(String kind) {
        return of(Objects.requireNonNull(TypeCatalog.kubernetes().named("meta.v1." + kind), kind));
    }

    /** Returns the fields of a type that can be query parameters. */
    static List<Parameter> of(StructSchema type) {
        List<Parameter> parameters = new ArrayList<>();
        for (StructSchema.Field field : new TreeMap<>(type.fields()).values()) {
            TypeSchema value = field.type() instanceof ListOf list ? list.elements() : field.type();
            if (value instanceof Scalar scalar && !NOT_IN_QUERIES.contains(field.name()) && isPlain(scalar)) {
                parameters.add(new Parameter(field.name(), false, type(scalar)));
            }
        }
        return parameters;
    }

    private static boolean isPlain(Scalar scalar) {
        return scalar == Scalar.STRING || scalar == Scalar.BOOLEAN || scalar == Scalar.INT32 || scalar == Scalar.INT64;
    }

    private static String type(Scalar scalar) {
        return scalar == Scalar.STRING ? "string" : scalar == Scalar.BOOLEAN ? "boolean" : "integer";
    }
}
