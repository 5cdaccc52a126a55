/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonString;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of the conversion between versions. Static functions only. */
final class ConversionRules {

    private static final String FORM = "; desired format: https://host[/path]";

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
            checkVersions(versions);
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
        FieldCursor url = client.at("url");
        FieldCursor service = client.at("service");
        if (!client.isSet()) {
            client.required("required when strategy is set to Webhook");
        } else if (url.isSet() == service.isSet()) {
            client.required("exactly one of url or service is required");
        } else if (url.isSet()) {
            checkUrl(url);
        } else {
            checkService(service);
        }
    }

    private static void checkUrl(FieldCursor url) {
        URI uri;
        try {
            uri = URI.create(url.text());
        } catch (IllegalArgumentException e) {
            url.required("url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        FieldCursor scheme = part(url, uri.getScheme());
        if (!scheme.text().equals("https")) {
            scheme.invalid("'https' is the only allowed URL scheme" + FORM);
        }
        FieldCursor host = part(url, uri.getRawAuthority());
        if (host.isEmpty()) {
            host.invalid("host must be specified" + FORM);
        }
        refuse(part(url, uri.getRawUserInfo()), "user information is not permitted in the URL");
        refuse(part(url, uri.getFragment()), "fragments are not permitted in the URL");
        refuse(part(url, uri.getRawQuery()), "query parameters are not permitted in the URL");
    }

    private static FieldCursor part(FieldCursor url, @Nullable String text) {
        return url.holding(new JsonString(text == null ? "" : text));
    }

    private static void refuse(FieldCursor part, String detail) {
        if (!part.isEmpty()) {
            part.invalid(detail);
        }
    }

    private static void checkService(FieldCursor service) {
        service.at("name").require();
        service.at("namespace").require();
        FieldCursor port = service.at("port");
        if (port.isSet() && (port.number() < 1 || port.number() > 65535)) {
            port.invalid("port is not valid: must be between 1 and 65535, inclusive");
        }
        checkPath(service.at("path"));
    }

    private static void checkPath(FieldCursor path) {
        String text = path.text();
        if (text.isEmpty() || text.equals("/")) {
            return;
        }
        if (text.equals("//")) {
            path.invalid("segment[0] may not be empty");
            return;
        }
        if (!text.startsWith("/")) {
            path.invalid("must start with a '/'");
        }
        String rest = text.substring(1);
        String[] steps = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            if (steps[i].isEmpty()) {
                path.invalid("segment[" + i + "] may not be empty");
                continue;
            }
            for (String error : NameValidation.dns1123Subdomain(steps[i])) {
                path.invalid("segment[" + i + "]: " + error);
            }
        }
    }

    private static void checkVersions(FieldCursor versions) {
        if (!versions.require()) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (FieldCursor version : versions.items()) {
            if (seen.add(version.text())) {
                version.follows(NameValidation::dns1035Label);
            } else {
                version.invalid("duplicate version");
            }
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            versions.invalid("must include at least one of v1, v1beta1");
        }
    }
}
