/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.selinuxwarning;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * The SELinux label of a pod on a volume. The manager does not know the defaults of nodes, so absent parts stay
 * empty. Immutable.
 *
 * @param text user, role, type and level with {@code :} between them; empty without a label
 */
record SelinuxLabel(String text) {

    static final SelinuxLabel NONE = new SelinuxLabel("");

    private static final List<String> PARTS = List.of("user", "role", "type", "level");

    /** Returns the label of {@code seLinuxOptions}. */
    static SelinuxLabel of(JsonObject options) {
        List<String> parts = PARTS.stream().map(options::string).toList();
        return parts.stream().allMatch(String::isEmpty) ? NONE : new SelinuxLabel(String.join(":", parts));
    }

    private String part(int index) {
        String[] parts = text.split(":", PARTS.size());
        return index < parts.length ? parts[index] : "";
    }

    /** Returns whether a volume cannot have both labels. Empty parts fit any other, except an empty level. */
    boolean conflictsWith(SelinuxLabel other) {
        for (int i = 0; i < PARTS.size(); i++) {
            String mine = part(i);
            String theirs = other.part(i);
            boolean isLevel = i == PARTS.size() - 1;
            if (!mine.equals(theirs) && (isLevel || !(mine.isEmpty() || theirs.isEmpty()))) {
                return true;
            }
        }
        return false;
    }
}
