package io.kubeloop.api;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** Reads RFC 3339 times as strictly as API servers do: with capital letters, seconds, and minutes of the offset. */
final class Rfc3339 {

    /** What ISO 8601 makes optional is not: {@link OffsetDateTime} alone reads {@code 2026-01-31t08:15z}, too. */
    private static final Pattern FORM =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})");

    private Rfc3339() {}

    /**
     * Returns the moment.
     *
     * @throws IllegalArgumentException if the text is not such a time
     */
    static Instant parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not an RFC 3339 time: \"" + text + "\"");
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("not an RFC 3339 time: \"" + text + "\"", e);
        }
    }
}
