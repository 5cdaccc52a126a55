/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of the options of one command line, by the name of the flag without dashes. Immutable. */
public final class OptionValues {

    private final OptionTable table;
    private final Map<String, Object> given;

    OptionValues(OptionTable table, Map<String, Object> given) {
        this.table = table;
        this.given = Map.copyOf(given);
    }

    /** Returns whether the command line has the option. */
    public boolean isSet(String name) {
        table.option(name);
        return given.containsKey(name);
    }

    /** Returns the value of an option, or its default value. */
    public Object get(String name) {
        Object value = given.get(name);
        return value == null ? table.option(name).defaultValue() : value;
    }

    /** Returns the value of a {@link OptionType#BOOL}. */
    public boolean bool(String name) {
        return (Boolean) get(name);
    }

    /** Returns the value of an {@link OptionType#INT}. */
    public int integer(String name) {
        return (Integer) get(name);
    }

    /** Returns the value of a {@link OptionType#FLOAT}. */
    public double number(String name) {
        return (Double) get(name);
    }

    /** Returns the value of a {@link OptionType#DURATION}. */
    public Duration duration(String name) {
        return (Duration) get(name);
    }

    /** Returns the value of a {@link OptionType#STRING}. */
    public String text(String name) {
        return (String) get(name);
    }

    /** Returns the file of a {@link OptionType#STRING}; null if the option is not given or empty. */
    public @Nullable Path file(String name) {
        return text(name).isEmpty() ? null : Path.of(text(name));
    }

    /** Returns the value of an option that is a list. */
    public List<String> texts(String name) {
        return OptionType.strings(get(name));
    }

    /** Returns the value of a {@link OptionType#MAP}. */
    public Map<String, String> entries(String name) {
        return OptionType.entries(get(name));
    }

    /** Returns a line for each option of the command line that has no effect. */
    public List<String> withoutEffect() {
        return table.options().stream()
                .filter(option -> given.containsKey(option.name()) && !option.hasEffect())
                .map(option -> option.flag() + " has no effect: " + option.without())
                .toList();
    }

    /** Returns the options that these are the values of. */
    public OptionTable table() {
        return table;
    }

    /**
     * Fails if there are problems. As in kube-controller-manager, several problems become one message.
     *
     * @throws UsageException if one of the problems is not empty
     */
    public static void check(List<String> problems) {
        List<String> found =
                problems.stream().filter(problem -> !problem.isEmpty()).toList();
        if (found.size() == 1) {
            throw new UsageException(found.get(0));
        }
        if (!found.isEmpty()) {
            throw new UsageException("[" + String.join(", ", found) + "]");
        }
    }
}
