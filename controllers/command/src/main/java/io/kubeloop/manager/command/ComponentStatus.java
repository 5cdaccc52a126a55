/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.CommandOption;
import io.kubeloop.command.OptionType;
import io.kubeloop.command.OptionValues;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.manager.command.pages.ComponentPage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The content of {@code /statusz} and {@code /flagz}. Immutable. */
final class ComponentStatus {

    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss 'UTC' yyyy", Locale.ROOT);

    /** The pages that the original lists. */
    private static final List<String> PATHS = List.of("/configz", "/flagz", "/healthz", "/metrics");

    private final OptionValues values;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    ComponentStatus(OptionValues values) {
        this.values = values;
    }

    ComponentPage status() {
        return new ComponentPage(
                "Statusz",
                this::statusText,
                () -> JsonObject.EMPTY
                        .with("startTime", started.toString())
                        .with("uptimeSeconds", up().toSeconds())
                        .with("goVersion", java())
                        .with("binaryVersion", FeatureGates.RELEASE)
                        .with("emulationVersion", emulated())
                        .with("paths", JsonArray.ofStrings(PATHS)));
    }

    private String statusText() {
        Duration up = up();
        return "\nStarted: " + STARTED.format(started.atOffset(ZoneOffset.UTC))
                + String.format(
                        Locale.ROOT,
                        "\nUp: %d hr %02d min %02d sec\n",
                        up.toHours(),
                        up.toMinutesPart(),
                        up.toSecondsPart())
                + "Go version: " + java() + "\nBinary version: " + FeatureGates.RELEASE + "\nEmulation version: "
                + emulated() + "\nPaths: " + String.join(" ", PATHS) + "\n";
    }

    private Duration up() {
        return Duration.between(started, Instant.now());
    }

    /** The language of this program, in the place of the original's. */
    private static String java() {
        return "java" + Runtime.version().feature();
    }

    private String emulated() {
        String version = FeatureGates.emulated(values);
        return version.substring(0, version.lastIndexOf('.'));
    }

    ComponentPage flags() {
        return new ComponentPage(
                "Flagz",
                () -> texts().entrySet().stream()
                        .map(flag -> flag.getKey() + ": " + flag.getValue() + "\n")
                        .collect(Collectors.joining()),
                () -> {
                    JsonObject flags = JsonObject.EMPTY;
                    for (Map.Entry<String, String> flag : texts().entrySet()) {
                        flags = flags.with(flag.getKey(), flag.getValue());
                    }
                    return JsonObject.EMPTY.with("flags", flags);
                });
    }

    /** The values of all options by name, in the form of Go's flags. */
    private Map<String, String> texts() {
        Map<String, String> texts = new TreeMap<>(Map.of("help", "false", "version", "false"));
        for (CommandOption option : values.table().options()) {
            texts.put(option.name(), text(option, option.type().json(values.get(option.name()))));
        }
        return texts;
    }

    private static String text(CommandOption option, JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.elements().stream()
                    .map(each -> ((JsonString) each).value())
                    .collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof JsonObject pairs) {
            String text = pairs.members().entrySet().stream()
                    .map(pair -> pair.getKey() + "=" + ((JsonString) pair.getValue()).value())
                    .collect(Collectors.joining(","));
            return option.name().equals("allow-metric-labels") ? "[" + text + "]" : text;
        }
        boolean isNoQuantity = option.type() == OptionType.QUANTITY && value.equals(new JsonString(""));
        return isNoQuantity ? "0" : value instanceof JsonString text ? text.value() : value.toString();
    }
}
