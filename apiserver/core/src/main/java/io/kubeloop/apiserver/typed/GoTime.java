/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * Parses times with the leniency and the error messages of Go (upstream: {@code time.Parse} with the layouts of RFC
 * 3339). Confined to one thread.
 */
final class GoTime {

    private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
    private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";
    private static final int SECONDS_PER_HOUR = 3600;

    private final String text;
    private final String layout;

    /** The part of the text that is not parsed yet. */
    private String rest;

    private GoTime(String text, String layout) {
        this.text = text;
        this.layout = layout;
        this.rest = text;
    }

    /**
     * Returns the time in UTC, in whole seconds or microseconds; empty for Go's zero time, which is null in JSON.
     *
     * @throws DecodeException if the text is not such a time
     */
    static String canonical(String text, boolean micros) {
        return new GoTime(text, micros ? MICROS : SECONDS).parse(micros);
    }

    private String parse(boolean micros) {
        int year = year();
        literal("-");
        int month = number("01", true, 1, 12, "month");
        literal("-");
        int day = number("02", true, 0, 99, "");
        literal("T");
        int hour = number("15", false, 0, 23, "hour");
        literal(":");
        int minute = number("04", true, 0, 59, "minute");
        literal(":");
        int second = number("05", true, 0, 59, "second");
        int nanos = micros ? fraction() : anyFraction();
        int offset = offset();
        if (!rest.isEmpty()) {
            throw error(": extra text: " + quote(rest));
        }
        if (day < 1 || day > YearMonth.of(year, month).lengthOfMonth()) {
            throw error(": day out of range");
        }
        LocalDateTime local = LocalDateTime.of(year, month, day, hour, minute, second);
        return format(local.minusSeconds(offset), nanos, micros);
    }

    private String format(LocalDateTime time, int nanos, boolean micros) {
        if (time.toEpochSecond(ZoneOffset.UTC)
                        == LocalDateTime.of(1, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC)
                && nanos == 0) {
            return "";
        }
        if (time.getYear() < 0 || time.getYear() > 9999) {
            throw new DecodeException("Time.MarshalJSON: year outside of range [0,9999]", new DateTimeException(text));
        }
        StringBuilder out = new StringBuilder(27);
        pad(out, time.getYear(), 4).append('-');
        pad(out, time.getMonthValue(), 2).append('-');
        pad(out, time.getDayOfMonth(), 2).append('T');
        pad(out, time.getHour(), 2).append(':');
        pad(out, time.getMinute(), 2).append(':');
        pad(out, time.getSecond(), 2);
        if (micros) {
            pad(out.append('.'), nanos / 1000, 6);
        }
        return out.append('Z').toString();
    }

    private static StringBuilder pad(StringBuilder out, int value, int width) {
        String digits = Integer.toString(value);
        return out.append("0".repeat(width - digits.length())).append(digits);
    }

    private int year() {
        if (rest.length() < 4 || !isDigits(rest, 0, 4)) {
            throw unexpected(rest, "2006");
        }
        return take(4);
    }

    private void literal(String expected) {
        if (!rest.startsWith(expected)) {
            throw unexpected(rest, expected);
        }
        rest = rest.substring(1);
    }

    /** Reads a number of two digits, or of one digit unless the layout fixes the width. */
    private int number(String element, boolean fixed, int min, int max, String what) {
        if (!isDigits(rest, 0, 1) || (fixed && !isDigits(rest, 0, 2))) {
            throw unexpected(rest, element);
        }
        int value = take(isDigits(rest, 0, 2) ? 2 : 1);
        if (value < min || value > max) {
            throw error(": " + what + " out of range");
        }
        return value;
    }

    private int fraction() {
        boolean isComplete = rest.length() >= 7 && isPoint(rest.charAt(0)) && isDigits(rest, 1, 7);
        if (!isComplete) {
            throw unexpected(rest, ".000000");
        }
        rest = rest.substring(1);
        return take(6) * 1000;
    }

    /** Reads an optional fraction of a second, which Go accepts even if the layout has none. */
    private int anyFraction() {
        if (rest.isEmpty() || !isPoint(rest.charAt(0)) || !isDigits(rest, 1, 2)) {
            return 0;
        }
        int end = 2;
        while (isDigits(rest, end, end + 1)) {
            end++;
        }
        String digits = (rest.substring(1, Math.min(end, 10)) + "00000000").substring(0, 9);
        rest = rest.substring(end);
        return Integer.parseInt(digits);
    }

    private int offset() {
        String element = "Z07:00";
        if (rest.startsWith("Z")) {
            rest = rest.substring(1);
            return 0;
        }
        boolean isOffset = rest.length() >= 6
                && rest.charAt(3) == ':'
                && (rest.charAt(0) == '+' || rest.charAt(0) == '-')
                && isDigits(rest, 1, 3)
                && isDigits(rest, 4, 6);
        if (!isOffset) {
            throw unexpected(rest, element);
        }
        int sign = rest.charAt(0) == '-' ? -1 : 1;
        int hours = Integer.parseInt(rest.substring(1, 3));
        int minutes = Integer.parseInt(rest.substring(4, 6));
        if (hours > 24 || minutes > 60) {
            throw error(": time zone offset " + (minutes > 60 ? "minute" : "hour") + " out of range");
        }
        rest = rest.substring(6);
        return sign * (hours * SECONDS_PER_HOUR + minutes * 60);
    }

    private int take(int count) {
        int value = Integer.parseInt(rest.substring(0, count));
        rest = rest.substring(count);
        return value;
    }

    private static boolean isPoint(char c) {
        return c == '.' || c == ',';
    }

    private static boolean isDigits(String text, int from, int to) {
        if (text.length() < to) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private DecodeException unexpected(String found, String element) {
        return error(" as " + quote(layout) + ": cannot parse " + quote(found) + " as " + quote(element));
    }

    private DecodeException error(String message) {
        return new DecodeException("parsing time " + quote(text) + message, null);
    }

    /** Quotes text as Go's time errors do, with bytes outside ASCII in hexadecimal. */
    private static String quote(String text) {
        StringBuilder out = new StringBuilder().append('"');
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b < ' ') {
                out.append(String.format("\\x%02x", b & 0xff));
            } else {
                out.append(b == '"' || b == '\\' ? "\\" : "").append((char) b);
            }
        }
        return out.append('"').toString();
    }
}
