/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.typed.GoText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One verb on one resource, object or path: the smallest part of a rule (upstream: {@code BreakdownRule} and {@code
 * ruleCovers} of {@code policy_comparator.go}). Immutable.
 *
 * @param target the object of the verb: a resource or a path
 * @param verb the verb; may be {@code *}
 */
record Permission(Target target, String verb) {

    /**
     * A resource, an object or a path.
     *
     * @param group the API group; may be {@code *}
     * @param resource the resource with its subresource; empty for a path
     * @param name the name of an object; empty for all of them
     * @param path the path; empty for a resource
     */
    record Target(String group, String resource, String name, String path) {}

    /** Returns the parts of a rule. */
    static List<Permission> of(JsonObject rule) {
        List<Target> targets = new ArrayList<>();
        List<String> names = texts(rule, "resourceNames");
        for (String group : texts(rule, "apiGroups")) {
            for (String resource : texts(rule, "resources")) {
                (names.isEmpty() ? List.of("") : names)
                        .forEach(name -> targets.add(new Target(group, resource, name, "")));
            }
        }
        List<Permission> permissions = new ArrayList<>();
        for (Target target : targets) {
            texts(rule, "verbs").forEach(verb -> permissions.add(new Permission(target, verb)));
        }
        for (String path : texts(rule, "nonResourceURLs")) {
            texts(rule, "verbs").forEach(verb -> permissions.add(new Permission(new Target("", "", "", path), verb)));
        }
        return permissions;
    }

    private static List<String> texts(JsonObject rule, String list) {
        return rule.array(list).strings().toList();
    }

    /** Returns whether a rule contains this permission. */
    boolean isCoveredBy(JsonObject rule) {
        if (!Members.isListed(rule.array("verbs"), verb)) {
            return false;
        }
        if (!target.path().isEmpty()) {
            return rule.array("nonResourceURLs").strings().anyMatch(path -> RoleRule.matchesPath(path, target.path()));
        }
        List<String> names = texts(rule, "resourceNames");
        return Members.isListed(rule.array("apiGroups"), target.group())
                && coversResource(rule.array("resources"))
                && (names.isEmpty() || names.contains(target.name()));
    }

    private boolean coversResource(JsonArray resources) {
        String resource = target.resource();
        int slash = resource.indexOf('/');
        return Members.isListed(resources, resource)
                || (slash >= 0 && resources.strings().anyMatch(("*" + resource.substring(slash))::equals));
    }

    /**
     * Returns upstream's texts of permissions: one for each resource or object, with its verbs, and one for each verb
     * on a path.
     */
    static List<String> describe(List<Permission> permissions) {
        List<String> texts = new ArrayList<>();
        Map<Target, List<String>> verbs = new LinkedHashMap<>();
        for (Permission permission : permissions) {
            if (permission.target().path().isEmpty()) {
                verbs.computeIfAbsent(permission.target(), target -> new ArrayList<>())
                        .add(permission.verb());
            } else {
                texts.add(
                        "{NonResourceURLs:" + quoted(List.of(permission.target().path())) + ", Verbs:"
                                + quoted(List.of(permission.verb())) + "}");
            }
        }
        verbs.forEach((target, all) -> texts.add("{APIGroups:" + quoted(List.of(target.group())) + ", Resources:"
                + quoted(List.of(target.resource()))
                + (target.name().isEmpty() ? "" : ", ResourceNames:" + quoted(List.of(target.name()))) + ", Verbs:"
                + quoted(all) + "}"));
        return texts;
    }

    /** Returns texts as Go prints a list of quoted ones. */
    static String quoted(List<String> texts) {
        return texts.stream().map(GoText::quoted).collect(Collectors.joining(" ", "[", "]"));
    }
}
