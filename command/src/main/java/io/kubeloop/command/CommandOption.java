/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.api.value.GoDuration;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * An option of a command: a row of an {@link OptionTable}. Flag, help, page of the manual and {@code /configz} come
 * from it.
 *
 * @param section the heading in the help: a controller, or a group such as {@code leader election}; empty for none
 * @param name the flag without dashes
 * @param type the type of the value
 * @param value what help shows in the place of the value; empty for the word of the type
 * @param alone the value of a flag without a value; empty if a value is required
 * @param defaultText the default value as a text
 * @param check the conditions on the value, separated by semicolons: {@code >N}, {@code >=N} and {@code <=N} for
 *     numbers and durations, {@code a|b} for texts, {@code nonempty}, {@code required}; words after a colon replace
 *     those of the message
 * @param configz the path of the value in {@code /configz}, separated by dots; empty if it has none
 * @param without the reason why the option is accepted and has no effect; empty if it has one
 * @param description states in one or more sentences what the option is for; empty if help does not list it
 */
public record CommandOption(
        String section,
        String name,
        OptionType type,
        String value,
        String alone,
        String defaultText,
        String check,
        String configz,
        String without,
        String description) {

    private static final String REQUIRED = "required";

    /** Reads a row of a table with these columns. */
    static CommandOption of(List<String> columns, String row) {
        String[] cells = row.split("\t", -1);
        if (cells.length != columns.size()) {
            throw new IllegalStateException(
                    "a row of the options has " + columns.size() + " cells, this one has " + cells.length + ": " + row);
        }
        UnaryOperator<String> cell = column -> columns.contains(column) ? cells[columns.indexOf(column)] : "";
        return new CommandOption(
                cell.apply("section"),
                cell.apply("name"),
                OptionType.valueOf(cell.apply("type").toUpperCase(Locale.ROOT)),
                cell.apply("value"),
                cell.apply("alone"),
                cell.apply("default"),
                cell.apply("check"),
                cell.apply("configz"),
                cell.apply("without effect, because"),
                cell.apply("description"));
    }

    /** Returns this option with more sentences in its description. */
    public CommandOption describedFurther(String sentences) {
        return new CommandOption(
                section, name, type, value, alone, defaultText, check, configz, without, description + sentences);
    }

    /** Returns what help shows in the place of the value. */
    String placeholder() {
        return value.isEmpty() ? type.placeholder() : value;
    }

    /** Returns whether a command line must have the option. */
    boolean isRequired() {
        return check.equals(REQUIRED);
    }

    /** Returns the flag as a command line has it. */
    public String flag() {
        return "--" + name;
    }

    /** Returns the short and the long flag, as messages name them. */
    String flags() {
        return (name.length() == 1 ? "-" + name + ", " : "") + flag();
    }

    /** Returns whether the value of the option is used. */
    public boolean hasEffect() {
        return without.isEmpty();
    }

    /** Returns the default value. */
    public Object defaultValue() {
        return defaultText.isEmpty() ? type.absent() : type.parse(defaultText);
    }

    /** Returns the sentences of the help. */
    String help() {
        return description
                + (hasEffect() ? "" : " Accepted without effect: " + without + ".")
                + (defaultText.isEmpty() ? "" : " Default: " + defaultText + ".");
    }

    /**
     * Returns what is wrong with a value; empty if it meets all conditions. The words are those of
     * Kubernetes' programs.
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
        if (condition.equals(REQUIRED)) {
            return ""; // the parser has checked it
        }
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
