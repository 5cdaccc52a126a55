package io.kubeloop.api;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("[-+]?(?:" + PART.pattern() + ")+");

    private GoDuration() {}

    /**
     * Parses a duration. Fractions of a nanosecond are dropped.
     *
     * @param text an optional sign, then numbers with units, which are added; or {@code 0}
     * @throws IllegalArgumentException if the text is not a duration, or is longer than 292 years: Go counts
     *     nanoseconds in 64 bits
     */
    public static Duration parse(String text) {
        if (text.equals("0") || text.equals("+0") || text.equals("-0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration such as 15s, 1m30s or 250ms");
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            long unit = NANOS.getOrDefault(parts.group(2), 0L);
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit)));
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("'" + text + "' is a longer duration than 292 years");
        }
        Duration duration = Duration.ofNanos(nanos.longValue());
        return text.startsWith("-") ? duration.negated() : duration;
    }

    /** Returns the text of a non-negative duration, such as {@code 1m30s}. Zero is {@code 0s}. */
    public static String format(Duration duration) {
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
