/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.cel.value.ParsedUrl;
import io.kubeloop.apiserver.expressions.TextFormats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A format of strings that expressions can check (upstream: {@code apiserver/pkg/cel/format.go}). Immutable.
 *
 * @param name the name
 * @param check returns the problems of a string
 */
record NamedFormat(String name, Function<String, List<String>> check) {

    static final Map<String, NamedFormat> BY_NAME = formats();

    private static Map<String, NamedFormat> formats() {
        Map<String, NamedFormat> formats = new LinkedHashMap<>();
        add(formats, "dns1123Label", NameValidation::dns1123Label);
        add(formats, "dns1123Subdomain", NameValidation::dns1123Subdomain);
        add(formats, "dns1035Label", NameValidation::dns1035Label);
        add(formats, "qualifiedName", NameValidation::qualifiedName);
        add(formats, "dns1123LabelPrefix", text -> NameValidation.dns1123Label(prefix(text)));
        add(formats, "dns1123SubdomainPrefix", text -> NameValidation.dns1123Subdomain(prefix(text)));
        add(formats, "dns1035LabelPrefix", text -> NameValidation.dns1035Label(prefix(text)));
        add(formats, "labelValue", NameValidation::labelValue);
        add(formats, "uri", text -> TextFormats.matches("uri", text) ? List.of() : List.of(ParsedUrl.problem(text)));
        add(formats, "uuid", ofSchemas("uuid", "does not match the UUID format"));
        add(formats, "byte", ofSchemas("byte", "invalid base64"));
        add(formats, "date", ofSchemas("date", "invalid date"));
        add(formats, "datetime", ofSchemas("datetime", "invalid datetime"));
        return formats;
    }

    private static void add(Map<String, NamedFormat> formats, String name, Function<String, List<String>> check) {
        formats.put(name, new NamedFormat(name, check));
    }

    private static Function<String, List<String>> ofSchemas(String format, String problem) {
        return text -> TextFormats.matches(format, text) ? List.of() : List.of(problem);
    }

    /** A prefix may end with a dash, which upstream replaces together with the character in front. */
    private static String prefix(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text;
    }

    /** Returns the problems of a string; empty if it has the format. */
    Optional<List<String>> validate(String text) {
        List<String> problems = check.apply(text);
        return problems.isEmpty() ? Optional.empty() : Optional.of(problems);
    }
}
