/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.api.selector.Selector;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.LabelSelectorTrees;

/**
 * The requests that a webhook or an admission policy matches. Immutable.
 *
 * @param rules the rules of which one must match
 * @param excluded the rules of which none may match
 * @param isAny whether every resource matches if there are no rules
 * @param isExact whether only the version and the resource of the request count, not the equivalent ones
 * @param namespaces selects the namespaces of the objects
 * @param objects selects the objects, before or after the write
 */
public record MatchedRequests(
        JsonArray rules, JsonArray excluded, boolean isAny, boolean isExact, Selector namespaces, Selector objects) {

    /** Returns the requests of a webhook. */
    public static MatchedRequests ofWebhook(JsonObject webhook) {
        return of(webhook, webhook.array("rules"), JsonArray.EMPTY, false);
    }

    /** Returns the requests of the {@code MatchResources} of a policy or of a binding. */
    public static MatchedRequests ofPolicy(JsonObject resources) {
        return of(resources, resources.array("resourceRules"), resources.array("excludeResourceRules"), true);
    }

    private static MatchedRequests of(JsonObject match, JsonArray rules, JsonArray excluded, boolean isAny) {
        return new MatchedRequests(
                rules,
                excluded,
                isAny,
                match.string("matchPolicy").equals("Exact"),
                LabelSelectorTrees.read(match.object("namespaceSelector")),
                LabelSelectorTrees.read(match.object("objectSelector")));
    }
}
