/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a user may read a page: always for some paths and for {@code system:masters}, otherwise by an access
 * review (upstream: {@code DelegatingAuthorizerConfig}). Thread-safe.
 */
public final class DelegatedAuthorization {

    private static final Logger LOG = LoggerFactory.getLogger(DelegatedAuthorization.class);

    private final List<String> allowedPaths;
    private final @Nullable CachedReviews<Boolean> access;

    /**
     * Creates the authorization.
     *
     * @param allowedPaths the paths that every client may read; one with a final {@code *} includes those that begin
     *     with it
     * @param access reviews access; null for an authorization that allows nothing else
     */
    public DelegatedAuthorization(List<String> allowedPaths, @Nullable CachedReviews<Boolean> access) {
        this.allowedPaths = List.copyOf(allowedPaths);
        this.access = access;
    }

    boolean allows(UserInfo caller, String verb, String path) {
        boolean isOpen = allowedPaths.stream()
                .anyMatch(allowed -> allowed.endsWith("*")
                        ? path.startsWith(allowed.substring(0, allowed.length() - 1))
                        : path.equals(allowed));
        if (isOpen || caller.groups().contains("system:masters")) {
            return true;
        }
        if (access == null) {
            return false;
        }
        JsonObject spec = caller.document()
                .without("username")
                .with("user", caller.name())
                .with(
                        "nonResourceAttributes",
                        JsonObject.EMPTY.with("path", path).with("verb", verb));
        JsonObject review = JsonObject.EMPTY
                .with("apiVersion", "authorization.k8s.io/v1")
                .with("kind", "SubjectAccessReview")
                .with("spec", spec);
        try {
            return access.review(spec.toString(), review);
        } catch (ApiException | TransportException | UncheckedIOException e) {
            LOG.warn(
                    "Cannot review the access of {} to {}; the request is rejected: {}",
                    caller.name(),
                    path,
                    e.getMessage());
            return false;
        }
    }
}
