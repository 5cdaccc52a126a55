/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A benchmark with its parameters.
 *
 * @param name class and method in JMH's form
 * @param parameters the parameters by name
 */
record BenchmarkId(String name, SortedMap<String, String> parameters) implements Comparable<BenchmarkId> {

    private static final String PACKAGE = "io.kubeloop.jmh.";

    static BenchmarkId of(String name, Map<String, String> parameters) {
        return new BenchmarkId(name, new TreeMap<>(parameters));
    }

    @Override
    public int compareTo(BenchmarkId other) {
        return toString().compareTo(other.toString());
    }

    /** Returns its name without the package, and its parameters. */
    @Override
    public String toString() {
        String shortName = name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
        return shortName
                + parameters.entrySet().stream()
                        .map(parameter -> " " + parameter.getKey() + "=" + parameter.getValue())
                        .collect(Collectors.joining());
    }
}
