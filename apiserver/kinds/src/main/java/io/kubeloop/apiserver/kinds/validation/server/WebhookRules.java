/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.customresources.definitions.WebhookAddress;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validation of the configurations of webhooks (upstream: {@code pkg/apis/admissionregistration/validation}).
 */
public final class WebhookRules {

    static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
    static final List<String> REINVOCATION_POLICIES = List.of("IfNeeded", "Never");
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final int MAX_SECONDS = 30;
    private static final int MIN_SEGMENTS = 3;

    private WebhookRules() {}

    /** Validates a configuration of webhooks, of either kind. */
    public static void configuration(FieldCursor configuration) {
        Set<String> names = new HashSet<>();
        configuration.at("webhooks").each(hook -> {
            hook(hook);
            FieldCursor versions = hook.at("admissionReviewVersions");
            versions.require("must specify one of " + String.join(", ", WebhookAddress.VERSIONS));
            WebhookAddress.versions(versions);
            FieldCursor name = hook.at("name");
            if (!name.isEmpty() && !names.add(name.text())) {
                name.duplicate();
            }
        });
    }

    private static void hook(FieldCursor hook) {
        name(hook.at("name").holdingText());
        hook.at("rules").each(MatchRules::rule);
        hook.at("failurePolicy").oneOfIfSet(FAILURE_POLICIES);
        hook.at("matchPolicy").oneOfIfSet(MatchRules.MATCH_POLICIES);
        FieldCursor effects = hook.at("sideEffects");
        if (effects.isSet()) {
            effects.oneOf(SIDE_EFFECTS);
        } else {
            effects.required("must specify one of " + String.join(", ", SIDE_EFFECTS));
        }
        FieldCursor timeout = hook.at("timeoutSeconds");
        if (timeout.isSet() && (timeout.number() < 1 || timeout.number() > MAX_SECONDS)) {
            timeout.invalid("the timeout value must be between 1 and 30 seconds");
        }
        SelectorRules.selector(hook.at("namespaceSelector"));
        SelectorRules.selector(hook.at("objectSelector"));
        hook.at("reinvocationPolicy").oneOfIfSet(REINVOCATION_POLICIES);
        WebhookAddress.client(hook.at("clientConfig"));
        MatchRules.conditions(hook.at("matchConditions"), new RequestExpressionRules(false, false));
    }

    private static void name(FieldCursor name) {
        List<String> problems = NameValidation.dns1123Subdomain(name.text());
        if (!name.require()) {
            return;
        }
        if (!problems.isEmpty()) {
            name.invalid(String.join(",", problems));
        } else if (name.text().split("\\.", -1).length < MIN_SEGMENTS) {
            name.invalid("should be a domain with at least three segments separated by dots");
        }
    }
}
