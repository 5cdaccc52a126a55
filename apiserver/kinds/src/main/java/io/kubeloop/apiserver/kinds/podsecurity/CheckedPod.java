/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.podsecurity;

import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A pod, or the template of one, as the checks read it.
 *
 * @param annotations the annotations
 * @param spec the spec
 * @param containers the containers that initialize, run, and debug, in this order
 */
record CheckedPod(JsonObject annotations, JsonObject spec, List<JsonObject> containers) {

    private static final String CONTEXT = "securityContext";

    static CheckedPod of(JsonObject pod) {
        JsonObject spec = pod.object("spec");
        return new CheckedPod(
                pod.object("metadata", "annotations"),
                spec,
                Stream.of("initContainers", "containers", "ephemeralContainers")
                        .flatMap(list -> spec.array(list).objects())
                        .toList());
    }

    JsonObject context() {
        return spec.object(CONTEXT);
    }

    boolean isOfWindows() {
        return spec.string("os", "name").equals("windows");
    }

    /** Returns whether the root of the pod is another user on the node. */
    boolean hasUserNamespace() {
        return spec.has("hostUsers") && !spec.bool("hostUsers");
    }

    /** Returns the names of the containers whose security context the test finds bad. */
    List<String> containersWith(Predicate<JsonObject> bad) {
        return containers.stream()
                .filter(container -> bad.test(container.object(CONTEXT)))
                .map(container -> container.string("name"))
                .toList();
    }

    /** What sets a field of security contexts to bad values: the subject of a message, and the values. */
    record Setters(List<String> subjects, TreeSet<String> values) {

        String subject() {
            return String.join(" and ", subjects);
        }

        boolean isEmpty() {
            return subjects.isEmpty();
        }
    }

    /**
     * Finds the security contexts, of the pod and of its containers, with bad values.
     *
     * @param bad returns the bad values in a context; empty if there are none
     */
    Setters settersOf(Function<JsonObject, List<String>> bad) {
        TreeSet<String> values = new TreeSet<>(bad.apply(context()));
        List<String> subjects = new ArrayList<>(values.isEmpty() ? List.of() : List.of("pod"));
        List<String> names = containersWith(context -> {
            List<String> found = bad.apply(context);
            values.addAll(found);
            return !found.isEmpty();
        });
        if (!names.isEmpty()) {
            subjects.add(named("container", names));
        }
        return new Setters(subjects, values);
    }

    static String named(String what, Collection<String> names) {
        return plural(what, names) + " " + quoted(names);
    }

    static String plural(String what, Collection<String> counted) {
        return counted.size() == 1 ? what : what + "s";
    }

    static String quoted(Collection<String> names) {
        return names.stream().collect(Collectors.joining("\", \"", "\"", "\""));
    }
}
