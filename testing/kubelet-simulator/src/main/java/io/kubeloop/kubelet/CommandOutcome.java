/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.json.tree.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a container's command shows about its end. Tests often use {@code sleep N}, {@code exit N}, {@code true} and
 * {@code false}, alone or as the whole script of a shell, or the image {@code pause}, which never ends; every other
 * command takes the default time and succeeds.
 *
 * @param time how long the command runs; null for the default
 * @param exitCode the exit code
 */
record CommandOutcome(@Nullable Duration time, int exitCode) {

    /** Longer than any test. */
    static final Duration ENDLESS = Duration.ofDays(36_500);

    private static final CommandOutcome UNKNOWN = new CommandOutcome(null, 0);
    private static final Set<String> SHELLS = Set.of("sh", "bash", "ash");
    private static final int LONGEST_NUMBER = 30;
    private static final String UNITS = "smhd";
    private static final List<Long> SECONDS = List.of(1L, 60L, 3600L, 86_400L);

    /** Returns the outcome of a pod: its longest command, and the first failure. */
    static CommandOutcome of(JsonObject pod) {
        CommandOutcome whole = UNKNOWN;
        for (JsonObject container : pod.array("spec", "containers").objects().toList()) {
            CommandOutcome one = ofContainer(container);
            Duration longest = whole.time == null || (one.time != null && one.time.compareTo(whole.time) > 0)
                    ? one.time
                    : whole.time;
            whole = new CommandOutcome(longest, whole.exitCode == 0 ? one.exitCode : whole.exitCode);
        }
        return whole;
    }

    private static CommandOutcome ofContainer(JsonObject container) {
        List<String> words =
                new ArrayList<>(container.array("command").strings().toList());
        words.addAll(container.array("args").strings().toList());
        if (words.size() == 3 && SHELLS.contains(program(words)) && words.get(1).equals("-c")) {
            words = Stream.of(words.get(2).strip().split(" +", -1)).toList();
        }
        if (words.isEmpty() && isPause(container.string("image"))) {
            return new CommandOutcome(ENDLESS, 0);
        }
        return switch (program(words)) {
            case "sleep" -> words.size() == 2 ? new CommandOutcome(time(words.get(1)), 0) : UNKNOWN;
            case "exit" -> words.size() == 2 ? new CommandOutcome(null, code(words.get(1))) : UNKNOWN;
            case "false" -> new CommandOutcome(null, 1);
            default -> UNKNOWN;
        };
    }

    /** Returns whether an image is that of Kubernetes' pause container, which never ends. */
    private static boolean isPause(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        return name.equals("pause") || name.startsWith("pause:") || name.startsWith("pause@");
    }

    private static String program(List<String> words) {
        return words.isEmpty() ? "" : words.get(0).substring(words.get(0).lastIndexOf('/') + 1);
    }

    private static @Nullable Duration time(String text) {
        if (text.length() > LONGEST_NUMBER) {
            return null;
        }
        if (text.equals("infinity") || text.equals("inf")) {
            return ENDLESS;
        }
        int unit = text.isEmpty() ? -1 : UNITS.indexOf(text.charAt(text.length() - 1));
        try {
            BigDecimal number = new BigDecimal(unit < 0 ? text : text.substring(0, text.length() - 1));
            BigDecimal seconds = number.multiply(BigDecimal.valueOf(SECONDS.get(Math.max(0, unit))));
            return seconds.compareTo(BigDecimal.valueOf(ENDLESS.toSeconds())) >= 0
                    ? ENDLESS
                    : Duration.ofMillis(Math.max(0, seconds.movePointRight(3).longValue()));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static int code(String text) {
        try {
            return Integer.parseInt(text) & 0xff;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
