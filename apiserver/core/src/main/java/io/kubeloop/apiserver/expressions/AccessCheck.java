/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import java.util.HashMap;
import java.util.Map;

/**
 * A question about access that an expression composes step by step: the value of {@code authorizer} (upstream: {@code
 * apiserver/pkg/cel/library/authz.go}). Immutable.
 *
 * @param authority decides
 * @param request the request as far as it is composed; the keys are {@link #PATH} and the others of this type
 */
public record AccessCheck(Authority authority, Map<String, String> request) {

    /** The path of a request that is not about a resource. */
    public static final String PATH = "path";
    /** The API group. */
    public static final String GROUP = "group";
    /** The plural of the resource. */
    public static final String RESOURCE = "resource";
    /** The subresource. */
    public static final String SUBRESOURCE = "subresource";
    /** The namespace. */
    public static final String NAMESPACE = "namespace";
    /** The name of the object. */
    public static final String NAME = "name";
    /** The verb. */
    public static final String VERB = "verb";
    /**
     * The namespace and the name, with a colon between, of the service account whose access is checked; absent for the
     * user of the request.
     */
    public static final String ACCOUNT = "account";

    /** Decides about requests. Must be thread-safe. */
    @FunctionalInterface
    public interface Authority {

        /** Returns the decision about a composed request. */
        Decision decide(Map<String, String> request);
    }

    /**
     * A decision.
     *
     * @param reason why; empty if there is nothing to say
     */
    public record Decision(boolean allowed, String reason) {}

    /** Returns the question with one more part. */
    public AccessCheck with(String key, String value) {
        Map<String, String> more = new HashMap<>(request);
        more.put(key, value);
        return new AccessCheck(authority, more);
    }

    /** Returns the decision about a verb. */
    public Decision decide(String verb) {
        return authority.decide(with(VERB, verb).request());
    }
}
