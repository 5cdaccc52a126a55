/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of a demo in a terminal. Each one is a command of the live page. */
final class DemoKeys {

    /** The keys in words, for a line below the view. */
    static final String HELP = "  keys: 1-9 a fault, 0 end faults, p pause, . step, s slow motion, r real time";

    private DemoKeys() {}

    /**
     * Returns the command of a key; null for none.
     *
     * @param faults the names of the faults, in the order of the keys from 1
     */
    static @Nullable JsonObject command(int key, List<String> faults) {
        return switch (key) {
            case 'p' -> command("speed", "paused");
            case 's' -> command("speed", "slow");
            case 'r' -> command("speed", "real");
            case '.' -> command("step", "");
            case '0' -> command("clear", "");
            default -> key > '0' && key <= '0' + faults.size() ? command("fault", faults.get(key - '1')) : null;
        };
    }

    private static JsonObject command(String name, String argument) {
        return JsonObject.EMPTY.with("do", name).with("name", argument);
    }
}
