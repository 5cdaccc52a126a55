/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;

/**
 * Validation of the attestations in a request for a token (upstream: {@code pkg/apis/authentication/validation}).
 * Static functions only.
 */
final class Attestations {

    private static final String FIELD = "spec.attestations";
    private static final String GROUPS = "admissionReviewAPIGroups";

    private Attestations() {}

    /** Returns the only error about a token with attestations that is not for a webhook. */
    static FieldErrors unexpected(JsonObject attestations) {
        FieldErrors errors = new FieldErrors();
        errors.invalid(FIELD, attestations, "attestations may only be specified with a webhook bound object reference");
        return errors;
    }

    /** Validates a request for a token of a webhook: one audience, and the API group of the reviews. */
    static void check(FieldCursor spec) {
        FieldCursor audiences = spec.at("audiences");
        FieldCursor attestations = spec.at("attestations");
        if (audiences.array().size() != 1) {
            audiences.invalid("must be length 1 when bound to a webhook config");
        }
        if (attestations.entries().size() != 1) {
            attestations.invalid("webhook bound requests require exactly one " + GROUPS + " attestation");
            return;
        }
        attestations.entries().forEach(values -> {
            String key = attestations.object().members().keySet().iterator().next();
            if (!key.equals(GROUPS)) {
                values.holding(new JsonString(key)).notSupported(List.of(GROUPS));
            } else if (values.array().size() != 1) {
                values.invalid("must specify a single value");
            } else {
                group(values.items().get(0));
            }
        });
    }

    private static void group(FieldCursor group) {
        if (group.isEmpty()) {
            group.holdingText().invalid("may not be an empty string");
        } else if (!group.text().equals("*")) {
            NameValidation.dns1123Subdomain(group.text())
                    .forEach(problem -> group.invalid("must specify a valid API Group: " + problem));
        }
    }
}
