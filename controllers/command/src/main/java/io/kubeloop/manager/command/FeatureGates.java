/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.OptionValues;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The feature gates of Kubernetes 1.37, by {@code feature-gates.tsv}, and the options about releases. A gate that is
 * off stops the controllers that need it. Otherwise, the controllers behave as those of 1.37 with the default gates;
 * another value is checked and reported, and has no effect. Holds no state.
 */
final class FeatureGates {

    /** The release whose controllers these are. */
    static final String RELEASE = "1.37.2";

    /** The gates that have an effect here beside those without which a controller does not run. */
    private static final Set<String> WITH_EFFECT = Set.of(
            "CoordinatedLeaderElection",
            "ControllerManagerReleaseLeaderElectionLockOnExit",
            "ComponentFlagz",
            "ComponentStatusz");

    /** The first release that 1.37 can emulate, and 1.37. */
    private static final int FIRST = 34;

    private static final int LAST = 37;

    /** The release before it, whose hidden metrics can be shown. */
    static final String FORMER = "1." + (LAST - 1);

    /**
     * The default value of a gate, whether it is the only value, its stage, the gates that must be on too, and the
     * controllers that do not run without it.
     */
    private record Gate(
            boolean isOn, boolean isLocked, String stage, List<String> required, List<String> controllers) {}

    private static final Map<String, Gate> GATES = read();

    private FeatureGates() {}

    private static Map<String, Gate> read() {
        Map<String, Gate> gates = new TreeMap<>();
        try (InputStream in = FeatureGates.class.getResourceAsStream("feature-gates.tsv")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .skip(1)
                    .map(line -> line.split("\t", -1))
                    .forEach(cells -> gates.put(
                            cells[0],
                            new Gate(
                                    Boolean.parseBoolean(cells[1]),
                                    Boolean.parseBoolean(cells[2]),
                                    cells[3],
                                    names(cells[4]),
                                    names(cells[5]))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource feature-gates.tsv", e);
        }
        return gates;
    }

    private static List<String> names(String cell) {
        return cell.isEmpty() ? List.of() : List.of(cell.split(" "));
    }

    /** Returns the controllers that do not run, because a gate that is on by default is off. */
    static List<String> stopped(OptionValues values) {
        return GATES.entrySet().stream()
                .filter(gate -> gate.getValue().isOn() && !isOn(values, gate.getKey()))
                .flatMap(gate -> gate.getValue().controllers().stream())
                .toList();
    }

    /** Returns what is wrong with the gates and releases, in the words of kube-controller-manager. */
    static List<String> problems(OptionValues values) {
        List<String> problems = new ArrayList<>();
        values.entries("feature-gates").forEach((name, value) -> problems.add(problem(plain(name), value)));
        if (problems.stream().allMatch(String::isEmpty)) {
            GATES.forEach((name, gate) -> problems.add(missing(values, name, gate)));
        }
        problems.add(firstProblem(values, "emulated-version", "emulation version", "1." + LAST + ".0"));
        problems.add(firstProblem(values, "min-compatibility-version", "minCompatibilityVersion version", "1." + LAST));
        return problems;
    }

    private static String firstProblem(OptionValues values, String option, String what, String last) {
        return values.texts(option).stream()
                .map(version -> problem(what, version, last))
                .filter(problem -> !problem.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String missing(OptionValues values, String name, Gate gate) {
        List<String> off = gate.required().stream()
                .filter(required -> !isOn(values, required))
                .toList();
        return off.isEmpty() || !isOn(values, name)
                ? ""
                : name + " is enabled, but depends on features that are disabled: [" + String.join(" ", off) + "]";
    }

    private static String problem(String name, String value) {
        if (name.contains(":")) {
            return "component not registered: " + name.substring(0, name.indexOf(':'));
        }
        if (!value.equals("true") && !value.equals("false")) {
            return "invalid value of " + name + "=" + value + ", err: strconv.ParseBool: parsing \"" + value
                    + "\": invalid syntax";
        }
        Gate gate = GATES.get(name);
        if (gate == null) {
            return "unrecognized feature gate: " + name;
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

    /** Returns whether a gate is on: by its own value, by that of all gates of its stage, or by default. */
    static boolean isOn(OptionValues values, String name) {
        Gate gate = GATES.get(name);
        if (gate == null) {
            return false;
        }
        String ofStage = switch (gate.stage()) {
            case "ALPHA" -> "AllAlpha";
            case "BETA" -> "AllBeta";
            default -> name;
        };
        return Stream.of(name, "kube:" + name, ofStage, "kube:" + ofStage)
                .map(key -> values.entries("feature-gates").get(key))
                .filter(Objects::nonNull)
                .findFirst()
                .map(Boolean::parseBoolean)
                .orElse(gate.isOn());
    }

    /** Returns the release of {@code --emulated-version} with a patch number. */
    static String emulated(OptionValues values) {
        return values.texts("emulated-version").stream()
                        .map(version -> version.startsWith("kube=") ? version.substring("kube=".length()) : version)
                        .findFirst()
                        .orElse("1." + LAST)
                + ".0";
    }

    /** Returns a line for each value of a gate or a release that changes the original, and has no effect here. */
    static List<String> withoutEffect(OptionValues values) {
        List<String> lines = new ArrayList<>();
        values.entries("feature-gates").forEach((name, value) -> {
            if (changes(plain(name), Boolean.parseBoolean(value))) {
                lines.add("--feature-gates: " + name + "=" + value
                        + " has no effect: the controllers behave as those of 1.37 with its default gates");
            }
        });
        String emulated = emulated(values);
        if (!emulated.equals("1." + LAST + ".0") && !isOn(values, "CoordinatedLeaderElection")) {
            lines.add(
                    "--emulated-version=" + emulated + " has no effect: the controllers behave as those of 1." + LAST);
        }
        return lines;
    }

    /** Returns whether the original would behave differently with the value, and this program does not. */
    private static boolean changes(String name, boolean value) {
        if (name.equals("AllAlpha") || name.equals("AllBeta")) {
            String stage = name.substring("All".length()).toUpperCase(Locale.ROOT);
            return GATES.values().stream()
                    .anyMatch(gate -> gate.stage().equals(stage) && !gate.isLocked() && gate.isOn() != value);
        }
        Gate gate = GATES.get(name);
        return gate != null
                && gate.isOn() != value
                && !WITH_EFFECT.contains(name)
                && (value || gate.controllers().isEmpty());
    }
}
