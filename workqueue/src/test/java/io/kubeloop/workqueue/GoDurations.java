package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Locale;

/** Durations as the vectors write them: {@code 5ms}, {@code 1000s}. */
final class GoDurations {

    private GoDurations() {}

    static Duration parse(Object text) {
        String value = (String) text;
        // ISO 8601 knows no milliseconds.
        return value.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
                : Duration.parse("PT" + value.toUpperCase(Locale.ROOT));
    }
}
