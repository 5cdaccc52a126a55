/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.simulation.Workload;
import io.kubeloop.simulation.declaration.Declaration;
import io.kubeloop.simulation.declaration.DeclarationGenerator;
import io.kubeloop.simulation.state.EndState;
import io.kubeloop.simulation.state.StateDifference;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Trials of generated declarations. Whatever was declared before, a declaration leads to the same state; and what a
 * declaration made is gone after its deletion.
 */
public final class DeclarationTrials {

    private final Setup setup;
    private final Predicate<String> ignored;
    private final JsonObject base;
    private final EndState baseState;

    /**
     * What came of one declaration.
     *
     * @param problems what is wrong, one sentence each
     * @param hasEffect whether the declaration, if it was accepted, changed anything but itself
     */
    public record Result(List<String> problems, boolean hasEffect) {

        /** Copies the list. */
        public Result {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Runs the workload that applies only the given declaration. Blocks.
     *
     * @param manifest the declaration that a user would write
     * @throws IllegalArgumentException if the manifest is not one object
     * @throws IllegalStateException if the operator fails on it
     */
    public DeclarationTrials(Setup setup, String manifest, Predicate<String> ignored) {
        List<JsonObject> objects = Manifests.read("declaration", manifest);
        if (objects.size() != 1) {
            throw new IllegalArgumentException(
                    "trials of declarations need a manifest of one object, got " + objects.size());
        }
        this.setup = setup;
        this.ignored = ignored;
        base = objects.get(0);
        Outcome outcome = run(List.of(base), new AtomicBoolean());
        if (!outcome.failures().isEmpty()) {
            throw new IllegalStateException("the operator fails on the given declaration: " + outcome.failures());
        }
        baseState = outcome.end();
    }

    /** Returns the declarations to try, from the definition of the kind; none if there is no definition of it. */
    public List<Declaration> declarations() {
        String group = base.string("apiVersion").split("/", -1)[0];
        return setup.definitions().stream()
                .flatMap(text -> Manifests.read("definitions", text).stream())
                .filter(object -> object.string("kind").equals("CustomResourceDefinition"))
                .filter(object -> object.string("spec", "group").equals(group))
                .filter(object -> object.string("spec", "names", "kind").equals(base.string("kind")))
                .flatMap(object -> object.array("spec", "versions").objects())
                .filter(version -> base.string("apiVersion").endsWith("/" + version.string("name")))
                .flatMap(version ->
                        DeclarationGenerator.generate(version.object("schema", "openAPIV3Schema"), base).stream())
                .toList();
    }

    /** Tries one declaration: alone, after the given one, and followed by the given one. Blocks. */
    public Result run(Declaration declaration) {
        AtomicBoolean isRejected = new AtomicBoolean();
        Outcome alone = run(List.of(declaration.object()), isRejected);
        List<String> problems = new ArrayList<>(problems("applied to an empty namespace", alone));
        Outcome there = run(List.of(base, declaration.object()), isRejected);
        problems.addAll(problems("applied after the given declaration", there));
        if (isRejected.get() || !problems.isEmpty()) {
            return new Result(problems, true);
        }
        problems.addAll(differences(
                "applied after the given declaration, it leads to another state than alone", alone.end(), there.end()));
        Outcome back = run(List.of(base, declaration.object(), base), isRejected);
        problems.addAll(problems("undone", back));
        problems.addAll(
                differences("undone, it leaves another state than the given declaration alone", baseState, back.end()));
        return new Result(problems, hasEffect(alone.end()));
    }

    private boolean hasEffect(EndState state) {
        String own = base.string("kind") + " ";
        return StateDifference.between(baseState, state, ignored).stream()
                .anyMatch(difference ->
                        !(difference.path().startsWith(own) && difference.path().contains(" .spec")));
    }

    /** Deletes the given declaration and returns what is left of it and of what the operator made. Blocks. */
    public List<String> leftBehind() {
        Outcome outcome = TrialRun.of(
                setup.with(new Workload(List.of(step("declare", base, new AtomicBoolean()), deletion()))),
                Disturbance.NONE,
                null,
                ignored);
        List<String> left = new ArrayList<>(problems("deleted", outcome));
        outcome.end().objects().keySet().forEach(place -> left.add("after the deletion, " + place + " is left"));
        return left;
    }

    private Workload.Step deletion() {
        return Workload.builder()
                .delete(
                        base.string("apiVersion"),
                        base.string("kind"),
                        base.string("metadata", "namespace").isEmpty()
                                ? "default"
                                : base.string("metadata", "namespace"),
                        base.string("metadata", "name"))
                .build()
                .steps()
                .get(0);
    }

    private Outcome run(List<JsonObject> declared, AtomicBoolean isRejected) {
        List<Workload.Step> steps = new ArrayList<>();
        for (JsonObject each : declared) {
            steps.add(step("declare " + (steps.size() + 1), each, isRejected));
        }
        return TrialRun.of(setup.with(new Workload(steps)), Disturbance.NONE, null, ignored);
    }

    private static Workload.Step step(String name, JsonObject declared, AtomicBoolean isRejected) {
        Consumer<ControlPlane> apply = plane -> {
            try {
                plane.apply(name, new ByteArrayInputStream(declared.toBytes()));
            } catch (ApiException e) {
                isRejected.set(true); // as it should be, if the schema forbids the declaration
            }
        };
        return new Workload.Step(name, apply);
    }

    private static List<String> problems(String when, Outcome outcome) {
        return TrialVerdict.ofReference(outcome).problems().stream()
                .map(problem -> when + ": " + problem)
                .toList();
    }

    private List<String> differences(String what, EndState expected, EndState found) {
        return StateDifference.between(expected, found, ignored).stream()
                .map(difference -> what + ": " + difference)
                .toList();
    }
}
