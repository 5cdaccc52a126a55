/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import java.util.List;

/**
 * Selects the controllers that run, by the rules of kube-controller-manager's {@code --controllers} (upstream: {@code
 * cmd/controller-manager/app.IsControllerEnabled}). The entry {@code name} enables a controller, {@code -name} disables
 * it, and {@code *} enables those that are on by default. The first entry that names a controller decides.
 *
 * @param entries the entries of the flag, such as {@code [*, -endpoints-controller]}
 */
public record ControllerSelection(List<String> entries) {

    /** The controllers that are on by default: {@code *}. */
    public static final ControllerSelection DEFAULT = of("*");

    /** Copies the entries. */
    public ControllerSelection {
        entries = List.copyOf(entries);
    }

    /** Returns the selection with these entries; none of them selects nothing. */
    public static ControllerSelection of(String... entries) {
        return new ControllerSelection(List.of(entries));
    }

    /** Returns whether the controller runs. An entry matches its name or its alias. */
    public boolean isEnabled(ControllerDescriptor controller) {
        boolean star = false;
        for (String entry : entries) {
            if (controller.isCalled(entry)) {
                return true;
            }
            if (entry.startsWith("-") && controller.isCalled(entry.substring(1))) {
                return false;
            }
            star |= entry.equals("*");
        }
        return star && controller.isOnByDefault();
    }
}
