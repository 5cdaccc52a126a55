/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of the conversion between versions. Static functions only. */
final class ConversionRules {

    private static final String PATH = "spec.conversion";
    private static final String CLIENT = PATH + ".webhookClientConfig";
    private static final String FORM = "; desired format: https://host[/path]";

    private ConversionRules() {}

    /**
     * Checks the conversion of a definition.
     *
     * @param strict whether the CA bundle must be valid: upstream accepts an invalid one until the definition is
     *     established
     */
    static void check(Crd definition, boolean strict, FieldErrors problems) {
        JsonObject conversion = definition.spec().object("conversion");
        String strategy = conversion.string("strategy");
        List<String> strategies = List.of("None", "Webhook");
        if (strategy.isEmpty()) {
            problems.required(PATH + ".strategy", "");
        } else if (!strategies.contains(strategy)) {
            problems.notSupported(PATH + ".strategy", strategy, strategies);
        }
        JsonArray versions = conversion.array("webhook", "conversionReviewVersions");
        boolean hasClient = conversion.get("webhook", "clientConfig") instanceof JsonObject;
        if (strategy.equals("Webhook")) {
            checkClient(conversion, hasClient, problems);
            if (strict) {
                checkBundle(definition, problems);
            }
            checkVersions(versions, problems);
            return;
        }
        String detail = "should not be set when strategy is not set to Webhook";
        if (hasClient) {
            problems.forbidden(CLIENT, detail);
        }
        if (!versions.isEmpty()) {
            problems.forbidden(PATH + ".conversionReviewVersions", detail);
        }
    }

    private static void checkBundle(Crd definition, FieldErrors problems) {
        String bundle = definition.caBundle();
        String problem = CaBundle.problem(bundle);
        if (problem != null) {
            problems.invalid(CLIENT + ".caBundle", bundle, problem);
        }
    }

    private static void checkClient(JsonObject conversion, boolean hasClient, FieldErrors problems) {
        JsonObject client = conversion.object("webhook", "clientConfig");
        if (!hasClient) {
            problems.required(CLIENT, "required when strategy is set to Webhook");
        } else if (client.has("url") == client.has("service")) {
            problems.required(CLIENT, "exactly one of url or service is required");
        } else if (client.has("url")) {
            checkUrl(client.string("url"), problems);
        } else {
            checkService(client.object("service"), problems);
        }
    }

    private static void checkUrl(String url, FieldErrors problems) {
        String path = CLIENT + ".url";
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            problems.required(path, "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        String scheme = orEmpty(uri.getScheme());
        if (!scheme.equals("https")) {
            problems.invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        if (orEmpty(uri.getRawAuthority()).isEmpty()) {
            problems.invalid(path, "", "host must be specified" + FORM);
        }
        refuse(path, orEmpty(uri.getRawUserInfo()), "user information is not permitted in the URL", problems);
        refuse(path, orEmpty(uri.getFragment()), "fragments are not permitted in the URL", problems);
        refuse(path, orEmpty(uri.getRawQuery()), "query parameters are not permitted in the URL", problems);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static void refuse(String path, String part, String detail, FieldErrors problems) {
        if (!part.isEmpty()) {
            problems.invalid(path, part, detail);
        }
    }

    private static void checkService(JsonObject service, FieldErrors problems) {
        for (String name : List.of("name", "namespace")) {
            if (service.string(name).isEmpty()) {
                problems.required(CLIENT + ".service." + name, "");
            }
        }
        Long port = service.number("port");
        if (port != null && (port < 1 || port > 65535)) {
            problems.invalidLiteral(
                    CLIENT + ".service.port",
                    port.toString(),
                    "port is not valid: must be between 1 and 65535, inclusive");
        }
        String urlPath = service.string("path");
        checkPath(CLIENT + ".service.path", urlPath, problems);
    }

    private static void checkPath(String path, String urlPath, FieldErrors problems) {
        if (urlPath.isEmpty() || urlPath.equals("/")) {
            return;
        }
        if (urlPath.equals("//")) {
            problems.invalid(path, urlPath, "segment[0] may not be empty");
            return;
        }
        if (!urlPath.startsWith("/")) {
            problems.invalid(path, urlPath, "must start with a '/'");
        }
        String rest = urlPath.substring(1);
        String[] steps = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            if (steps[i].isEmpty()) {
                problems.invalid(path, urlPath, "segment[" + i + "] may not be empty");
                continue;
            }
            for (String error : NameValidation.dns1123Subdomain(steps[i])) {
                problems.invalid(path, urlPath, "segment[" + i + "]: " + error);
            }
        }
    }

    private static void checkVersions(JsonArray versions, FieldErrors problems) {
        String path = PATH + ".conversionReviewVersions";
        if (versions.isEmpty()) {
            problems.required(path, "");
            return;
        }
        Set<String> seen = new HashSet<>();
        List<String> all = versions.strings().toList();
        for (int i = 0; i < all.size(); i++) {
            String at = path + "[" + i + "]";
            if (!seen.add(all.get(i))) {
                problems.invalid(at, new JsonString(all.get(i)), "duplicate version");
                continue;
            }
            for (String error : NameValidation.dns1035Label(all.get(i))) {
                problems.invalid(at, all.get(i), error);
            }
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            problems.invalid(path, versions, "must include at least one of v1, v1beta1");
        }
    }
}
