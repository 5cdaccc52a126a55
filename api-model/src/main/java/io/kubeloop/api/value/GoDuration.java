/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses and formats durations in Go's notation, such as {@code 1h30m}, {@code 1.5s} or {@code 300ms}. Flags,
 * kubeconfig files and objects use it (source: Go's {@code time.ParseDuration}, {@code metav1.Duration}). Stateless.
 */
public final class GoDuration {

    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    /** Digits of a fraction that can change the nanoseconds. */
    private static final int DIGITS_OF_FRACTION = 25;

    private static final int DIGITS_OF_LONG = 19;
    private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private GoDuration() {}

    /**
     * Parses a duration. Fractions of a nanosecond are dropped.
     *
     * @param text an optional sign, then numbers with units, which are added; or {@code 0}
     * @throws IllegalArgumentException if the text is not a duration, or is longer than 292 years: Go counts
     *     nanoseconds in 64 bits
     */
    public static Duration parse(String text) {
        Scan scan = new Scan(text);
        if (scan.problem == null) {
            return Duration.ofNanos((scan.negative ? scan.nanos.negate() : scan.nanos).longValueExact());
        }
        throw new IllegalArgumentException(
                scan.tooLong
                        ? "'" + text + "' is a longer duration than 292 years"
                        : "'" + text + "' is not a duration such as 15s, 1m30s or 250ms");
    }

    /** Returns why a text is not a duration, in the words of Go's {@code time.ParseDuration}; null if it is one. */
    public static @Nullable String problem(String text) {
        String problem = new Scan(text).problem;
        return problem == null ? null : "time: " + problem + " " + quote(text);
    }

    /** Quotes as Go's package {@code time} does: bytes that are not printable ASCII in hexadecimal form. */
    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                quoted.append('\\').append((char) b);
            } else if (b < ' ') {
                quoted.append(String.format("\\x%02x", b));
            } else {
                quoted.append((char) b);
            }
        }
        return quoted.append('"').toString();
    }

    /** One pass over a text, in linear time. An instance serves one call. */
    private static final class Scan {

        private final String text;
        private int at;
        private BigDecimal nanos = BigDecimal.ZERO;
        private final boolean negative;
        private final BigDecimal most;
        private boolean tooLong;
        private final @Nullable String problem;

        Scan(String text) {
            this.text = text;
            negative = text.startsWith("-");
            most = negative ? MAX_NANOS.add(BigDecimal.ONE) : MAX_NANOS;
            at = negative || text.startsWith("+") ? 1 : 0;
            problem = text.substring(at).equals("0") ? null : sum();
        }

        private @Nullable String sum() {
            if (at == text.length()) {
                return "invalid duration";
            }
            while (at < text.length()) {
                String wrong = addPart();
                if (wrong != null) {
                    return wrong;
                }
            }
            return null;
        }

        private @Nullable String addPart() {
            int start = at;
            skip(true);
            int point = at;
            if (text.startsWith(".", at)) {
                at++;
                skip(true);
            }
            if (at == start || (at == start + 1 && point == start)) {
                return "invalid duration";
            }
            int end = at;
            int first = start;
            while (first < point && text.charAt(first) == '0') {
                first++;
            }
            BigDecimal number = point - first > DIGITS_OF_LONG
                    ? most.add(BigDecimal.ONE)
                    : new BigDecimal("0" + text.substring(first, point));
            tooLong = number.compareTo(most) > 0;
            skip(false);
            String unit = text.substring(end, at);
            Long length = NANOS.get(unit);
            if (length == null && !tooLong) {
                return unit.isEmpty() ? "missing unit in duration" : "unknown unit " + quote(unit) + " in duration";
            }
            if (length != null && !tooLong) {
                String fraction =
                        text.substring(Math.min(end, point + 1), Math.min(end, point + 1 + DIGITS_OF_FRACTION));
                BigDecimal rest = fraction.isEmpty() ? BigDecimal.ZERO : new BigDecimal("0." + fraction);
                nanos = nanos.add(
                        number.add(rest).multiply(BigDecimal.valueOf(length)).setScale(0, RoundingMode.DOWN));
                tooLong = nanos.compareTo(most) > 0;
            }
            return tooLong ? "invalid duration" : null;
        }

        /** Moves past digits, or past characters that are neither digits nor points. */
        private void skip(boolean digits) {
            while (at < text.length()
                    && text.charAt(at) != '.'
                    && (text.charAt(at) >= '0' && text.charAt(at) <= '9') == digits) {
                at++;
            }
        }
    }

    /** Returns the text of a non-negative duration, such as {@code 1m30s}. Zero is {@code 0s}. */
    public static String format(Duration duration) {
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
