/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The formats of strings and numbers (upstream: {@code kube-openapi/pkg/validation/strfmt} and the supported formats of
 * {@code apiextensions-apiserver/pkg/apiserver/validation/formats.go}). Static functions only.
 */
public final class Formats {

    private static final String UUID_HEAD = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?";
    private static final String SHORT_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    /** The checks by name; names are without dashes. */
    private static final Map<String, Predicate<String>> STRINGS = Map.ofEntries(
            Map.entry("bsonobjectid", pattern("[0-9a-fA-F]{24}")),
            Map.entry("uri", UriFormat::isRequestUri),
            Map.entry("email", EmailFormat::isEmail),
            Map.entry("hostname", NetworkFormats::isHostname),
            Map.entry("ipv4", NetworkFormats::isIpv4),
            Map.entry("ipv6", NetworkFormats::isIpv6),
            Map.entry("cidr", NetworkFormats::isCidr),
            Map.entry("mac", NetworkFormats::isMac),
            Map.entry("uuid", pattern(UUID_HEAD + "[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")),
            Map.entry("uuid3", pattern(UUID_HEAD + "3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}")),
            Map.entry("uuid4", pattern(UUID_HEAD + "4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}")),
            Map.entry("uuid5", pattern(UUID_HEAD + "5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}")),
            Map.entry("isbn", text -> CodeFormats.isIsbn10(text) || CodeFormats.isIsbn13(text)),
            Map.entry("isbn10", CodeFormats::isIsbn10),
            Map.entry("isbn13", CodeFormats::isIsbn13),
            Map.entry("creditcard", CodeFormats::isCreditCard),
            Map.entry("ssn", pattern("\\d{3}[- ]\\d{2}[- ]\\d{4}")),
            Map.entry("hexcolor", pattern("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")),
            Map.entry("rgbcolor", CodeFormats::isRgbColor),
            Map.entry("byte", CodeFormats::isBase64),
            Map.entry("password", text -> true),
            Map.entry("date", TimeFormats::isDate),
            Map.entry("duration", TimeFormats::isDuration),
            Map.entry("datetime", TimeFormats::isDateTime),
            Map.entry("k8sshortname", shorterThan(64, SHORT_NAME)),
            Map.entry("k8slongname", shorterThan(254, SHORT_NAME + "(\\." + SHORT_NAME + ")*")));

    private Formats() {}

    private static Predicate<String> pattern(String expression) {
        Pattern compiled = Pattern.compile(expression);
        return text -> compiled.matcher(text).matches();
    }

    private static Predicate<String> shorterThan(int length, String expression) {
        Predicate<String> form = pattern(expression);
        return text -> text.length() < length && form.test(text);
    }

    private static String normalized(String format) {
        return format.replace("-", "");
    }

    /** Returns the format of a schema; empty if it is not stated, or not supported for the type. */
    static String supported(SchemaProps schema) {
        String format = schema.format();
        if (format.isEmpty()) {
            return "";
        }
        boolean supported = isSupported(schema.intOrString() ? "" : schema.type(), format);
        return supported ? format : "";
    }

    private static boolean isSupported(String type, String format) {
        return switch (type) {
            case "", "string" -> STRINGS.containsKey(normalized(format));
            case "integer" -> format.equals("int32") || format.equals("int64");
            case "number" -> format.equals("float") || format.equals("double");
            default -> false;
        };
    }

    /** Returns the formats in a schema that are not supported, for warnings. */
    public static List<String> unrecognized(SchemaProps schema) {
        List<String> formats = new ArrayList<>();
        schema.has(node -> {
            if (!node.format().isEmpty() && !isSupported(node.type(), node.format())) {
                formats.add(node.format());
            }
            return false;
        });
        return formats;
    }

    /** Returns whether strings can have the format. */
    static boolean isKnown(String format) {
        return STRINGS.containsKey(normalized(format));
    }

    /** Returns whether a string has a format that {@link #isKnown}. */
    public static boolean matches(String format, String text) {
        return Objects.requireNonNull(STRINGS.get(normalized(format))).test(text);
    }

    /**
     * The format of an e-mail address, with or without a name (upstream: {@code net/mail.ParseAddress}). Static
     * functions only.
     */
    private static final class EmailFormat {

        private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";
        private static final String QUOTED = "\"(?:[^\"\\\\\\r\\n]|\\\\.)*\"";
        private static final String DOMAIN = "(?:" + ATOM + "(?:\\." + ATOM + ")*|\\[[^\\]\\[\\\\]+\\])";
        private static final String ADDRESS = "(?:" + ATOM + "(?:\\." + ATOM + ")*|" + QUOTED + ")@" + DOMAIN;
        private static final String WORD = "(?:" + ATOM + "(?:\\." + ATOM + ")*\\.?|" + QUOTED + ")";
        private static final Pattern MAILBOX = Pattern.compile(
                "\\s*(?:" + ADDRESS + "|(?:" + WORD + "(?:\\s+" + WORD + ")*)?\\s*<" + ADDRESS + ">)\\s*");

        private EmailFormat() {}

        static boolean isEmail(String text) {
            return MAILBOX.matcher(text).matches();
        }
    }
}
