package io.kubeloop.app;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * Durations as Kubernetes' flags write them: {@code 15s}, {@code 1m30s}, {@code 1.5h}, {@code 250ms}, {@code 0}.
 */
final class GoDuration implements CommandLine.ITypeConverter<Duration> {

    private static final Pattern WHOLE = Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?(?:ns|us|µs|ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    @Override
    public Duration convert(String text) {
        return parse(text);
    }

    /**
     * Parses a duration that is not negative.
     *
     * @throws CommandLine.TypeConversionException if the text is not one
     */
    static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' is not a duration such as 15s, 1m30s or 250ms");
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            nanos = nanos.add(new BigDecimal(part.group(1).endsWith(".") ? part.group(1) + "0" : part.group(1))
                    .multiply(BigDecimal.valueOf(unit(part.group(2)))));
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** Returns the text of a duration, such as {@code 1m30s}; zero is {@code 0s}. */
    static String format(Duration duration) {
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }

    private static long unit(String name) {
        Long nanos = NANOS.get(name);
        if (nanos == null) {
            throw new IllegalStateException("the pattern lets through a unit that has no length: " + name);
        }
        return nanos;
    }
}
