/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.objectmeta;

import io.kubeloop.api.NameValidation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The validation of object names. It applies to whole names and to the prefixes to which the server appends a
 * suffix.
 */
public final class Names {

    private Names() {}

    /** Returns the errors of a name that must be a DNS subdomain, the rule of most kinds. */
    public static List<String> dns1123Subdomain(String name, boolean prefix) {
        return check(name, prefix, NameValidation::dns1123Subdomain);
    }

    /** Returns the errors of a name that is not a DNS label. */
    public static List<String> dns1123Label(String name, boolean prefix) {
        return check(name, prefix, NameValidation::dns1123Label);
    }

    /**
     * Returns the errors of a name that would change the structure of a path (upstream: {@code
     * validation/path.ValidatePathSegmentName}). A prefix may be {@code .} or {@code ..}.
     */
    public static List<String> pathSegment(String name, boolean prefix) {
        if (!prefix && (name.equals(".") || name.equals(".."))) {
            return List.of("may not be '" + name + "'");
        }
        List<String> errors = new ArrayList<>();
        for (String part : List.of("/", "%")) {
            if (name.contains(part)) {
                errors.add("may not contain '" + part + "'");
            }
        }
        return errors;
    }

    /** A prefix may end with a dash, because the generated suffix follows it. */
    private static List<String> check(String name, boolean prefix, Function<String, List<String>> rule) {
        boolean dashed = prefix && name.length() > 1 && name.endsWith("-");
        return rule.apply(dashed ? name.substring(0, name.length() - 2) + "a" : name);
    }
}
