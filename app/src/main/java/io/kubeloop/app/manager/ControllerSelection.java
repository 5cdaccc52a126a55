package io.kubeloop.app.manager;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Which controllers run, by the rules of kube-controller-manager's {@code --controllers} (upstream:
 * {@code cmd/controller-manager/app.IsControllerEnabled}): {@code name} enables, {@code -name} disables, {@code *} enables
 * all that are on by default; the first entry that speaks of a controller decides.
 *
 * @param entries as given, such as {@code [*, -endpoint]}
 */
record ControllerSelection(List<String> entries) {

    ControllerSelection {
        entries = List.copyOf(entries);
    }

    /** Returns whether the controller runs; it may be called by either of its names. */
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
        return star;
    }

    /** Returns the entries that name no known controller; one that is empty in quotes, so that it can be seen. */
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
