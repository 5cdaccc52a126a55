/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Pattern;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.Digits;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** Formats of codes and colors (upstream: {@code govalidator}). Static functions only. */
    private static final class CodeFormats {

        private static final Pattern CREDIT_CARD = Pattern.compile("4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}"
                + "|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|"
                + "35\\d{3})\\d{11}");
        private static final String CHANNEL = "\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
        private static final Pattern RGB = Pattern.compile("rgb\\(" + CHANNEL + "," + CHANNEL + "," + CHANNEL + "\\)");
        private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]*={0,2}");

        private static final Pattern SEPARATORS = Pattern.compile("[\\s-]+");
        private static final Pattern NOT_DIGITS = Pattern.compile("[^0-9]+");
        private static final Pattern ISBN_10 = Pattern.compile("[0-9]{9}X|[0-9]{10}");

        private CodeFormats() {}

        static boolean isRgbColor(String text) {
            return RGB.matcher(text).matches();
        }

        /** Returns whether the text is base64 with padding. As upstream, the empty text is not. */
        static boolean isBase64(String text) {
            return !text.isEmpty()
                    && text.length() % 4 == 0
                    && BASE64.matcher(text).matches();
        }

        static boolean isIsbn10(String text) {
            String code = SEPARATORS.matcher(text).replaceAll("");
            if (!ISBN_10.matcher(code).matches()) {
                return false;
            }
            int sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += (i + 1) * (code.charAt(i) == 'X' ? 10 : code.charAt(i) - '0');
            }
            return sum % 11 == 0;
        }

        static boolean isIsbn13(String text) {
            String code = SEPARATORS.matcher(text).replaceAll("");
            if (!Digits.are(code, 13, 13)) {
                return false;
            }
            int sum = 0;
            for (int i = 0; i < 12; i++) {
                sum += (i % 2 == 0 ? 1 : 3) * (code.charAt(i) - '0');
            }
            return code.charAt(12) - '0' == (10 - sum % 10) % 10;
        }

        /** Returns whether the digits of the text are a card number with a valid check digit. */
        static boolean isCreditCard(String text) {
            String digits = NOT_DIGITS.matcher(text).replaceAll("");
            if (!CREDIT_CARD.matcher(digits).matches()) {
                return false;
            }
            int sum = 0;
            for (int i = 0; i < digits.length(); i++) {
                int digit = digits.charAt(digits.length() - 1 - i) - '0';
                int weighted = i % 2 == 1 ? digit * 2 : digit;
                sum += weighted > 9 ? weighted - 9 : weighted;
            }
            return sum % 10 == 0;
        }
    }

    /**
     * Formats of network names and addresses (upstream: {@code strfmt}, {@code k8s.io/utils/net}). Static functions
     * only.
     */
    private static final class NetworkFormats {

        private static final Pattern HOSTNAME =
                Pattern.compile("([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
                        + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.))+"
                        + "([a-zA-Z\\p{L}]){2,63})");

        /** IPv4 as old releases of Go parse it: with leading zeros. */
        private static final Pattern IPV4 = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)");

        private static final Pattern MAC = Pattern.compile(
                "[0-9a-fA-F]{2}((:[0-9a-fA-F]{2}){2,}|(-[0-9a-fA-F]{2}){2,})|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4})+");

        private NetworkFormats() {}

        static boolean isHostname(String text) {
            return text.length() <= 255
                    && HOSTNAME.matcher(text).matches()
                    && Arrays.stream(text.split("\\.", -1)).allMatch(label -> label.length() <= 63);
        }

        static boolean isIpv4(String text) {
            return text.indexOf('.') >= 0 && isIp(text);
        }

        private static boolean isIp(String text) {
            return isDotted(text) || isIpv6(text);
        }

        private static boolean isDotted(String text) {
            return IPV4.matcher(text).matches()
                    && Arrays.stream(text.split("\\.", -1))
                            .map(part -> withoutZeros(part))
                            .allMatch(part -> part.length() <= 3 && Integer.parseInt(part) <= 255);
        }

        /** Returns a number of one digit or more without leading zeros. */
        private static String withoutZeros(String number) {
            int start = 0;
            while (start < number.length() - 1 && number.charAt(start) == '0') {
                start++;
            }
            return number.substring(start);
        }

        static boolean isIpv6(String text) {
            return text.indexOf(':') >= 0 && text.indexOf('%') < 0 && IpAddress.parse(text) != null;
        }

        static boolean isCidr(String text) {
            int slash = text.indexOf('/');
            if (slash < 0) {
                return false;
            }
            String address = text.substring(0, slash);
            String bits = text.substring(slash + 1);
            int max = address.indexOf(':') >= 0 ? 128 : 32;
            return isIp(address) && Digits.are(bits, 1, 3) && Integer.parseInt(bits) <= max;
        }

        /** Returns whether the text is a hardware address of 6, 8 or 20 bytes. */
        static boolean isMac(String text) {
            long digits = text.chars().filter(c -> Character.digit(c, 16) >= 0).count();
            return MAC.matcher(text).matches() && (digits == 12 || digits == 16 || digits == 40);
        }
    }
}
