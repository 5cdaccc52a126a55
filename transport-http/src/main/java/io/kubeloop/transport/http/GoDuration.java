package io.kubeloop.transport.http;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 1h30m}, {@code 1.5s}, {@code 300ms}. */
final class GoDuration {

    private static final Map<String, Long> NANOS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "µs",
            1_000L,
            "μs",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);
    private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("[-+]?(?:" + PART.pattern() + ")+");

    private GoDuration() {}

    /**
     * Returns the duration.
     *
     * @throws IllegalArgumentException if the text is none
     */
    static Duration parse(String text) {
        if (text.equals("0") || text.equals("+0") || text.equals("-0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("not a duration such as 1m30s: \"" + text + "\"");
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            long unit = NANOS.getOrDefault(parts.group(2), 0L);
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit)));
        }
        Duration duration = Duration.ofNanos(nanos.longValue());
        return text.startsWith("-") ? duration.negated() : duration;
    }

    /** Returns the duration of a time-out flag, where a number alone means seconds; zero for an empty text. */
    static Duration parseTimeout(String text) {
        if (text.isEmpty()) {
            return Duration.ZERO;
        }
        if (text.matches("\\d{1,15}")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the timeout must be whole seconds or a duration such as 1m30s, got \"" + text + "\"", e);
        }
    }
}
