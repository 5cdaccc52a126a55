/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.json.tree.JsonObject;

/**
 * Evaluates a rule of a role (upstream: {@code component-helpers/auth/rbac/validation} and {@code rbac.RuleAllows}).
 * Static functions only.
 */
final class RoleRule {

    private static final Pattern STARS = Pattern.compile("\\*+$");

    private static final String ANY = "*";

    private RoleRule() {}

    /** Returns whether a rule allows a request. */
    static boolean allows(JsonObject rule, AccessRequest request) {
        if (!Members.isListed(rule.array("verbs"), request.verb())) {
            return false;
        }
        if (!request.isResource()) {
            return rule.array("nonResourceURLs").strings().anyMatch(url -> matchesPath(url, request.path()));
        }
        AccessRequest.Target target = request.target();
        return Members.isListed(rule.array("apiGroups"), target.group())
                && rule.array("resources").strings().anyMatch(resource -> matches(resource, target))
                && (rule.array("resourceNames").isEmpty()
                        || rule.array("resourceNames").strings().anyMatch(target.name()::equals));
    }

    private static boolean matches(String resource, AccessRequest.Target target) {
        String subresource = target.subresource();
        if (resource.equals(ANY)) {
            return true;
        }
        return subresource.isEmpty()
                ? resource.equals(target.resource())
                : resource.equals(target.resource() + "/" + subresource) || resource.equals("*/" + subresource);
    }

    /** Returns whether the path of a rule, which can end with {@code *}, contains a path. */
    static boolean matchesPath(String url, String path) {
        return url.equals(ANY)
                || url.equals(path)
                || (url.endsWith(ANY) && path.startsWith(STARS.matcher(url).replaceFirst("")));
    }
}
