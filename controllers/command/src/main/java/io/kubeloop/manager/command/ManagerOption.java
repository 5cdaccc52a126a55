/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.GoDuration;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An option of the controller manager: a row of {@code options.tsv}. Flag, help, page of the manual and {@code
 * /configz} come from it.
 *
 * @param section the heading in the help: a controller, or a group such as {@code leader election}
 * @param name the flag without dashes
 * @param type the type of the value
 * @param defaultText the default value as a text
 * @param check the conditions on the value, separated by semicolons: {@code >N}, {@code >=N} and {@code <=N} for
 *     numbers and durations, {@code a|b} for texts, {@code nonempty}; words after a colon replace those of the message
 * @param configz the path of the value in {@code /configz}, separated by dots; empty if it has none
 * @param without the reason why the option is accepted and has no effect; empty if it has one
 * @param description states in one or more sentences what the option is for
 */
record ManagerOption(
        String section,
        String name,
        OptionType type,
        String defaultText,
        String check,
        String configz,
        String without,
        String description) {

    /** Reads a row of the table. */
    static ManagerOption of(String row) {
        String[] cells = row.split("\t", -1);
        if (cells.length != 8) {
            throw new IllegalStateException(
                    "a row of the options has 8 cells, this one has " + cells.length + ": " + row);
        }
        return new ManagerOption(
                cells[0],
                cells[1],
                OptionType.valueOf(cells[2].toUpperCase(Locale.ROOT)),
                cells[3],
                cells[4],
                cells[5],
                cells[6],
                cells[7]);
    }

    String flag() {
        return "--" + name;
    }

    boolean hasEffect() {
        return without.isEmpty();
    }

    /** Returns the default value. */
    Object defaultValue() {
        return type.parse(defaultText);
    }

    /** Returns the sentences of the help. */
    String help() {
        return description
                + (hasEffect() ? "" : " Accepted without effect: " + without + ".")
                + (defaultText.isEmpty() ? "" : " Default: " + defaultText + ".");
    }

    /**
     * Returns what is wrong with a value; empty if it meets all conditions. The words are those of
     * kube-controller-manager.
     */
    String problem(Object value) {
        if (value instanceof Double number && !Double.isFinite(number)) {
            return name + " must be a finite number" + but(value);
        }
        for (String condition : check.isEmpty() ? List.<String>of() : List.of(check.split(";", -1))) {
            String[] parts = condition.split(":", 2);
            String unmet = unmet(parts[0], value);
            if (!unmet.isEmpty()) {
                return name + " must " + (parts.length == 1 ? unmet : parts[1] + " " + value);
            }
        }
        return "";
    }

    private String unmet(String condition, Object value) {
        if (condition.equals("nonempty")) {
            return value.toString().isBlank() ? "not be empty" : "";
        }
        if (condition.startsWith(">=")) {
            return compare(value, condition.substring(2)) >= 0
                    ? ""
                    : "not be less than " + condition.substring(2) + but(value);
        }
        if (condition.startsWith("<=")) {
            return compare(value, condition.substring(2)) <= 0
                    ? ""
                    : "not be more than " + condition.substring(2) + but(value);
        }
        if (condition.startsWith(">")) {
            return compare(value, condition.substring(1)) > 0
                    ? ""
                    : "be greater than " + condition.substring(1) + but(value);
        }
        String[] allowed = condition.split("\\|", -1);
        return Arrays.asList(allowed).contains(value.toString())
                ? ""
                : "be " + String.join(" or ", allowed) + but(value);
    }

    private String but(Object value) {
        return ", but got " + (value instanceof Duration duration ? GoDuration.format(duration) : value);
    }

    private int compare(Object value, String bound) {
        Object limit = type.parse(bound);
        if (value instanceof Duration duration) {
            return duration.compareTo((Duration) limit);
        }
        return Double.compare(((Number) value).doubleValue(), ((Number) limit).doubleValue());
    }
}
