/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app.serving;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The user that sent a request.
 *
 * @param name such as {@code system:anonymous}
 * @param uid empty if it has none
 * @param groups the groups, with {@code system:authenticated} or {@code system:unauthenticated}
 * @param extra further values of the authenticator, by their lower-case name
 */
public record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    private static final String AUTHENTICATED = "system:authenticated";

    /** A client without credentials. */
    public static final Caller ANONYMOUS =
            new Caller("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

    /** Copies the collections. */
    public Caller {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /** Returns a user that has proved who it is. */
    static Caller authenticated(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
        List<String> all = new ArrayList<>(groups);
        if (!all.contains(AUTHENTICATED)) {
            all.add(AUTHENTICATED);
        }
        return new Caller(name, uid, all, extra);
    }

    /** Returns the part of an access review that names the user. */
    JsonObject reviewed() {
        JsonObject values = JsonObject.EMPTY;
        for (Map.Entry<String, List<String>> entry : extra.entrySet()) {
            values = values.with(entry.getKey(), JsonArray.ofStrings(entry.getValue()));
        }
        return JsonObject.EMPTY
                .with("user", name)
                .with("uid", uid)
                .with("groups", JsonArray.ofStrings(groups))
                .with("extra", values);
    }
}
