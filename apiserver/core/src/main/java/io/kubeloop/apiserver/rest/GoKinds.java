/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.json.schema.GoTypes;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import org.jspecify.annotations.Nullable;

/**
 * The messages about bodies of an unexpected kind (upstream: {@code apimachinery/pkg/runtime}). Thread-safe: stateless.
 */
public final class GoKinds {

    private static final String SCHEME = " in scheme \"pkg/runtime/scheme.go:111\"";

    private GoKinds() {}

    /**
     * Returns why a server cannot decode an object of one kind as an object of another; null if it can, because both
     * are versions of one kind.
     *
     * @param apiVersion the version of the object
     * @param kind the kind of the object
     * @param wantedVersion the version that the server expects
     * @param wantedKind the kind that the server expects
     */
    public static @Nullable String problem(String apiVersion, String kind, String wantedVersion, String wantedKind) {
        StructSchema type = TypeCatalog.kubernetes().type(apiVersion, kind);
        if (type == null) {
            return notRegistered(apiVersion, kind);
        }
        String wanted = internal(wantedVersion, wantedKind);
        return internal(apiVersion, kind).equals(wanted)
                ? null
                : "converting (" + GoTypes.qualified(type.name()) + ") to (" + wanted + "): unknown conversion";
    }

    /** Returns the error message for an unknown kind. */
    public static String notRegistered(String apiVersion, String kind) {
        return "no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\"" + SCHEME;
    }

    /** Returns the name of the Go type to which all versions of a kind are converted. */
    private static String internal(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String first = group.contains(".") ? group.substring(0, group.indexOf('.')) : group;
        return (first.isEmpty() || first.equals("events") ? "core" : first) + "." + kind;
    }
}
