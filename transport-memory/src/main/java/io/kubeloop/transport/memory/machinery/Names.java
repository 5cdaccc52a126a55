package io.kubeloop.transport.memory.machinery;

import io.kubeloop.api.NameValidation;
import java.util.List;
import java.util.function.Function;

/** The rules for names of objects, applied to whole names and to prefixes that the server appends to. */
public final class Names {

    private Names() {}

    static List<String> dns1123Subdomain(String name, boolean prefix) {
        return check(name, prefix, NameValidation::dns1123Subdomain);
    }

    /** Complains about a name that is no label of a host. */
    public static List<String> dns1123Label(String name, boolean prefix) {
        return check(name, prefix, NameValidation::dns1123Label);
    }

    /** A prefix may end with a dash, because something follows it. */
    private static List<String> check(String name, boolean prefix, Function<String, List<String>> rule) {
        boolean dashed = prefix && name.length() > 1 && name.endsWith("-");
        return rule.apply(dashed ? name.substring(0, name.length() - 2) + "a" : name);
    }
}
