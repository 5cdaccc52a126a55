/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.kubeloop.apiserver.cel.value.GoTimes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The arithmetic of times within Go's limits, and their parts in Go's zones (upstream: cel-go's {@code
 * common/types/timestamp.go}, {@code duration.go}). Static functions only.
 */
final class TimeFunctions {

    private static final CelType DURATION = SimpleType.DURATION;
    private static final CelType TIMESTAMP = SimpleType.TIMESTAMP;
    private static final Pattern OFFSET = Pattern.compile("([+-]?)([0-9]{1,2}):([0-9]{1,2})");

    static final List<FunctionRow> ROWS = rows();

    private TimeFunctions() {}

    private static List<FunctionRow> rows() {
        List<FunctionRow> rows = new ArrayList<>(List.of(
                operator("_+_", "add_duration_duration", DURATION, a -> sum(a[0], a[1]), DURATION, DURATION),
                operator(
                        "_+_",
                        "add_timestamp_duration",
                        TIMESTAMP,
                        a -> moved(a[0], duration(a[1])),
                        TIMESTAMP,
                        DURATION),
                operator(
                        "_+_",
                        "add_duration_timestamp",
                        TIMESTAMP,
                        a -> moved(a[1], duration(a[0])),
                        DURATION,
                        TIMESTAMP),
                operator(
                        "_-_", "subtract_duration_duration", DURATION, a -> difference(a[0], a[1]), DURATION, DURATION),
                operator(
                        "_-_",
                        "subtract_timestamp_duration",
                        TIMESTAMP,
                        a -> moved(a[0], duration(a[1]).negated()),
                        TIMESTAMP,
                        DURATION),
                operator(
                        "_-_",
                        "subtract_timestamp_timestamp",
                        DURATION,
                        a -> limited(Duration.between((Instant) a[1], (Instant) a[0])),
                        TIMESTAMP,
                        TIMESTAMP),
                FunctionRow.member(
                        "getMilliseconds",
                        "duration_to_milliseconds",
                        SimpleType.INT,
                        a -> duration(a[0]).toMillis(),
                        DURATION)));
        rows.add(part("getFullYear", "year_with_tz", LocalDateTime::getYear));
        rows.add(part("getMonth", "month_with_tz", time -> time.getMonthValue() - 1));
        rows.add(part("getDate", "day_of_month_1_based_with_tz", LocalDateTime::getDayOfMonth));
        rows.add(part("getDayOfMonth", "day_of_month_with_tz", time -> time.getDayOfMonth() - 1));
        rows.add(part(
                "getDayOfWeek",
                "day_of_week_with_tz",
                time -> time.getDayOfWeek().getValue() % 7));
        rows.add(part("getDayOfYear", "day_of_year_with_tz", time -> time.getDayOfYear() - 1));
        rows.add(part("getHours", "hours_with_tz", LocalDateTime::getHour));
        rows.add(part("getMinutes", "minutes_with_tz", LocalDateTime::getMinute));
        rows.add(part("getSeconds", "seconds_with_tz", LocalDateTime::getSecond));
        rows.add(part("getMilliseconds", "milliseconds_with_tz", time -> time.get(ChronoField.MILLI_OF_SECOND)));
        return List.copyOf(rows);
    }

    private static FunctionRow operator(
            String name, String overload, CelType result, FunctionRow.Body body, CelType... parameters) {
        return FunctionRow.global(name, overload, result, body, parameters);
    }

    private static FunctionRow part(String name, String overload, ToLongFunction<LocalDateTime> part) {
        return FunctionRow.member(
                name,
                "timestamp_to_" + overload,
                SimpleType.INT,
                a -> part.applyAsLong(local((Instant) a[0], (String) a[1])),
                TIMESTAMP,
                SimpleType.STRING);
    }

    private static Duration duration(Object duration) {
        return (Duration) duration;
    }

    private static Duration sum(Object one, Object other) {
        return limited(duration(one).plus(duration(other)));
    }

    private static Duration difference(Object one, Object other) {
        return limited(duration(one).minus(duration(other)));
    }

    private static Duration limited(Duration duration) {
        try {
            return Duration.ofNanos(duration.toNanos());
        } catch (ArithmeticException e) {
            throw new CelInvalidArgumentException("integer overflow");
        }
    }

    private static Instant moved(Object time, Duration by) {
        Instant moved = ((Instant) time).plus(by);
        if (!GoTimes.isValid(moved)) {
            throw new CelInvalidArgumentException("timestamp overflow");
        }
        return moved;
    }

    /** Returns a time in a zone: a name of the database of zones, or an offset with a colon. */
    private static LocalDateTime local(Instant time, String zone) {
        if (zone.isEmpty() || zone.equals("Local")) {
            return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        }
        Matcher offset = OFFSET.matcher(zone);
        if (offset.matches()) {
            long minutes = 60L * Integer.parseInt(offset.group(2)) + Integer.parseInt(offset.group(3));
            return LocalDateTime.ofInstant(time, ZoneOffset.UTC)
                    .plusMinutes(offset.group(1).equals("-") ? -minutes : minutes);
        }
        String name = ZoneId.SHORT_IDS.getOrDefault(zone, zone);
        boolean isKnown = ZoneId.getAvailableZoneIds().contains(zone) || !name.equals(zone);
        try {
            ZoneId known = ZoneId.of(isKnown ? name : "");
            return LocalDateTime.ofInstant(time, known);
        } catch (DateTimeException e) {
            throw new CelInvalidArgumentException("unknown time zone " + zone);
        }
    }
}
