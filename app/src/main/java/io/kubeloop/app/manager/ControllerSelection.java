package io.kubeloop.app.manager;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Selects the controllers that run, by the rules of kube-controller-manager's {@code --controllers} (upstream: {@code
 * cmd/controller-manager/app.IsControllerEnabled}). The entry {@code name} enables a controller, {@code -name} disables
 * it, and {@code *} enables those that are on by default. The first entry that names a controller decides.
 *
 * @param entries the entries of the flag, such as {@code [*, -endpoints-controller]}
 */
record ControllerSelection(List<String> entries) {

    ControllerSelection {
        entries = List.copyOf(entries);
    }

    /** Returns whether the controller runs. An entry matches its name or its alias. */
    boolean isEnabled(ControllerDescriptor controller) {
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

    /** Returns the entries that name no known controller. An empty entry appears in quotes, which makes it visible. */
    List<String> unknown(Collection<ControllerDescriptor> known) {
        List<String> unknown = new ArrayList<>();
        for (String entry : entries) {
            String name = entry.startsWith("-") ? entry.substring(1) : entry;
            if (!entry.equals("*") && known.stream().noneMatch(c -> c.isCalled(name))) {
                unknown.add(entry.isEmpty() ? "\"\"" : entry);
            }
        }
        return unknown;
    }
}
