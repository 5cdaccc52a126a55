package io.kubeloop.api;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The syntax of names, label keys and label values (upstream: {@code k8s.io/apimachinery/pkg/util/validation}).
 *
 * <p>Every method returns the errors as messages for people. An empty list means that the text is valid. The methods
 * scan the text rather than match regular expressions, because selectors are validated often and a scan cannot
 * backtrack. O(n). Stateless.
 */
public final class NameValidation {

    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;
    private static final int MAX_PORT_NAME = 15;

    private NameValidation() {}

    /**
     * Checks a label or annotation key: a name of at most 63 characters, optionally with a DNS subdomain and a slash
     * in front.
     */
    public static List<String> qualifiedName(String key) {
        int slash = key.indexOf('/');
        if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
            return List.of("must have at most one '/', between a DNS subdomain and a name");
        }
        List<String> errors = new ArrayList<>();
        if (slash == 0) {
            errors.add("prefix must not be empty");
        } else if (slash > 0) {
            dns1123Subdomain(key.substring(0, slash)).forEach(error -> errors.add("prefix " + error));
        }
        String name = key.substring(slash + 1);
        if (name.isEmpty()) {
            errors.add("name must not be empty");
        } else {
            checkLength(name, MAX_LABEL, "name ", errors);
            if (!isBounded(name)) {
                errors.add("name must be letters, digits, '-', '_' and '.', with a letter or digit at both ends");
            }
        }
        return errors;
    }

    /** Checks a label value: empty, or at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends. */
    public static List<String> labelValue(String value) {
        List<String> errors = new ArrayList<>();
        checkLength(value, MAX_LABEL, "", errors);
        if (!value.isEmpty() && !isBounded(value)) {
            errors.add("must be empty or letters, digits, '-', '_' and '.', with a letter or digit at both ends");
        }
        return errors;
    }

    /** Checks one segment of a request's path. Any text is valid that does not change the structure of the path. */
    public static List<String> pathSegment(String text) {
        if (text.equals(".") || text.equals("..")) {
            return List.of("must not be '" + text + "'");
        }
        return Stream.of("/", "%")
                .filter(text::contains)
                .map(bad -> "must not contain '" + bad + "'")
                .toList();
    }

    /** Checks a DNS label (RFC 1123): at most 63 lower case letters, digits and '-', without '-' at the ends. */
    public static List<String> dns1123Label(String name) {
        List<String> errors = new ArrayList<>();
        checkLength(name, MAX_LABEL, "", errors);
        if (!isDnsLabel(name)) {
            errors.add("must be lower case letters, digits and '-', with a letter or digit at both ends");
        }
        return errors;
    }

    /** Checks a DNS subdomain (RFC 1123): labels joined by dots, at most 253 characters in all. */
    public static List<String> dns1123Subdomain(String name) {
        List<String> errors = new ArrayList<>();
        checkLength(name, MAX_SUBDOMAIN, "", errors);
        int from = 0;
        for (int dot = name.indexOf('.'); ; dot = name.indexOf('.', from)) {
            if (!isDnsLabel(dot < 0 ? name.substring(from) : name.substring(from, dot))) {
                errors.add("must be lower case letters, digits, '-' and '.', with a letter or digit at both ends of"
                        + " every part");
                return errors;
            }
            if (dot < 0) {
                return errors;
            }
            from = dot + 1;
        }
    }

    /**
     * Checks a DNS label (RFC 1035): like {@link #dns1123Label}, but the first character is a letter. Names of
     * services followed this rule before Kubernetes 1.36.
     */
    public static List<String> dns1035Label(String name) {
        List<String> errors = new ArrayList<>();
        checkLength(name, MAX_LABEL, "", errors);
        if (!isDnsLabel(name) || isDigit(name.charAt(0))) {
            errors.add("must be lower case letters, digits and '-', beginning with a letter and not ending with '-'");
        }
        return errors;
    }

    /** Checks the name of a port (RFC 6335): at most 15 lower case letters, digits and single '-', with a letter. */
    public static List<String> portName(String name) {
        List<String> errors = new ArrayList<>();
        checkLength(name, MAX_PORT_NAME, "", errors);
        if (name.isEmpty() || !name.chars().allMatch(c -> isLower(c) || isDigit(c) || c == '-')) {
            errors.add("must be lower case letters, digits and '-'");
        }
        if (name.chars().noneMatch(NameValidation::isLower)) {
            errors.add("must have at least one letter");
        }
        if (name.contains("--")) {
            errors.add("must not have two '-' in a row");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            errors.add("must not begin or end with '-'");
        }
        return errors;
    }

    /** Checks an IPv4 or IPv6 address. */
    public static List<String> ip(String address) {
        return IpAddress.parse(address) == null ? List.of("must be an IPv4 or IPv6 address") : List.of();
    }

    /**
     * Checks a key of a ConfigMap or Secret: at most 253 letters, digits, '-', '_' and '.'. It must not be '.' or
     * begin with '..', because keys become file names.
     */
    public static List<String> configMapKey(String key) {
        List<String> errors = new ArrayList<>();
        checkLength(key, MAX_SUBDOMAIN, "", errors);
        if (key.isEmpty() || !key.chars().allMatch(NameValidation::isNameChar)) {
            errors.add("must be letters, digits, '-', '_' and '.'");
        }
        if (key.equals(".") || key.startsWith("..")) {
            errors.add("must not be '.' or begin with '..'");
        }
        return errors;
    }

    /**
     * Checks a {@code generateName} of a resource whose names are DNS subdomains. One trailing '-' is allowed,
     * because the server appends to it. Like upstream, the method does not check the ASCII character before that '-'.
     */
    public static List<String> dns1123SubdomainPrefix(String prefix) {
        int masked = prefix.length() - 2;
        return dns1123Subdomain(
                masked >= 0 && prefix.endsWith("-") && prefix.charAt(masked) < 0x80
                        ? prefix.substring(0, masked) + "a"
                        : prefix);
    }

    private static void checkLength(String text, int max, String what, List<String> errors) {
        if (text.length() > max) {
            errors.add(what + "must be no more than " + max + " characters");
        }
    }

    private static boolean isDnsLabel(String text) {
        int last = text.length() - 1;
        for (int i = 0; i <= last; i++) {
            char c = text.charAt(i);
            if (!isLower(c) && !isDigit(c) && (c != '-' || i == 0 || i == last)) {
                return false;
            }
        }
        return last >= 0;
    }

    /** Returns whether a text is not empty, has name characters only, and has a letter or digit at both ends. */
    private static boolean isBounded(String text) {
        int last = text.length() - 1;
        return last >= 0
                && isAlphanumeric(text.charAt(0))
                && isAlphanumeric(text.charAt(last))
                && text.chars().allMatch(NameValidation::isNameChar);
    }

    private static boolean isNameChar(int c) {
        return isAlphanumeric(c) || c == '-' || c == '_' || c == '.';
    }

    private static boolean isAlphanumeric(int c) {
        return isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isLower(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
