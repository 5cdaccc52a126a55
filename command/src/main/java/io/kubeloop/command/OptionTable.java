/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.json.gotext.GoText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a command, in the order of their sections, and the parser of their texts. Immutable.
 *
 * <p>A table is a resource: a line with the names of the columns, then a line for each option. {@link CommandOption}
 * lists the columns. A column that a table lacks is empty.
 */
public final class OptionTable {

    /** No options. */
    public static final OptionTable NONE = new OptionTable(List.of());

    /** The option {@code -v}, which sets the log level. */
    public static final OptionTable LOG = read(OptionTable.class.getResourceAsStream("log.tsv"));

    private final Map<String, CommandOption> options = new LinkedHashMap<>();

    private OptionTable(List<CommandOption> rows) {
        for (CommandOption row : rows) {
            if (options.put(row.name(), row) != null) {
                throw new IllegalStateException("two rows for the option " + row.name());
            }
        }
    }

    /**
     * Reads a table.
     *
     * @param resource the table, which this method closes
     * @throws NullPointerException if the build has no such resource
     */
    public static OptionTable read(@Nullable InputStream resource) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(resource, "a table of options is missing from the build"),
                StandardCharsets.UTF_8))) {
            List<String> columns = List.of(lines.readLine().split("\t", -1));
            return new OptionTable(
                    lines.lines().map(row -> CommandOption.of(columns, row)).toList());
        } catch (IOException e) {
            throw new CommandException("cannot read a table of options: " + e, e);
        }
    }

    /** Returns a table that has the options of another table too, below its own. */
    public OptionTable with(OptionTable others) {
        return new OptionTable(
                Stream.concat(options().stream(), others.options().stream()).toList());
    }

    /** Returns a table whose descriptions are changed. */
    public OptionTable describe(UnaryOperator<CommandOption> change) {
        return new OptionTable(options().stream().map(change).toList());
    }

    /** Returns the options in the order of the table. */
    public List<CommandOption> options() {
        return List.copyOf(options.values());
    }

    /**
     * Returns an option.
     *
     * @throws IllegalArgumentException if the table has none of this name
     */
    public CommandOption option(String name) {
        CommandOption option = options.get(name);
        if (option == null) {
            throw new IllegalArgumentException("the table has no option " + name);
        }
        return option;
    }

    /** Adds the options to a command, with a heading for each section. */
    void addTo(CommandSpec command) {
        command.preprocessor((arguments, spec, argument, info) -> {
            arguments.replaceAll(this::hyphened);
            return false;
        });
        Map<String, List<CommandOption>> sections = options.values().stream()
                .collect(Collectors.groupingBy(CommandOption::section, LinkedHashMap::new, Collectors.toList()));
        sections.forEach((section, rows) -> {
            if (section.isEmpty()) {
                rows.forEach(row -> command.addOption(spec(row)));
                return;
            }
            ArgGroupSpec.Builder group = ArgGroupSpec.builder().validate(false).heading("%n" + section + ":%n");
            rows.forEach(row -> group.addArg(spec(row)));
            command.addArgGroup(group.build());
        });
    }

    /** Returns an argument with hyphens in the name of its flag, where Kubernetes' programs also read underscores. */
    private String hyphened(String argument) {
        String name = argument.split("=", 2)[0];
        String known = name.replace('_', '-');
        return name.startsWith("--") && options.containsKey(known.substring(2))
                ? known + argument.substring(name.length())
                : argument;
    }

    /** All values of an option are texts in the order of the command line; {@link #values} converts them. */
    private static OptionSpec spec(CommandOption option) {
        OptionSpec.Builder spec = (option.name().length() == 1
                        ? OptionSpec.builder("-" + option.name(), option.flag())
                        : OptionSpec.builder(option.flag()))
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(option.placeholder())
                .arity("1")
                .required(option.isRequired())
                .hidden(option.description().isEmpty())
                .description(option.help().replace("%", "%%"));
        String alone = option.type() == OptionType.BOOL ? "true" : option.alone();
        // Without a separator the value is not on the command line: the next argument is not a value, as with Go's
        // pflag.
        return (alone.isEmpty()
                        ? spec
                        : spec.arity("0..1").fallbackValue(alone).preprocessor((arguments, command, argument, info) -> {
                            if (!"=".equals(info.get("separator"))) {
                                arguments.push(alone);
                            }
                            return false;
                        }))
                .build();
    }

    /**
     * Returns the values of a command line that the parser has read.
     *
     * @throws UsageException if a text is not a value of its option, or a value does not meet the conditions of its
     *     option
     */
    OptionValues values(CommandLine.ParseResult parsed) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (CommandOption option : options.values()) {
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

    private static Object parse(CommandOption option, String text) {
        try {
            return option.type().parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("invalid argument " + GoText.quoted(text) + " for \"" + option.flags()
                    + "\" flag: " + e.getMessage());
        }
    }

    /**
     * Returns the values of a command line.
     *
     * @throws UsageException if a value is wrong
     */
    public OptionValues parse(String... arguments) {
        CommandSpec command = CommandSpec.create();
        addTo(command);
        return values(new CommandLine(command).parseArgs(arguments));
    }
}
