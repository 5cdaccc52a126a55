/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.AccessRequest.Target;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.gotext.GoText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the user that a client acts as (upstream: {@code apiserver/pkg/endpoints/filters/impersonation.go}).
 * Thread-safe: stateless.
 */
public final class ImpersonatedUser {

    private static final String PREFIX = "impersonate-";
    private static final String EXTRA = "impersonate-extra-";
    private static final String AUTHENTICATED = "system:authenticated";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    private static final String ANONYMOUS = "system:anonymous";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final Pattern SERVICE_ACCOUNT = Pattern.compile("system:serviceaccount:([^:]+):([^:]+)");

    private ImpersonatedUser() {}

    /**
     * Returns the user of a request: the client, unless headers name another.
     *
     * @param names the names of all headers
     * @param headers returns the values of a header
     * @param check throws if the client may not impersonate; called with each property of the other user
     * @throws StatusException 400 if headers name properties of a user, but no user
     */
    public static UserInfo of(
            UserInfo client,
            Iterable<String> names,
            Function<String, List<String>> headers,
            Consumer<AccessRequest> check) {
        boolean requested = false;
        Map<String, List<String>> extra = new TreeMap<>();
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT);
            requested |= lower.startsWith(PREFIX) && isImpersonation(lower);
            if (lower.startsWith(EXTRA)) {
                extra.put(unescaped(lower.substring(EXTRA.length())), headers.apply(name));
            }
        }
        if (!requested) {
            return client;
        }
        String user = first(headers.apply("Impersonate-User"));
        String uid = first(headers.apply("Impersonate-Uid"));
        List<String> groups = headers.apply("Impersonate-Group");
        if (user.isEmpty()) {
            throw StatusException.badRequest(
                    "requested " + shown(uid, groups, extra) + " without impersonating a user name");
        }
        impersonations(user, uid, groups, extra)
                .forEach(target -> check.accept(AccessRequest.of("impersonate", target)));
        return new UserInfo(user, uid, completed(user, groups), extra);
    }

    private static List<Target> impersonations(
            String user, String uid, List<String> groups, Map<String, List<String>> extra) {
        List<Target> targets = new ArrayList<>();
        var account = SERVICE_ACCOUNT.matcher(user);
        targets.add(
                account.matches()
                        ? new Target("", "serviceaccounts", "", account.group(1), account.group(2))
                        : new Target("", "users", "", "", user));
        groups.forEach(group -> targets.add(new Target("", "groups", "", "", group)));
        extra.forEach((key, values) ->
                values.forEach(value -> targets.add(new Target(AUTHENTICATION, "userextras", key, "", value))));
        if (!uid.isEmpty()) {
            targets.add(new Target(AUTHENTICATION, "uids", "", "", uid));
        }
        return targets;
    }

    private static boolean isImpersonation(String lower) {
        return lower.startsWith(EXTRA) || List.of("user", "uid", "group").contains(lower.substring(PREFIX.length()));
    }

    /** A service account belongs to groups by its name; every user but the anonymous one is authenticated. */
    private static List<String> completed(String user, List<String> requested) {
        List<String> groups = new ArrayList<>(requested);
        var account = SERVICE_ACCOUNT.matcher(user);
        if (groups.isEmpty() && account.matches()) {
            groups.add("system:serviceaccounts");
            groups.add("system:serviceaccounts:" + account.group(1));
        }
        boolean isAnonymous = user.equals(ANONYMOUS);
        if (!groups.contains(UNAUTHENTICATED) && (isAnonymous || !groups.contains(AUTHENTICATED))) {
            groups.add(isAnonymous ? UNAUTHENTICATED : AUTHENTICATED);
        }
        return groups;
    }

    private static String first(List<String> values) {
        return values.isEmpty() ? "" : values.get(0);
    }

    private static String unescaped(String name) {
        try {
            return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name; // as upstream
        }
    }

    private static String shown(String uid, List<String> groups, Map<String, List<String>> extra) {
        String map = extra.entrySet().stream()
                .map(entry -> GoText.quoted(entry.getKey()) + ":" + slice(entry.getValue()))
                .collect(Collectors.joining(", "));
        return "&user.DefaultInfo{Name:\"\", UID:" + GoText.quoted(uid) + ", Groups:"
                + (groups.isEmpty() ? "[]string(nil)" : slice(groups)) + ", Extra:map[string][]string"
                + (extra.isEmpty() ? "(nil)" : "{" + map + "}") + "}";
    }

    private static String slice(List<String> values) {
        return "[]string{" + values.stream().map(GoText::quoted).collect(Collectors.joining(", ")) + "}";
    }
}
