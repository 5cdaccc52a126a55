/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import com.google.re2j.Pattern;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.kubeloop.json.gotext.GoText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version (upstream: {@code blang/semver}). The build does not count in comparisons. Immutable.
 *
 * @param pre the parts of the pre-release; empty for a release
 */
public record SemanticVersion(long major, long minor, long patch, List<String> pre)
        implements Comparable<SemanticVersion> {

    private static final Pattern ZEROS = Pattern.compile("^0+");

    private static final Pattern PART = Pattern.compile("[0-9A-Za-z-]+");

    /**
     * Reads a version.
     *
     * @param tolerant whether to accept a {@code v} in front, zeros in front of numbers, and missing numbers at the end
     */
    public static SemanticVersion parse(String text, boolean tolerant) {
        String version = tolerant ? normalized(text) : text;
        if (version.isEmpty()) {
            throw fail("Version string empty");
        }
        String[] parts = version.split("\\.", 3);
        if (parts.length != 3) {
            throw fail("No Major.Minor.Patch elements found");
        }
        String rest = parts[2];
        int plus = rest.indexOf('+');
        List<String> build =
                plus < 0 ? List.of() : List.of(rest.substring(plus + 1).split("\\.", -1));
        rest = plus < 0 ? rest : rest.substring(0, plus);
        int dash = rest.indexOf('-');
        List<String> pre =
                dash < 0 ? List.of() : List.of(rest.substring(dash + 1).split("\\.", -1));
        for (String part : build) {
            requirePart(part, "Build meta data is empty", "Invalid character(s) found in build meta data ");
        }
        for (String part : pre) {
            requirePart(part, "Prerelease is empty", "Invalid character(s) found in prerelease ");
            if (isNumber(part) && part.length() > 1 && part.startsWith("0")) {
                throw fail("Numeric PreRelease version must not contain leading zeroes " + GoText.quoted(part));
            }
        }
        return new SemanticVersion(
                number("Major", parts[0]),
                number("Minor", parts[1]),
                number("Patch", dash < 0 ? rest : rest.substring(0, dash)),
                pre);
    }

    private static CelInvalidArgumentException fail(String why) {
        return new CelInvalidArgumentException(why);
    }

    private static void requirePart(String part, String empty, String invalid) {
        if (part.isEmpty()) {
            throw fail(empty);
        }
        if (!PART.matcher(part).matches()) {
            throw fail(invalid + GoText.quoted(part));
        }
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long number(String name, String text) {
        if (!isNumber(text)) {
            throw fail("Invalid character(s) found in " + name.toLowerCase(Locale.ROOT) + " number "
                    + GoText.quoted(text));
        }
        if (text.length() > 1 && text.startsWith("0")) {
            throw fail(name + " number must not contain leading zeroes " + GoText.quoted(text));
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw fail("strconv.ParseUint: parsing " + GoText.quoted(text) + ": value out of range");
        }
    }

    private static String normalized(String text) {
        String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].length() > 1) {
                String stripped = ZEROS.matcher(parts[i]).replaceFirst("");
                boolean digit = !stripped.isEmpty() && Character.isDigit(stripped.charAt(0));
                parts[i] = digit ? stripped : "0" + stripped;
            }
        }
        if (parts.length == 3) {
            return String.join(".", parts);
        }
        String last = parts[parts.length - 1];
        if (last.indexOf('+') >= 0 || last.indexOf('-') >= 0) {
            throw fail("short version cannot contain PreRelease/Build meta data");
        }
        return String.join(".", parts) + ".0".repeat(3 - parts.length);
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int order = Long.compare(major, other.major);
        order = order == 0 ? Long.compare(minor, other.minor) : order;
        order = order == 0 ? Long.compare(patch, other.patch) : order;
        if (order != 0 || pre.equals(other.pre)) {
            return order;
        }
        if (pre.isEmpty() || other.pre.isEmpty()) {
            return pre.isEmpty() ? 1 : -1;
        }
        for (int i = 0; i < Math.min(pre.size(), other.pre.size()); i++) {
            int part = comparePart(pre.get(i), other.pre.get(i));
            if (part != 0) {
                return part;
            }
        }
        return Integer.compare(pre.size(), other.pre.size());
    }

    private static int comparePart(String one, String other) {
        boolean number = isNumber(one);
        if (number != isNumber(other)) {
            return number ? -1 : 1;
        }
        boolean shorter = number && one.length() != other.length();
        return Integer.signum(shorter ? Integer.compare(one.length(), other.length()) : one.compareTo(other));
    }

    /** Versions are equal if neither is greater. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SemanticVersion that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * (31 * major + minor) + patch);
    }
}
