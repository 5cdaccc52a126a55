/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.demo.live.LivePage;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoKeysTest {

    private static final List<String> FAULTS = LivePage.table(LivePage.FAULTS).elements().stream()
            .map(entry -> ((JsonObject) entry).string("name"))
            .toList();

    private static String command(int key) {
        JsonObject command = DemoKeys.command(key, FAULTS);
        return command == null ? "" : (command.string("do") + " " + command.string("name")).strip();
    }

    @Test
    void eachFault_hasTheKeyOfItsNumberOnThePage() {
        List<String> caused = new ArrayList<>();
        for (int key = '1'; key <= '9'; key++) {
            caused.add(command(key));
        }
        assertThat(caused)
                .isEqualTo(FAULTS.stream().map(fault -> "fault " + fault).toList());
    }

    @Test
    void otherKeys_areThoseOfTheHelp() {
        Map<Character, String> keys =
                Map.of('0', "clear", 'p', "speed paused", '.', "step", 's', "speed slow", 'r', "speed real");
        keys.forEach((key, command) -> {
            assertThat(command(key)).isEqualTo(command);
            assertThat(DemoKeys.HELP).contains(" " + key + " ");
        });
        for (int key = 0; key < 256; key++) {
            boolean known = keys.containsKey((char) key) || (key >= '1' && key <= '9');
            assertThat(command(key).isEmpty()).as("key %d", key).isEqualTo(!known);
        }
    }
}
