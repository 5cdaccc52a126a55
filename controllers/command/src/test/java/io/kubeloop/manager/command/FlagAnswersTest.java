/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.Command;
import io.kubeloop.command.UsageException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.manager.ControllerTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** All flags with odd values, and the answers of kube-controller-manager 1.37.2, which record-manager.sh records. */
class FlagAnswersTest {

    /**
     * Values that the original accepts, and with which it waits for nothing, runs no worker, or ends later with a stack
     * trace. They are refused here.
     */
    private static final Pattern STRICTER = Pattern.compile(
            ".* must (not )?be .*|the durations of leader-elect contradict each other: .*|.* requires a .*|.*out of "
                    + "range");

    /**
     * Refused by both, in other words: the message about an unknown controller also has the names of the known ones,
     * numbers have 32 bits, and a missing value is not reported by the short form of the flag.
     */
    private static final Pattern OTHER_WORDS =
            Pattern.compile(".*is not in the list of known controllers.*|.*out of range|flag needs an argument: --v");

    private static String answer(List<String> flags) {
        try {
            var unused = ManagerSettings.of(
                    ControllerManagerCommand.OPTIONS.parse(flags.toArray(String[]::new)), ControllerTable.BUILT_IN);
            return "accepted";
        } catch (ParameterException e) {
            return Command.misuse(e, "kube-controller-manager");
        } catch (UsageException e) {
            return e.getMessage();
        }
    }

    private static List<String> flags(String json) {
        JsonArray flags = (JsonArray)
                JsonObject.parse("{\"flags\":" + json + "}").members().get("flags");
        return flags.elements().stream()
                .map(flag -> ((JsonString) flag).value())
                .toList();
    }

    @Test
    void oddValues_areAnsweredAsByTheOriginal() throws IOException {
        List<String> differences = new ArrayList<>();
        List<String> stricter = new ArrayList<>();
        try (InputStream in = getClass().getResourceAsStream("kube-controller-manager-answers.tsv")) {
            String recorded = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String row : recorded.lines().skip(1).toList()) {
                String[] cells = row.split("\t", -1);
                String ours = answer(flags(cells[0]));
                if (cells[2].equals("accepted") && STRICTER.matcher(ours).matches()) {
                    stricter.add(cells[0] + ": " + ours);
                } else if (!ours.equals(cells[2])
                        && (cells[2].equals("accepted")
                                || !OTHER_WORDS.matcher(ours).matches())) {
                    differences.add(cells[0] + "\n    theirs: " + cells[2] + "\n    ours:   " + ours);
                }
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
        assertThat(stricter).hasSize(116);
    }
}
