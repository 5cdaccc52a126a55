/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.CommandException;
import io.kubeloop.command.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of the controller manager, in the order of their sections, and the parser of its command line. Immutable.
 */
final class OptionTable {

    private static final String FILE = "options.tsv";

    /** The table of {@code options.tsv}. */
    static final OptionTable ALL = read();

    private final Map<String, ManagerOption> options = new LinkedHashMap<>();

    private OptionTable(List<ManagerOption> rows) {
        for (ManagerOption row : rows) {
            if (options.put(row.name(), row) != null) {
                throw new IllegalStateException(FILE + " has two rows " + row.name());
            }
        }
    }

    private static OptionTable read() {
        try (InputStream in = OptionTable.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new CommandException("the program has no resource " + FILE, null);
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return new OptionTable(lines.lines().skip(1).map(ManagerOption::of).toList());
        } catch (IOException e) {
            throw new CommandException("cannot read the resource " + FILE + ": " + e, e);
        }
    }

    List<ManagerOption> options() {
        return List.copyOf(options.values());
    }

    /**
     * Returns an option.
     *
     * @throws IllegalArgumentException if the table has none of this name
     */
    ManagerOption option(String name) {
        ManagerOption option = options.get(name);
        if (option == null) {
            throw new IllegalArgumentException(FILE + " has no option " + name);
        }
        return option;
    }

    /**
     * Adds the options to a command, with a heading for each section.
     *
     * @param more returns what the help of an option states beside the table; empty for nothing
     */
    void addTo(CommandSpec command, Function<ManagerOption, String> more) {
        Map<String, List<ManagerOption>> sections = options.values().stream()
                .collect(Collectors.groupingBy(ManagerOption::section, LinkedHashMap::new, Collectors.toList()));
        sections.forEach((section, rows) -> {
            ArgGroupSpec.Builder group = ArgGroupSpec.builder().validate(false).heading("%n" + section + ":%n");
            rows.forEach(row -> group.addArg(spec(row, row.help() + more.apply(row))));
            command.addArgGroup(group.build());
        });
    }

    /** All values of an option are texts in the order of the command line; {@link #values} converts them. */
    private static OptionSpec spec(ManagerOption option, String help) {
        OptionSpec.Builder spec = (option.name().equals("v")
                        ? OptionSpec.builder("-v", "--v")
                        : OptionSpec.builder(option.flag()))
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(option.type().placeholder())
                .arity("1")
                .description(help.replace("%", "%%"));
        return (option.type() == OptionType.BOOL ? spec.arity("0..1").fallbackValue("true") : spec).build();
    }

    /**
     * Returns the values of a command line that the parser has read.
     *
     * @throws UsageException if a text is not a value of its option, or a value does not meet the conditions of its
     *     option
     */
    OptionValues values(CommandLine.ParseResult parsed) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (ManagerOption option : options.values()) {
            List<String> texts = parsed.matchedOptionValue(option.flag(), List.of());
            for (String text : texts) {
                given.merge(option.name(), parse(option, text), option.type()::joined);
            }
        }
        OptionValues.check(given.entrySet().stream()
                .map(entry -> option(entry.getKey()).problem(entry.getValue()))
                .toList());
        return new OptionValues(this, given);
    }

    private static Object parse(ManagerOption option, String text) {
        try {
            return option.type().parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "invalid argument \"" + text + "\" for \"" + option.flag() + "\" flag: " + e.getMessage());
        }
    }

    /** Returns the values of a command line. */
    OptionValues parse(String... arguments) {
        CommandSpec command = CommandSpec.create();
        addTo(command, option -> "");
        return values(new CommandLine(command).parseArgs(arguments));
    }
}
