/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.OptionValues;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The feature gates of Kubernetes 1.37, by {@code feature-gates.tsv}, and the options about releases. The controllers
 * behave as those of 1.37 with the default gates; another value is checked and reported, and has no effect. Holds no
 * state.
 */
final class FeatureGates {

    /** The release whose controllers these are. */
    static final String RELEASE = "1.37.2";

    /** The gates that have an effect here. The lease is always released at an orderly end. */
    private static final Set<String> WITH_EFFECT =
            Set.of("CoordinatedLeaderElection", "ControllerManagerReleaseLeaderElectionLockOnExit");

    /** The first release that 1.37 can emulate, and 1.37. */
    private static final int FIRST = 34;

    private static final int LAST = 37;

    /** The default value of a gate, and whether it is the only value. */
    private record Gate(boolean isOn, boolean isLocked) {}

    private static final Map<String, Gate> GATES = read();

    private FeatureGates() {}

    private static Map<String, Gate> read() {
        Map<String, Gate> gates = new TreeMap<>();
        try (InputStream in = FeatureGates.class.getResourceAsStream("feature-gates.tsv")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .skip(1)
                    .map(line -> line.split("\t"))
                    .forEach(cells -> gates.put(
                            cells[0], new Gate(Boolean.parseBoolean(cells[1]), Boolean.parseBoolean(cells[2]))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource feature-gates.tsv", e);
        }
        return gates;
    }

    /** Returns what is wrong with the gates and releases, in the words of kube-controller-manager. */
    static List<String> problems(OptionValues values) {
        List<String> problems = new ArrayList<>();
        values.entries("feature-gates").forEach((name, value) -> problems.add(problem(plain(name), value)));
        values.texts("emulated-version")
                .forEach(version -> problems.add(problem("emulation version", version, "1." + LAST + ".0")));
        values.texts("min-compatibility-version")
                .forEach(version -> problems.add(problem("minCompatibilityVersion version", version, "1." + LAST)));
        return problems;
    }

    private static String problem(String name, String value) {
        Gate gate = GATES.get(name);
        if (gate == null) {
            return "unrecognized feature gate: " + name;
        }
        if (!value.equals("true") && !value.equals("false")) {
            return "invalid value of " + name + "=" + value + ", err: strconv.ParseBool: parsing \"" + value
                    + "\": invalid syntax";
        }
        boolean isOn = value.equals("true");
        return gate.isLocked() && isOn != gate.isOn()
                ? "cannot set feature gate " + name + " to " + isOn + ", feature is locked to " + gate.isOn()
                : "";
    }

    /** The component may be named, as in {@code kube:JobManagedBy} and {@code kube=1.35}. */
    private static String plain(String name) {
        return name.startsWith("kube:") ? name.substring("kube:".length()) : name;
    }

    private static String problem(String what, String text, String last) {
        String version = text.startsWith("kube=") ? text.substring("kube=".length()) : text;
        String minor = version.startsWith("1.") ? version.substring(2) : "";
        if (minor.isEmpty() || minor.length() > 3 || !minor.chars().allMatch(Character::isDigit)) {
            return "could not parse \"" + version + "\" as version";
        }
        int number = Integer.parseInt(minor);
        return number < FIRST || number > LAST
                ? what + " " + version + " is not between [1." + FIRST + ", " + last + "]"
                : "";
    }

    /** Returns whether a gate is on. */
    static boolean isOn(OptionValues values, String name) {
        String value = values.entries("feature-gates")
                .getOrDefault(name, values.entries("feature-gates").getOrDefault("kube:" + name, ""));
        Gate gate = GATES.get(name);
        return value.isEmpty() ? gate != null && gate.isOn() : Boolean.parseBoolean(value);
    }

    /** Returns the release of {@code --emulated-version} with a patch number. */
    static String emulated(OptionValues values) {
        return values.texts("emulated-version").stream()
                        .map(version -> version.startsWith("kube=") ? version.substring("kube=".length()) : version)
                        .findFirst()
                        .orElse("1." + LAST)
                + ".0";
    }

    /** Returns a line for each gate with another value than its default. */
    static List<String> withoutEffect(OptionValues values) {
        List<String> lines = new ArrayList<>();
        values.entries("feature-gates").forEach((name, value) -> {
            Gate gate = GATES.get(plain(name));
            boolean isOther = gate != null && gate.isOn() != Boolean.parseBoolean(value);
            if (isOther && !WITH_EFFECT.contains(plain(name))) {
                lines.add("--feature-gates: " + name + "=" + value
                        + " has no effect: the controllers behave as those of 1.37 with its default gates");
            }
        });
        return lines;
    }
}
