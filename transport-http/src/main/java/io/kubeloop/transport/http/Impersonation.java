package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Another identity to act as. All but the user need the user.
 *
 * @param user name; empty for none
 * @param uid unique id
 * @param groups groups
 * @param extra further attributes; keys may hold any character
 */
public record Impersonation(String user, String uid, List<String> groups, Map<String, List<String>> extra) {

    /** Acting as oneself. */
    public static final Impersonation NONE = new Impersonation("", "", List.of(), Map.of());

    /** Copies; fills in what is absent. */
    public Impersonation {
        user = KubeconfigDefaults.orEmpty(user);
        uid = KubeconfigDefaults.orEmpty(uid);
        groups = groups == null ? List.of() : List.copyOf(groups);
        extra = extra == null
                ? Map.of()
                : extra.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> List.copyOf(e.getValue())));
    }

    public boolean isIncomplete() {
        return user.isEmpty() && !(uid.isEmpty() && groups.isEmpty() && extra.isEmpty());
    }
}
