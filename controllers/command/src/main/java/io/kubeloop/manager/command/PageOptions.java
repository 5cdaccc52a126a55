/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.OptionValues;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The checks of the options of pages and metrics, in the words of kube-controller-manager. Holds no state. */
final class PageOptions {

    private static final int MAX_PORT = 65535;
    private static final String METRIC = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";
    private static final Pattern LABEL_OF_METRIC = Pattern.compile(METRIC + "," + LABEL);

    private PageOptions() {}

    /** Returns what is wrong with the options. */
    static List<String> problems(OptionValues values) {
        List<String> problems = new ArrayList<>();
        problems.add(portProblem(values.integer("secure-port")));
        for (String kind : List.of("allowed-names", "username-headers", "uid-headers", "group-headers")) {
            problems.add(emptyProblem(values, "requestheader-" + kind));
        }
        problems.add(emptyProblem(values, "requestheader-extra-headers-prefix"));
        List<String> uids = values.texts("requestheader-uid-headers");
        if (!uids.isEmpty() && uids.stream().noneMatch("X-Remote-Uid"::equalsIgnoreCase)) {
            problems.add("--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API"
                    + " aggregation will not work");
        }
        List<String> disabled = values.texts("disabled-metrics");
        disabled.stream()
                .filter(name -> !name.matches(METRIC))
                .findFirst()
                .ifPresent(
                        name -> problems.add("metrics.disabledMetrics: Invalid value: " + JsonArray.ofStrings(disabled)
                                + ": must be fully qualified metric names matching \"^" + METRIC + "$\", got "
                                + new JsonString(name)));
        values.entries("allow-metric-labels").forEach((key, value) -> {
            if (!LABEL_OF_METRIC.matcher(key).matches()) {
                problems.add("metrics.allowListMapping: Invalid value: {" + new JsonString(key) + ":"
                        + new JsonString(value)
                        + "}: must have keys with format `metricName,labelName` where metricName"
                        + " matches \"" + METRIC + "\" and labelName matches \"" + LABEL + "\"");
            }
        });
        String hidden = values.text("show-hidden-metrics-for-version");
        if (!hidden.isEmpty() && !hidden.equals(FeatureGates.FORMER)) {
            problems.add("metrics.showHiddenMetricsForVersion: Invalid value: " + new JsonString(hidden)
                    + ": must be omitted or have the value '" + FeatureGates.FORMER
                    + "'; only the previous minor version is allowed");
        }
        problems.add(manifestProblem(values.text("allow-metric-labels-manifest")));
        return problems;
    }

    private static String manifestProblem(String file) {
        if (file.isEmpty() || Files.isReadable(Path.of(file))) {
            return "";
        }
        return "metrics.allowListMappingManifest: Invalid value: " + new JsonString(file)
                + ": failed to read allow list manifest: open " + file + ": no such file or directory";
    }

    private static String portProblem(int port) {
        if (port < 0) {
            return "--secure-port " + port + " must be between 0 and " + MAX_PORT
                    + ", inclusive. 0 for turning off secure port";
        }
        return port <= MAX_PORT
                ? ""
                : "--secure-port " + port + " must be between 1 and " + MAX_PORT
                        + ", inclusive. It cannot be turned off with 0";
    }

    private static String emptyProblem(OptionValues values, String name) {
        return values.texts(name).stream().anyMatch(String::isBlank) ? "empty value in \"" + name + "\"" : "";
    }
}
