package io.kubeloop.apiserver.machinery;

import io.kubeloop.api.NameValidation;
import java.util.List;
import java.util.function.Function;

/**
 * The validation of object names. It applies to whole names and to the prefixes to which the server appends a
 * suffix.
 */
public final class Names {

    private Names() {}

    static List<String> dns1123Subdomain(String name, boolean prefix) {
        return check(name, prefix, NameValidation::dns1123Subdomain);
    }

    /** Returns the errors of a name that is not a DNS label. */
    public static List<String> dns1123Label(String name, boolean prefix) {
        return check(name, prefix, NameValidation::dns1123Label);
    }

    /** A prefix may end with a dash, because the generated suffix follows it. */
    private static List<String> check(String name, boolean prefix, Function<String, List<String>> rule) {
        boolean dashed = prefix && name.length() > 1 && name.endsWith("-");
        return rule.apply(dashed ? name.substring(0, name.length() - 2) + "a" : name);
    }
}
