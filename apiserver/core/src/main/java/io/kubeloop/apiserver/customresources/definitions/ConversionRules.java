/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.List;

/** The rules of the conversion between versions. Static functions only. */
final class ConversionRules {

    private ConversionRules() {}

    /**
     * Checks the conversion of a definition.
     *
     * @param strict whether the CA bundle must be valid: upstream accepts an invalid one until the definition is
     *     established
     */
    static void check(FieldCursor conversion, boolean strict) {
        conversion.at("strategy").requireOneOf(List.of("None", "Webhook"));
        // Upstream's messages have the names of the internal version.
        FieldCursor webhook = conversion.at("webhook");
        FieldCursor client = webhook.at("clientConfig").named(conversion.path() + ".webhookClientConfig");
        FieldCursor versions =
                webhook.at("conversionReviewVersions").named(conversion.path() + ".conversionReviewVersions");
        if (conversion.at("strategy").text().equals("Webhook")) {
            checkClient(client);
            if (strict) {
                checkBundle(client.at("caBundle"));
            }
            versions.require();
            WebhookAddress.versions(versions);
            return;
        }
        String detail = "should not be set when strategy is not set to Webhook";
        client.mustBeAbsent(detail);
        versions.mustBeEmpty(detail);
    }

    private static void checkBundle(FieldCursor bundle) {
        String problem = CaBundle.problem(bundle.text());
        if (problem != null) {
            bundle.invalid(problem);
        }
    }

    private static void checkClient(FieldCursor client) {
        if (!client.isSet()) {
            client.required("required when strategy is set to Webhook");
            return;
        }
        WebhookAddress.client(client);
    }
}
