/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Warnings about webhooks, admission policies and their bindings, and the names that these must not have (upstream:
 * {@code pkg/apis/admissionregistration/validation}). Static functions only.
 */
public final class AdmissionWarnings {

    /** The ending of the names of configurations that are files of the server. */
    private static final String STATIC = ".static.k8s.io";

    private static final String RESERVED = "names ending with \"" + STATIC + "\" are reserved for static manifest-based"
            + " configurations and cannot be managed via the API";

    /** The reviews, which are not stored; no webhook receives them (upstream: {@code exclusion.Excluded}). */
    private static final Set<String> EXCLUDED = Set.of(
            "selfsubjectreviews.authentication.k8s.io",
            "tokenreviews.authentication.k8s.io",
            "localsubjectaccessreviews.authorization.k8s.io",
            "selfsubjectaccessreviews.authorization.k8s.io",
            "selfsubjectrulesreviews.authorization.k8s.io",
            "subjectaccessreviews.authorization.k8s.io");

    private AdmissionWarnings() {}

    /** Adds an error if a new object has a reserved name. */
    public static void checkName(FieldCursor created) {
        FieldCursor name = created.at("metadata", "name");
        if (name.text().endsWith(STATIC)) {
            name.invalid(RESERVED);
        }
    }

    /** Returns the warnings about an object, which may have a reserved name if it is older than the rule. */
    public static List<String> of(FieldCursor configuration, @Nullable JsonObject old, Part part) {
        List<String> warnings = new ArrayList<>();
        if (old != null && configuration.at("metadata", "name").text().endsWith(STATIC)) {
            warnings.add("metadata.name: " + RESERVED);
        }
        configuration
                .at("webhooks")
                .each(hook -> hook.at("rules")
                        .each(rule -> excluded(rule)
                                .forEach(resource -> warnings.add(rule.path() + ": " + resource
                                        + " is excluded from admission webhooks; this rule will have no effect"))));
        return warnings;
    }

    /** Returns the reviews that a rule names; a rule with a wildcard names none. */
    private static Set<String> excluded(FieldCursor rule) {
        Set<String> named = new LinkedHashSet<>();
        List<String> groups = rule.at("apiGroups").array().strings().toList();
        List<String> resources = rule.at("resources").array().strings().toList();
        if (!groups.contains("*") && !resources.contains("*")) {
            groups.forEach(group -> resources.stream()
                    .map(resource -> resource + "." + group)
                    .filter(EXCLUDED::contains)
                    .forEach(named::add));
        }
        return named;
    }
}
