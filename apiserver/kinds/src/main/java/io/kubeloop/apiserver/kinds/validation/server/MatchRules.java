/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.objectmeta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validation of the requests that a webhook or an admission policy matches (upstream: {@code
 * pkg/apis/admissionregistration/validation}).
 */
final class MatchRules {

    static final List<String> MATCH_POLICIES = List.of("Equivalent", "Exact");
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final List<String> CHANGES = List.of("*", "CONNECT", "CREATE", "UPDATE");
    private static final int MAX_CONDITIONS = 64;

    private MatchRules() {}

    /** Validates operations and resources. */
    static void rule(FieldCursor rule) {
        FieldCursor operations = rule.at("operations");
        operations.require();
        alone(operations, "operations");
        operations.each(operation -> operation.holdingText().oneOf(OPERATIONS));
        rule.at("apiGroups").require();
        alone(rule.at("apiGroups"), "API groups");
        rule.at("apiVersions").require();
        alone(rule.at("apiVersions"), "API versions");
        rule.at("apiVersions").each(FieldCursor::require);
        resources(rule.at("resources"));
        rule.at("scope").oneOfIfSet(List.of("*", "Cluster", "Namespaced"));
    }

    private static void alone(FieldCursor list, String what) {
        if (list.array().size() > 1 && list.array().strings().anyMatch("*"::equals)) {
            list.invalid("if '*' is present, must not specify other " + what);
        }
    }

    private static void resources(FieldCursor resources) {
        resources.require();
        Set<String> all = new HashSet<>(); // the resources of which all subresources are listed, as res/*
        Set<String> subresources = new HashSet<>(); // the subresources that are listed of all resources, as */sub
        boolean hasResource = false;
        for (FieldCursor item : resources.items()) {
            String text = item.text();
            if (text.isEmpty()) {
                item.required("");
                continue;
            }
            int slash = text.indexOf('/');
            if (slash < 0) {
                hasResource = !text.equals("*");
                continue;
            }
            String resource = text.substring(0, slash);
            String sub = text.substring(slash + 1);
            if (all.contains(resource)) {
                item.invalid("if '" + resource + "/*' is present, must not specify " + text);
            }
            if (subresources.contains(sub)) {
                item.invalid("if '*/" + sub + "' is present, must not specify " + text);
            }
            if (sub.equals("*")) {
                all.add(resource);
            }
            if (resource.equals("*")) {
                subresources.add(sub);
            }
        }
        if (resources.array().size() > 1 && resources.array().strings().anyMatch("*/*"::equals)) {
            resources.invalid("if '*/*' is present, must not specify other resources");
        }
        if (hasResource && resources.array().strings().anyMatch("*"::equals)) {
            resources.invalid("if '*' is present, must not specify other resources without subresources");
        }
    }

    /** Validates the resources that a policy matches; they may be absent. */
    static void resourcesOf(FieldCursor match) {
        if (!match.isSet()) {
            return;
        }
        match.at("matchPolicy").holdingText().oneOf(MATCH_POLICIES);
        SelectorRules.selector(match.at("namespaceSelector"));
        SelectorRules.selector(match.at("objectSelector"));
        match.at("resourceRules").each(MatchRules::namedRule);
        match.at("excludeResourceRules").each(MatchRules::namedRule);
    }

    private static void namedRule(FieldCursor rule) {
        Set<String> seen = new HashSet<>();
        rule.at("resourceNames").each(name -> {
            name.follows(text -> Names.pathSegment(text, false));
            if (!seen.add(name.text())) {
                name.duplicate();
            }
        });
        rule(rule);
    }

    /** Validates that a policy that changes objects matches no deletion. */
    static void changes(FieldCursor match) {
        for (FieldCursor rule : match.at("resourceRules").items()) {
            rule.at("operations")
                    .each(operation -> operation
                            .named(match.path() + ".resourceRules.operations")
                            .holdingText()
                            .oneOf(CHANGES));
        }
    }

    /**
     * Validates the conditions of a match.
     *
     * @param expressions compiles their expressions
     */
    static void conditions(FieldCursor conditions, RequestExpressionRules expressions) {
        conditions.atMost(MAX_CONDITIONS);
        Set<String> names = new HashSet<>();
        conditions.each(condition -> {
            if (condition.at("expression").text().isBlank()) {
                condition.at("expression").required("");
            } else {
                expressions.condition(condition.at("expression"));
            }
            FieldCursor name = condition.at("name");
            if (name.require()) {
                name.follows(NameValidation::qualifiedName);
                if (!names.add(name.text())) {
                    name.duplicate();
                }
            }
        });
    }
}
