/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The values of the options of one command line, by the name of the flag without dashes. Immutable. */
final class OptionValues {

    private final OptionTable table;
    private final Map<String, Object> given;

    OptionValues(OptionTable table, Map<String, Object> given) {
        this.table = table;
        this.given = Map.copyOf(given);
    }

    /** Returns whether the command line has the option. */
    boolean isSet(String name) {
        table.option(name);
        return given.containsKey(name);
    }

    /** Returns the value of an option, or its default value. */
    Object get(String name) {
        Object value = given.get(name);
        return value == null ? table.option(name).defaultValue() : value;
    }

    boolean bool(String name) {
        return (Boolean) get(name);
    }

    int integer(String name) {
        return (Integer) get(name);
    }

    double number(String name) {
        return (Double) get(name);
    }

    Duration duration(String name) {
        return (Duration) get(name);
    }

    String text(String name) {
        return (String) get(name);
    }

    List<String> texts(String name) {
        return OptionType.strings(get(name));
    }

    Map<String, String> entries(String name) {
        return OptionType.entries(get(name));
    }

    /** Returns a line for each option of the command line that has no effect. */
    List<String> withoutEffect() {
        return table.options().stream()
                .filter(option -> given.containsKey(option.name()) && !option.hasEffect())
                .map(option -> option.flag() + " has no effect: " + option.without())
                .toList();
    }

    OptionTable table() {
        return table;
    }

    /**
     * Fails if there are problems. As in kube-controller-manager, several problems become one message.
     *
     * @throws UsageException if one of the problems is not empty
     */
    static void check(List<String> problems) {
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
