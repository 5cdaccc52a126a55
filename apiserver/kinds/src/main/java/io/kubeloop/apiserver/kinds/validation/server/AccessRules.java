/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import java.util.List;

/** Validation of roles and of their bindings (upstream: {@code pkg/apis/rbac/validation}). */
public final class AccessRules {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private AccessRules() {}

    /** Validates a role of a namespace. */
    public static void role(FieldCursor role) {
        role.at("rules").each(rule -> rule(rule, true));
    }

    /** Validates a role of the cluster. */
    public static void clusterRole(FieldCursor role) {
        role.at("rules").each(rule -> rule(rule, false));
        role.at("aggregationRule").ifSet(aggregation -> {
            FieldCursor selectors = aggregation.at("clusterRoleSelectors");
            selectors.require("at least one clusterRoleSelector required if aggregationRule is non-nil");
            selectors.each(selector -> {
                SelectorRules.selector(selector);
                if (SelectorRules.read(selector) == null) {
                    selector.holding(null).invalid("invalid label selector.");
                }
            });
        });
    }

    private static void rule(FieldCursor rule, boolean isNamespaced) {
        rule.at("verbs").declared().require();
        FieldCursor urls = rule.at("nonResourceURLs");
        if (urls.isEmpty()) {
            rule.at("apiGroups").require("resource rules must supply at least one api group");
            rule.at("resources").require("resource rules must supply at least one resource");
            return;
        }
        if (isNamespaced) {
            urls.invalid("namespaced rules cannot apply to non-resource URLs");
        }
        if (!rule.at("apiGroups").isEmpty()
                || !rule.at("resources").isEmpty()
                || !rule.at("resourceNames").isEmpty()) {
            urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
        }
    }

    /** Validates a binding of a namespace. */
    public static void roleBinding(FieldCursor binding) {
        binding(binding, List.of("Role", "ClusterRole"), true);
    }

    /** Validates a binding of the cluster. */
    public static void clusterRoleBinding(FieldCursor binding) {
        binding(binding, List.of("ClusterRole"), false);
    }

    private static void binding(FieldCursor binding, List<String> kinds, boolean isNamespaced) {
        FieldCursor role = binding.at("roleRef");
        role.at("apiGroup").oneOf(List.of(GROUP));
        role.at("kind").oneOf(kinds);
        role.at("name").followsIfSet(name -> Names.pathSegment(name, false));
        binding.at("subjects").each(subject -> subject(subject, isNamespaced));
    }

    private static void subject(FieldCursor subject, boolean isNamespaced) {
        subject.at("name").declared().require();
        FieldCursor group = subject.at("apiGroup");
        switch (subject.at("kind").text()) {
            case "ServiceAccount" -> {
                subject.at("name").followsIfSet(NameValidation::dns1123Subdomain);
                group.oneOf(List.of(""));
                if (!isNamespaced) {
                    subject.at("namespace").require();
                }
            }
            case "User", "Group" -> group.oneOf(List.of(GROUP));
            default -> subject.at("kind").notSupported(List.of("ServiceAccount", "User", "Group"));
        }
    }

    /** Validates a new binding further. */
    public static void newBinding(FieldCursor binding) {
        binding.at("roleRef", "name").declared().require();
    }

    /** Validates the change of a binding: it keeps its role. */
    public static void bindingUpdate(FieldCursor binding, FieldCursor old, Part part) {
        FieldCursor role = binding.at("roleRef");
        role.at("name").require();
        if (!role.isSameAs(old.at("roleRef"))) {
            InternalForm.shown("rbac.v1.RoleRef", role).invalid("field is immutable");
        }
    }
}
