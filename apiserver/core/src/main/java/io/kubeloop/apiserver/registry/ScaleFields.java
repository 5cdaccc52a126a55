/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ScalePaths;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.LabelSelectorTrees;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object that its scale shows. Built-in kinds have them at fixed places, custom resources where their
 * definition states. Static functions only.
 */
final class ScaleFields {

    private ScaleFields() {}

    /**
     * Checks that an object has desired replicas.
     *
     * @throws StatusException 500 if it is a custom resource without them, as upstream
     */
    static void requireReplicas(ResourceStore store, JsonObject object) {
        ScalePaths paths = store.strategy().scalePaths();
        if (paths != null && number(object, paths.specReplicas()) == null) {
            throw StatusException.internalError(
                    "the spec replicas field \"." + String.join(".", paths.specReplicas()) + "\" does not exist");
        }
    }

    /** Returns the {@code spec} of the scale of an object. */
    static JsonObject spec(ResourceStore store, JsonObject object) {
        return JsonObject.EMPTY.with("replicas", orZero(number(object, replicasPath(store))));
    }

    /** Returns the path of the desired replicas. */
    static List<String> replicasPath(ResourceStore store) {
        ScalePaths paths = store.strategy().scalePaths();
        return paths == null ? List.of("spec", "replicas") : paths.specReplicas();
    }

    /** Returns the {@code status} of the scale of an object. */
    static JsonObject status(ResourceStore store, JsonObject object) {
        ScalePaths paths = store.strategy().scalePaths();
        if (paths == null) {
            return JsonObject.EMPTY
                    .with("replicas", orZero(object.number("status", "replicas")))
                    .with("selector", selector(object.object("spec", "selector")));
        }
        JsonObject status = JsonObject.EMPTY.with("replicas", orZero(number(object, paths.statusReplicas())));
        String selector = paths.selector().isEmpty() ? "" : object.string(array(paths.selector()));
        return selector.isEmpty() ? status : status.with("selector", selector);
    }

    /** Returns the object with other desired replicas. */
    static JsonObject withReplicas(ResourceStore store, JsonObject object, long replicas) {
        return object.with(replicasPath(store), JsonNumber.of(replicas));
    }

    private static @Nullable Long number(JsonObject object, List<String> path) {
        return object.number(array(path));
    }

    private static String[] array(List<String> path) {
        return path.toArray(String[]::new);
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    /** A ReplicationController has a map of labels where newer kinds have a label selector. */
    private static String selector(JsonObject selector) {
        boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
        try {
            return plain
                    ? LabelSelectors.ofMap(selector.strings()).toString()
                    : LabelSelectorTrees.read(selector).toString();
        } catch (InvalidSelectorException e) {
            throw StatusException.internal("invalid label selector: " + e.getMessage());
        }
    }
}
