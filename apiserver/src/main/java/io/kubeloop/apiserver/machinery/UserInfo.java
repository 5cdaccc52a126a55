package io.kubeloop.apiserver.machinery;

import java.util.List;

/**
 * The authenticated client of a request (upstream: {@code apiserver/pkg/authentication/user}). Immutable.
 *
 * @param name the name of the user
 * @param groups the groups of the user
 */
public record UserInfo(String name, List<String> groups) {

    /** The user of a request without another identity: every operation is allowed. */
    public static final UserInfo ADMIN = new UserInfo("admin", List.of("system:masters", "system:authenticated"));

    /** Copies the groups. */
    public UserInfo {
        groups = List.copyOf(groups);
    }
}
