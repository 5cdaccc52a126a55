/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The authenticated client of a request (upstream: {@code apiserver/pkg/authentication/user}). Immutable.
 *
 * @param name the name of the user
 * @param uid the identity behind the name; empty if unknown
 * @param groups the groups of the user
 * @param extra further properties, by name
 */
public record UserInfo(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    private static final String AUTHENTICATED = "system:authenticated";

    /** The user of a request without another identity: every operation is allowed. */
    public static final UserInfo ADMIN = new UserInfo("admin", "", List.of("system:masters", AUTHENTICATED), Map.of());

    /** The user of a request without credentials. */
    public static final UserInfo ANONYMOUS =
            new UserInfo("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

    /** Copies the groups and the properties. */
    public UserInfo {
        groups = List.copyOf(groups);
        Map<String, List<String>> copy = new LinkedHashMap<>();
        extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
        extra = Collections.unmodifiableMap(copy);
    }

    /** Returns this user with {@code system:authenticated} among its groups, because it has proved who it is. */
    public UserInfo authenticated() {
        if (groups.contains(AUTHENTICATED)) {
            return this;
        }
        List<String> all = new ArrayList<>(groups);
        all.add(AUTHENTICATED);
        return new UserInfo(name, uid, all, extra);
    }

    /**
     * Returns the members of {@code UserInfo} in the group {@code authentication.k8s.io}, without those that are empty.
     */
    public JsonObject document() {
        JsonObject.Builder shown = JsonObject.builder();
        if (!name.isEmpty()) {
            shown.put("username", name);
        }
        if (!uid.isEmpty()) {
            shown.put("uid", uid);
        }
        if (!groups.isEmpty()) {
            shown.put("groups", JsonArray.ofStrings(groups));
        }
        if (!extra.isEmpty()) {
            JsonObject.Builder properties = JsonObject.builder();
            extra.forEach((key, values) -> properties.put(key, JsonArray.ofStrings(values)));
            shown.put("extra", properties.build());
        }
        return shown.build();
    }
}
