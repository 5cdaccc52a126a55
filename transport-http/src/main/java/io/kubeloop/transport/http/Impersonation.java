/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An identity to act as. Immutable. User is required if any other value is set.
 *
 * @param user the user name; empty for no impersonation
 * @param uid the unique id
 * @param groups the groups
 * @param extra further attributes; keys may contain any character
 */
public record Impersonation(String user, String uid, List<String> groups, Map<String, List<String>> extra) {

    /** No impersonation. */
    public static final Impersonation NONE = new Impersonation("", "", List.of(), Map.of());

    /** Copies the collections. Replaces null by the empty value. */
    public Impersonation {
        user = KubeconfigDefaults.orEmpty(user);
        uid = KubeconfigDefaults.orEmpty(uid);
        groups = groups == null ? List.of() : List.copyOf(groups);
        extra = extra == null
                ? Map.of()
                : extra.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> List.copyOf(e.getValue())));
    }

    /** Returns whether another value is set, but the user is not. Servers reject such requests. */
    public boolean isIncomplete() {
        return user.isEmpty() && !(uid.isEmpty() && groups.isEmpty() && extra.isEmpty());
    }
}
