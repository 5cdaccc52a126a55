/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the address and the versions of a webhook (upstream: {@code apiserver/pkg/util/webhook}). */
public final class WebhookAddress {

    /** The versions of reviews, of which a webhook must accept one. */
    public static final List<String> VERSIONS = List.of("v1", "v1beta1");

    private static final String FORM = "; desired format: https://host[/path]";

    /** The parts of a URL: scheme, authority, path, query and fragment. */
    private static final Pattern URL = Pattern.compile(
            "(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?", Pattern.DOTALL);

    private static final Pattern BAD_ESCAPE =
            Pattern.compile("%(?:[^0-9a-fA-F].?|[0-9a-fA-F][^0-9a-fA-F]|[0-9a-fA-F]?$)");
    private static final Pattern PORT = Pattern.compile(":\\d*");
    private static final Pattern NO_HOST = Pattern.compile("[ <>\"\\\\^`{|}]");
    private static final int MAX_PORT = 65_535;

    private WebhookAddress() {}

    /** Validates the configuration of a client: it has either a URL or a service. */
    public static void client(FieldCursor client) {
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

    /** Validates the versions of reviews that a webhook accepts, if there are any. */
    public static void versions(FieldCursor versions) {
        Set<String> seen = new HashSet<>();
        versions.each(version -> {
            if (seen.add(version.text())) {
                version.follows(NameValidation::dns1035Label);
            } else {
                version.invalid("duplicate version");
            }
        });
        if (!versions.isEmpty() && VERSIONS.stream().noneMatch(seen::contains)) {
            versions.invalid("must include at least one of " + String.join(", ", VERSIONS));
        }
    }

    private static void url(FieldCursor url) {
        String problem = problemOfUrl(url.text());
        Matcher parts = URL.matcher(url.text());
        if (!problem.isEmpty() || !parts.matches()) {
            url.required("url must be a valid URL: parse " + GoText.quoted(url.text()) + ": " + problem + FORM);
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
        if (!parts.matches()) {
            return "";
        }
        String path = text(parts, 3);
        if (text(parts, 1).isEmpty() && path.split("/", 2)[0].contains(":")) {
            return "first path segment in URL cannot contain colon";
        }
        String authority = text(parts, 2);
        String problem = problemOfHost(authority.substring(authority.lastIndexOf('@') + 1));
        Matcher escape = BAD_ESCAPE.matcher(path);
        return problem.isEmpty() && escape.find() ? "invalid URL escape " + GoText.quoted(escape.group()) : problem;
    }

    private static String problemOfHost(String host) {
        boolean isBracketed = host.startsWith("[");
        if (isBracketed && host.indexOf(']') < 0) {
            return "missing ']' in host";
        }
        int colon = host.indexOf(':', isBracketed ? host.lastIndexOf(']') : host.lastIndexOf(':'));
        if (colon >= 0 && !PORT.matcher(host.substring(colon)).matches()) {
            return "invalid port " + GoText.quoted(host.substring(colon)) + " after host";
        }
        Matcher bad = NO_HOST.matcher(host);
        return bad.find() ? "invalid character " + GoText.quoted(bad.group()) + " in host name" : "";
    }

    private static String text(Matcher parts, int group) {
        String text = parts.group(group);
        return text == null ? "" : text;
    }

    private static void shown(FieldCursor url, String part, String problem) {
        url.holding(new JsonString(part)).invalid(problem);
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
