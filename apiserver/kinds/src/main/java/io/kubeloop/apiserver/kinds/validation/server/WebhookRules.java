/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validation of the configurations of webhooks (upstream: {@code pkg/apis/admissionregistration/validation}, {@code
 * apiserver/pkg/util/webhook}).
 */
public final class WebhookRules {

    static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
    static final List<String> REINVOCATION_POLICIES = List.of("IfNeeded", "Never");
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final List<String> VERSIONS = List.of("v1", "v1beta1");
    private static final String FORM = "; desired format: https://host[/path]";

    /** The parts of a URL: scheme, authority, path, query and fragment. */
    private static final Pattern URL = Pattern.compile(
            "(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?", Pattern.DOTALL);

    private static final int MAX_PORT = 65_535;
    private static final int MAX_SECONDS = 30;
    private static final int MIN_SEGMENTS = 3;

    private WebhookRules() {}

    /** Validates a configuration of webhooks, of either kind. */
    public static void configuration(FieldCursor configuration) {
        Set<String> names = new HashSet<>();
        configuration.at("webhooks").each(hook -> {
            hook(hook);
            versions(hook.at("admissionReviewVersions"));
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
        client(hook.at("clientConfig"));
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

    private static void versions(FieldCursor versions) {
        if (!versions.require("must specify one of " + String.join(", ", VERSIONS))) {
            return;
        }
        Set<String> seen = new HashSet<>();
        versions.each(version -> {
            if (seen.add(version.text())) {
                version.follows(NameValidation::dns1035Label);
            } else {
                version.invalid("duplicate version");
            }
        });
        if (VERSIONS.stream().noneMatch(seen::contains)) {
            versions.invalid("must include at least one of " + String.join(", ", VERSIONS));
        }
    }

    private static void client(FieldCursor client) {
        FieldCursor url = client.at("url");
        FieldCursor service = client.at("service");
        if (url.isSet() == service.isSet()) {
            client.required("exactly one of url or service is required");
        } else if (url.isSet()) {
            url(url);
        } else {
            service(service);
        }
    }

    private static void url(FieldCursor url) {
        String problem = problemOfUrl(url.text());
        Matcher parts = URL.matcher(url.text());
        if (!problem.isEmpty() || !parts.matches()) {
            url.required("url must be a valid URL: parse \"" + url.text() + "\": " + problem + FORM);
            return;
        }
        String scheme = text(parts, 1);
        String authority = text(parts, 2);
        int at = authority.lastIndexOf('@');
        if (!scheme.equalsIgnoreCase("https")) {
            shown(url, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        if (authority.length() == at + 1) {
            shown(url, "", "host must be specified" + FORM);
        }
        if (at >= 0) {
            shown(url, authority.substring(0, at), "user information is not permitted in the URL");
        }
        if (!text(parts, 5).isEmpty()) {
            shown(url, text(parts, 5), "fragments are not permitted in the URL");
        }
        if (!text(parts, 4).isEmpty()) {
            shown(url, text(parts, 4), "query parameters are not permitted in the URL");
        }
    }

    private static String problemOfUrl(String url) {
        if (url.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            return "net/url: invalid control character in URL";
        }
        if (url.startsWith(":")) {
            return "missing protocol scheme";
        }
        Matcher parts = URL.matcher(url);
        String path = parts.matches() && text(parts, 1).isEmpty() ? text(parts, 3) : "";
        int slash = path.indexOf('/');
        String first = slash < 0 ? path : path.substring(0, slash);
        return first.contains(":") ? "first path segment in URL cannot contain colon" : "";
    }

    private static String text(Matcher parts, int group) {
        String text = parts.group(group);
        return text == null ? "" : text;
    }

    private static void shown(FieldCursor url, String part, String problem) {
        url.holding(new JsonString(part)).invalid(problem);
    }

    /** Validates a reference to a service. Upstream confuses name and namespace in its errors. */
    private static void service(FieldCursor service) {
        if (service.at("namespace").isEmpty()) {
            service.at("name").required("");
        }
        if (service.at("name").isEmpty()) {
            service.at("namespace").required("");
        }
        FieldCursor port = service.at("port").holdingNumber();
        if (port.number() < 1 || port.number() > MAX_PORT) {
            port.invalid("port is not valid: must be between 1 and 65535, inclusive");
        }
        path(service.at("path"));
    }

    private static void path(FieldCursor path) {
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
        String steps = text.substring(1);
        String[] segments = (steps.endsWith("/") ? steps.substring(0, steps.length() - 1) : steps).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = "segment[" + i + "]";
            if (segments[i].isEmpty()) {
                path.invalid(segment + " may not be empty");
            } else {
                NameValidation.dns1123Subdomain(segments[i]).forEach(problem -> path.invalid(segment + ": " + problem));
            }
        }
    }
}
