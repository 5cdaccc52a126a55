/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.kubeloop.api.value.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The syntax of names, label keys and label values (upstream: {@code k8s.io/apimachinery/pkg/util/validation}).
 *
 * <p>Every method returns the errors as messages for people, in the words of kube-apiserver. An empty list means that
 * the text is valid. The methods
 * scan the text rather than match regular expressions, because selectors are validated often and a scan cannot
 * backtrack. O(n). Stateless.
 */
public final class NameValidation {

    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;
    private static final int MAX_PORT_NAME = 15;

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String NOT_A_KEY =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
                    + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
                    + "validation is '"
                    + KEY + "')";

    private NameValidation() {}

    /**
     * Checks a label or annotation key: a name of at most 63 characters, optionally with a DNS subdomain and a slash
     * in front.
     */
    public static List<String> qualifiedName(String key) {
        int slash = key.indexOf('/');
        if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
            return List.of("a valid label key " + NOT_A_KEY
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> errors = new ArrayList<>();
        if (slash == 0) {
            errors.add("prefix part must be non-empty");
        } else if (slash > 0) {
            dns1123Subdomain(key.substring(0, slash)).forEach(error -> errors.add("prefix part " + error));
        }
        String name = key.substring(slash + 1);
        if (name.isEmpty()) {
            errors.add("name part must be non-empty");
        } else if (name.length() > MAX_LABEL) {
            errors.add("name part must be no more than " + MAX_LABEL + " bytes");
        }
        if (!isBounded(name)) {
            errors.add("name part " + NOT_A_KEY);
        }
        return errors;
    }

    /**
     * Checks a label value: empty, or at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both
     * ends.
     */
    public static List<String> labelValue(String value) {
        List<String> errors = new ArrayList<>();
        if (value.length() > MAX_LABEL) {
            errors.add("must be no more than " + MAX_LABEL + " bytes");
        }
        if (!value.isEmpty() && !isBounded(value)) {
            errors.add(
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and"
                            + " must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
                            + "or '12345',"
                            + " regex used for validation is '(" + KEY + ")?')");
        }
        return errors;
    }

    /**
     * Checks one segment of a request path. A text is valid unless it changes the structure of the path, as a slash
     * does.
     */
    public static List<String> pathSegment(String text) {
        if (text.equals(".") || text.equals("..")) {
            return List.of("may not be '" + text + "'");
        }
        return Stream.of("/", "%")
                .filter(text::contains)
                .map(bad -> "may not contain '" + bad + "'")
                .toList();
    }

    /** Checks a DNS label (RFC 1123): at most 63 lower case letters, digits and '-', without '-' at the ends. */
    public static List<String> dns1123Label(String name) {
        List<String> errors = new ArrayList<>();
        checkLength(name, MAX_LABEL, "", errors);
        if (!isDnsLabel(name)) {
            errors.add(
                    dns1123Subdomain(name).isEmpty()
                            ? "must not contain dots"
                            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
                                    + "and must start and end with an alphanumeric character (e.g. 'my-name',  or "
                                    + "'123-abc', regex"
                                    + " used for validation is '" + LABEL + "')");
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
                errors.add("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
                        + "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
                        + "for"
                        + " validation is '" + LABEL + "(\\." + LABEL + ")*')");
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
            errors.add("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                    + "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
                    + "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
        }
        return errors;
    }

    /** Checks the name of a port (RFC 6335): at most 15 lower case letters, digits and single '-', with a letter. */
    public static List<String> portName(String name) {
        List<String> errors = new ArrayList<>();
        checkLength(name, MAX_PORT_NAME, "", errors);
        if (name.isEmpty() || !name.chars().allMatch(c -> isLower(c) || isDigit(c) || c == '-')) {
            errors.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(NameValidation::isLower)) {
            errors.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            errors.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            errors.add("must not begin or end with a hyphen");
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
            errors.add(
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
                            + " 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
        }
        if (key.equals(".")) {
            errors.add("must not be '.'");
        } else if (key.equals("..")) {
            errors.add("must not be '..'");
        } else if (key.startsWith("..")) {
            errors.add("must not start with '..'");
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
