/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What a user does to the cluster, step by step. After each step the run waits until the operator has nothing to do.
 *
 * @param steps the steps in order
 */
public record Workload(List<Step> steps) {

    /**
     * One step.
     *
     * @param name words for the report, such as {@code scale web to 3}
     * @param action changes the cluster through the control plane
     */
    public record Step(String name, Consumer<ControlPlane> action) {}

    /** Copies the list. */
    public Workload {
        steps = List.copyOf(steps);
    }

    /**
     * Reads a workload from a folder. Each file, in the order of the names, is a step: its objects are applied. The
     * objects of a file whose name contains {@code .delete.} are deleted.
     *
     * @throws IOException if the folder or a file cannot be read, or the folder has no file
     */
    public static Workload read(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        if (files.isEmpty()) {
            throw new NoSuchFileException(folder + " has no file");
        }
        Builder builder = builder();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            String manifests = Files.readString(file);
            if (name.contains(".delete.")) {
                builder.step(name, plane -> UserChanges.of(plane).delete(name, manifests));
            } else {
                builder.apply(name, manifests);
            }
        }
        return builder.build();
    }

    /** Returns a builder without steps. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns this workload without one of its steps. */
    public Workload without(int step) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.remove(step);
        return new Workload(fewer);
    }

    /** Collects steps. Not thread-safe. */
    public static final class Builder {

        private final List<Step> steps = new ArrayList<>();

        private Builder() {}

        /** Adds a step with an action of the caller's. */
        public Builder step(String name, Consumer<ControlPlane> action) {
            steps.add(new Step(name, action));
            return this;
        }

        /**
         * Applies manifests, in YAML or JSON; see {@link ControlPlane#apply}.
         *
         * @param name words for the report
         */
        public Builder apply(String name, String manifests) {
            return step(name, plane -> UserChanges.of(plane).apply(name, manifests));
        }

        /**
         * Changes one object, as {@code kubectl edit} does.
         *
         * @param change gets the object and returns the one to write
         */
        public Builder edit(
                String apiVersion, String kind, String namespace, String name, UnaryOperator<JsonObject> change) {
            return step(
                    "edit " + kind + " " + name,
                    plane -> UserChanges.of(plane).edit(apiVersion, kind, namespace, name, change));
        }

        /** Deletes one object. It is no error if the object is gone already. */
        public Builder delete(String apiVersion, String kind, String namespace, String name) {
            return step(
                    "delete " + kind + " " + name,
                    plane -> UserChanges.of(plane).delete(apiVersion, kind, namespace, name));
        }

        /** Lets time pass. Only for operators that follow the clock of the trial. */
        public Builder advance(Duration duration) {
            return step("wait " + duration, plane -> plane.clock().advance(duration));
        }

        /** Returns the workload. */
        public Workload build() {
            return new Workload(steps);
        }
    }
}
