/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of flow schemas (upstream: {@code pkg/apis/flowcontrol/validation}). */
public final class FlowRules {

    /** The verbs of requests, in the order of messages. */
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch");

    private static final int MAX_PRECEDENCE = 10_000;

    /** The schemas whose spec the server requires. */
    private static final Map<String, JsonObject> FIXED =
            Map.of("exempt", JsonObject.parse("""
                    {"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":1,
                     "rules":[{"subjects":[{"kind":"Group","group":{"name":"system:masters"}}],
                      "resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,
                       "namespaces":["*"]}],
                      "nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
                    """), "catch-all", JsonObject.parse("""
                    {"priorityLevelConfiguration":{"name":"catch-all"},"matchingPrecedence":10000,
                     "distinguisherMethod":{"type":"ByUser"},
                     "rules":[{"subjects":[{"kind":"Group","group":{"name":"system:unauthenticated"}},
                       {"kind":"Group","group":{"name":"system:authenticated"}}],
                      "resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,
                       "namespaces":["*"]}],
                      "nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}
                    """));

    private FlowRules() {}

    /** Validates a schema. */
    public static void schema(FieldCursor schema) {
        FieldCursor spec = schema.at("spec");
        String name = schema.at("metadata", "name").text();
        precedence(spec.at("matchingPrecedence").holdingNumber(), name);
        FieldCursor method = spec.at("distinguisherMethod");
        if (method.isSet()
                && !List.of("ByNamespace", "ByUser").contains(method.at("type").text())) {
            InternalForm.shown("flowcontrol.v1.FlowDistinguisherMethod", method)
                    .named(method.at("type").path())
                    .notSupported(List.of("ByNamespace", "ByUser"));
        }
        FieldCursor level = spec.at("priorityLevelConfiguration", "name");
        if (level.require("must reference a priority level")) {
            level.follows(NameValidation::dns1123Subdomain);
        }
        spec.at("rules").each(FlowRules::rule);
        if (FIXED.containsKey(name) && !spec.object().equals(FIXED.get(name))) {
            InternalForm.shown("flowcontrol.v1.FlowSchemaSpec", spec)
                    .invalid("spec of '" + name + "' must equal the fixed value");
        }
        status(schema);
    }

    /** Validates the change of a status, of a schema or of a priority level. */
    public static void statusUpdate(FieldCursor object, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            status(object);
        }
    }

    static void status(FieldCursor object) {
        Set<String> types = new HashSet<>();
        object.at("status", "conditions").each(condition -> {
            FieldCursor type = condition.at("type").holdingText();
            if (!types.add(type.text())) {
                type.duplicate();
            }
            type.require();
        });
    }

    private static void precedence(FieldCursor precedence, String name) {
        long value = precedence.number();
        if (value <= 0) {
            precedence.invalid("must be a positive value");
        }
        if (value > MAX_PRECEDENCE) {
            precedence.invalid("must not be greater than " + MAX_PRECEDENCE);
        }
        if (value == 1 && !name.equals("exempt")) {
            precedence.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
        }
    }

    private static void rule(FieldCursor rule) {
        rule.at("subjects").require("subjects must contain at least one value");
        rule.at("subjects").each(FlowRules::subject);
        if (rule.at("resourceRules").isEmpty() && rule.at("nonResourceRules").isEmpty()) {
            rule.required("at least one of resourceRules and nonResourceRules has to be non-empty");
        }
        rule.at("resourceRules").each(FlowRules::resources);
        rule.at("nonResourceRules").each(FlowRules::nonResources);
    }

    private static void subject(FieldCursor subject) {
        String kind = subject.at("kind").text();
        switch (kind) {
            case "ServiceAccount" -> serviceAccount(subject.at("serviceAccount"));
            case "User", "Group" -> {
                FieldCursor named = subject.at(kind.equals("User") ? "user" : "group");
                if (named.isSet()) {
                    named.at("name").require();
                } else {
                    String field = kind.equals("User") ? "user" : "group";
                    named.required(field + " is required when subject kind is '" + kind + "'");
                }
            }
            default -> {
                subject.at("kind").notSupported(List.of("Group", "ServiceAccount", "User"));
                return;
            }
        }
        for (String other : List.of("ServiceAccount", "User", "Group")) {
            String field = Character.toLowerCase(other.charAt(0)) + other.substring(1);
            if (!other.equals(kind)) {
                subject.at(field).mustBeAbsent(field + " is forbidden when subject kind is not '" + other + "'");
            }
        }
    }

    private static void serviceAccount(FieldCursor account) {
        if (!account.isSet()) {
            account.required("serviceAccount is required when subject kind is 'ServiceAccount'");
            return;
        }
        FieldCursor name = account.at("name");
        if (name.require() && !name.text().equals("*")) {
            name.follows(NameValidation::dns1123Subdomain);
        }
        if (account.at("namespace").require("must specify namespace for service account")) {
            account.at("namespace").follows(NameValidation::dns1123Label);
        }
    }

    private static void resources(FieldCursor rule) {
        verbs(rule.at("verbs"));
        list(rule.at("apiGroups"), "api group", "api groups");
        list(rule.at("resources"), "resource", "resources");
        FieldCursor namespaces = rule.at("namespaces");
        if (namespaces.isEmpty() && !rule.at("clusterScope").isTrue()) {
            namespaces.required("resource rules that are not cluster scoped must supply at least one namespace");
        } else if (hasWildcard(namespaces)) {
            alone(namespaces, "namespaces");
        } else {
            namespaces.each(namespace -> NameValidation.dns1123Label(namespace.text())
                    .forEach(detail ->
                            namespace.invalid("each member of this list must be '*' or a DNS-1123 label; " + detail)));
        }
    }

    private static void list(FieldCursor list, String one, String several) {
        if (list.require("resource rules must supply at least one " + one) && hasWildcard(list)) {
            alone(list, several);
        }
    }

    private static void nonResources(FieldCursor rule) {
        verbs(rule.at("verbs"));
        FieldCursor urls = rule.at("nonResourceURLs");
        if (!urls.require("nonResourceURLs must contain at least one value")) {
            return;
        }
        if (hasWildcard(urls)) {
            alone(urls, "non-resource URLs");
        } else {
            urls.each(url -> {
                String problem = problemOfPath(url.text());
                if (!problem.isEmpty()) {
                    url.invalid(problem);
                }
            });
        }
    }

    private static String problemOfPath(String path) {
        if (path.isEmpty()) {
            return "must not be empty";
        }
        if (!path.startsWith("/")) {
            return "must start with slash";
        }
        if (path.contains(" ")) {
            return "must not contain white-space";
        }
        if (path.contains("//")) {
            return "must not contain double slash";
        }
        boolean isSuffix = path.indexOf('*') == path.length() - 1 && path.endsWith("/*");
        return !path.contains("*") || isSuffix ? "" : "wildcard can only do suffix matching";
    }

    private static void verbs(FieldCursor verbs) {
        if (!verbs.require("verbs must contain at least one value")) {
            return;
        }
        if (hasWildcard(verbs)) {
            alone(verbs, "verbs");
        } else if (!verbs.array().strings().allMatch(VERBS::contains)) {
            verbs.notSupported(VERBS);
        }
    }

    private static boolean hasWildcard(FieldCursor list) {
        return list.array().strings().anyMatch("*"::equals);
    }

    private static void alone(FieldCursor list, String what) {
        if (list.array().size() > 1) {
            list.invalid("if '*' is present, must not specify other " + what);
        }
    }
}
