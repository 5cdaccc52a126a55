/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.value.GoDuration;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.log.LogFormat;
import io.kubeloop.command.log.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The options about the log. Holds no state. */
final class LogOptions {

    /** The gate of the options that Kubernetes accepts only as an experiment. */
    private static final String ALPHA = "LoggingAlphaOptions";

    private LogOptions() {}

    /** Returns what is wrong with the options, in the words of kube-controller-manager. */
    static List<String> problems(OptionValues values) {
        List<String> problems = new ArrayList<>();
        Duration frequency = values.duration("log-flush-frequency");
        if (frequency.isNegative() || frequency.isZero()) {
            String text = frequency.isZero() ? "0s" : GoDuration.format(frequency);
            problems.add("flushFrequency: Invalid value: \"" + text + "\": Must be greater than zero");
        }
        String format = values.text("logging-format");
        Map<String, String> levels = values.entries("vmodule");
        if (!List.of("text", "json", "klog").contains(format)) {
            problems.add("format: Invalid value: \"" + format + "\": Unsupported log format");
        } else if (format.equals("json") && !levels.isEmpty()) {
            problems.add("vmodule: Forbidden: Only supported for text log format");
        }
        if (!FeatureGates.isOn(values, ALPHA)) {
            for (String kind : List.of("text", "json")) {
                if (values.bool("log-" + kind + "-split-stream")) {
                    problems.add("options." + kind + ".splitStream: Forbidden: Feature " + ALPHA + " is disabled");
                }
                if (!values.text("log-" + kind + "-info-buffer-size").isEmpty()) {
                    problems.add("options." + kind + ".infoBufferSize: Forbidden: Feature " + ALPHA + " is disabled");
                }
            }
        }
        return problems;
    }

    /** Sets levels and format of the log to those of checked options. */
    static void apply(OptionValues values) {
        Map<String, Integer> levels = new TreeMap<>();
        values.entries("vmodule").forEach((name, level) -> levels.put(name, Integer.valueOf(level)));
        Logs.configure(
                values.integer("v"),
                levels,
                LogFormat.valueOf(values.text("logging-format").toUpperCase(Locale.ROOT)));
    }
}
