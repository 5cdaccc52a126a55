package io.kubeloop.json.typed;

import io.kubeloop.api.client.DecodeException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats durations such as {@code 1h30m} (upstream: {@code time.ParseDuration}). Thread-safe: stateless.
 */
final class DurationText {

    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "\u00b5s", 1_000L,
            "\u03bcs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private static final Pattern PART = Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)([^0-9.]+)");

    private DurationText() {}

    /**
     * Returns a duration in Go's canonical form.
     *
     * @throws DecodeException if the text is not a duration; the message is Go's
     */
    static String canonical(String text) {
        String rest = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return "0s";
        }
        if (rest.isEmpty()) {
            throw invalid("invalid duration", text);
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(rest);
        int end = 0;
        while (end < rest.length()) {
            if (!part.find(end) || part.start() != end) {
                boolean lacksUnit = rest.substring(end).matches("[0-9]+\\.?[0-9]*|\\.[0-9]+");
                throw invalid(lacksUnit ? "missing unit in duration" : "invalid duration", text);
            }
            Long unit = UNITS.get(part.group(2));
            if (unit == null) {
                throw invalid("unknown unit " + GoText.quoted(part.group(2)) + " in duration", text);
            }
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
            end = part.end();
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw invalid("invalid duration", text);
        }
        long total = nanos.longValue();
        return total == 0 ? "0s" : (text.startsWith("-") ? "-" : "") + format(total);
    }

    private static String format(long nanos) {
        if (nanos < 1_000_000_000L) {
            String unit = nanos < 1_000 ? "ns" : nanos < 1_000_000 ? "\u00b5s" : "ms";
            return plain(nanos, UNITS.getOrDefault(unit, 1L)) + unit;
        }
        long minutes = nanos / 60_000_000_000L;
        String seconds = plain(nanos % 60_000_000_000L, 1_000_000_000L) + "s";
        if (minutes == 0) {
            return seconds;
        }
        String rest = minutes % 60 + "m" + seconds;
        return minutes < 60 ? rest : minutes / 60 + "h" + rest;
    }

    private static String plain(long nanos, long unit) {
        BigDecimal amount = BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(unit));
        return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }

    private static DecodeException invalid(String what, String text) {
        return new DecodeException("time: " + what + " " + GoText.quoted(text), null);
    }
}
