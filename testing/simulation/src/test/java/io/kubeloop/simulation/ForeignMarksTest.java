/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What other components have set on an object of the user is not the operator's to remove. */
class ForeignMarksTest {

    private static final Workload WORKLOAD = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .apply("another text", Card.manifest("birthday", "bye", 1))
            .delete("example.com/v1", "Card", "default", "birthday")
            .build();

    /** Operators that write a part of the metadata as if it were theirs, by the name of the trial that sees it. */
    @SuppressWarnings("ImmutableEnumChecker") // the changes have no state
    enum Greedy {
        FINALIZER(metadata -> metadata.finalizers(List.of(TestOperator.FINALIZER))),
        LABEL(metadata -> metadata.labels(Map.of("example.com/seen", "yes"))),
        ANNOTATION(metadata -> metadata.annotations(Map.of("example.com/seen", "yes"))),
        OWNER_REFERENCE(metadata -> metadata.ownerReferences(List.of()));

        private final UnaryOperator<ObjectMetaBuilder> change;

        Greedy(UnaryOperator<ObjectMetaBuilder> change) {
            this.change = change;
        }
    }

    private static SimulationReport run(TestOperator.Sync sync) {
        return Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(WORKLOAD)
                .cluster(CardCollector::only)
                .perturbations(Set.of(Perturbation.FOREIGN))
                .run();
    }

    @ParameterizedTest
    @EnumSource
    void operatorThatOverwritesAPart_isFoundByItsMark(Greedy greedy) {
        SimulationReport report = run((op, key, card) -> {
            if (card == null) {
                return;
            }
            if (card.metadata().isDeleting()) {
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            } else {
                op.update(card, greedy.change);
                op.ensure(card, "text", Map.of());
            }
        });

        assertThat(report.findings()).as(report.text()).singleElement().satisfies(finding -> {
            String word = greedy.name().toLowerCase(Locale.ROOT).replace('_', '-');
            assertThat(finding.trial()).isEqualTo("foreign-" + word + ": cards.example.com default/birthday of step 1");
            assertThat(finding.problems().get(0))
                    .startsWith("the operator removed the " + word.replace('-', ' ') + " other.example.org/guard of"
                            + " another component from cards.example.com default/birthday with `update "
                            + "cards.example.com");
        });
    }

    @Test
    void operatorThatReleasesAllFinalizersAtTheEnd_isFound() {
        SimulationReport report = run((op, key, card) -> {
            if (card != null && !card.metadata().isDeleting()) {
                op.guard(card);
            } else if (card != null) {
                op.update(card, metadata -> metadata.finalizers(List.of()));
            }
        });

        assertThat(report.findings())
                .as(report.text())
                .extracting(Finding::trial)
                .containsExactly("foreign-finalizer: cards.example.com default/birthday of step 1");
    }

    /** An operator may copy the marks, wait for the others, and change its own finalizer. */
    @Test
    void operatorThatKeepsWhatIsNotItsOwn_passes() {
        SimulationReport report = run((op, key, card) -> {
            if (card == null) {
                return;
            }
            if (card.metadata().isDeleting()) {
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            } else if (!card.metadata().finalizers().contains(TestOperator.FINALIZER)) {
                op.guard(card);
            } else if (op.map(key, "text") == null) {
                op.ensure(card, "text", card.metadata().labels());
            }
        });

        report.assertClean();
        assertThat(report.trials()).containsEntry(Perturbation.FOREIGN, 8);
    }

    /** The object that an operator keeps: how it is made, and how it is written again when the card changes. */
    private static TestOperator.Sync keeping(Resource resource, Write again) {
        return (op, key, card) -> {
            if (card == null || card.metadata().isDeleting()) {
                return;
            }
            JsonObject found = resource.read(op, key.name());
            if (found == null) {
                resource.send(op, "POST", "", resource.desired(key.name()));
            } else {
                again.write(op, resource, found);
            }
        };
    }

    private interface Write {
        void write(TestOperator op, Resource resource, JsonObject found);
    }

    enum Resource {
        MAP("/api/v1/namespaces/default/configmaps", """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME"},"data":{"a":"b"}}"""),
        ROLLOUT("/apis/apps/v1/namespaces/default/deployments", """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"},
                "spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
                "spec":{"containers":[{"name":"c","image":"i"}]}}}}"""),
        POD("/api/v1/namespaces/default/pods", """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},
                "spec":{"containers":[{"name":"c","image":"i"}]}}""");

        private final String path;
        private final String manifest;

        Resource(String path, String manifest) {
            this.path = path;
            this.manifest = manifest;
        }

        JsonObject desired(String name) {
            return JsonObject.parse(manifest.replace("NAME", name));
        }

        @Nullable
        JsonObject read(TestOperator op, String name) {
            JsonObject found = send(op, "GET", "/" + name, null);
            return found.string("kind").equals("Status") ? null : found;
        }

        JsonObject send(TestOperator op, String verb, String name, @Nullable JsonObject object) {
            ApiRequest.Body body = object == null ? null : ApiRequest.Body.json(object.toBytes());
            ApiRequest request = ApiRequest.of(verb, path + name, Map.of(), body);
            try (ApiResponse response = op.client().transport().execute(request)) {
                if (response.code() == 409 || response.code() >= 500) {
                    throw new IllegalStateException("retried: " + response.code());
                }
                return JsonObject.parse(response.wholeBody("the object"));
            }
        }
    }

    private static final Workload KEPT = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .apply("another text", Card.manifest("birthday", "bye", 1))
            .build();

    private static SimulationReport runKept(TestOperator.Sync sync) {
        return Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(KEPT)
                .cluster(plane -> plane.controllers("-*", "serviceaccount-controller"))
                .perturbations(Set.of(Perturbation.FOREIGN))
                .run();
    }

    /** Puts its own object in the place of what it finds. */
    private static void overwrite(TestOperator op, Resource resource, JsonObject found) {
        String name = found.string("metadata", "name");
        resource.send(op, "PUT", "/" + name, resource.desired(name));
    }

    /** Changes its own part. */
    private static void merge(TestOperator op, Resource resource, JsonObject found) {
        JsonObject changed = found.with(List.of("metadata", "annotations", "example.com/seen"), "yes");
        resource.send(op, "PUT", "/" + found.string("metadata", "name"), changed);
    }

    /** A pod with a container that the operator does not know is none of its own, and is made again. */
    private static void recreate(TestOperator op, Resource resource, JsonObject found) {
        if (found.array("spec", "containers").size() > 1) {
            resource.send(op, "DELETE", "/" + found.string("metadata", "name"), null);
            throw new IllegalStateException("made again by the next sync");
        }
    }

    @Test
    void operatorThatOverwritesItsOwnObject_removesTheMarksOfOthers() {
        SimulationReport map = runKept(keeping(Resource.MAP, ForeignMarksTest::overwrite));
        assertThat(map.findings())
                .as(map.text())
                .extracting(Finding::trial)
                .containsExactlyInAnyOrder(
                        "foreign-finalizer: create configmaps default/birthday",
                        "foreign-label: create configmaps default/birthday",
                        "foreign-annotation: create configmaps default/birthday",
                        "foreign-owner-reference: create configmaps default/birthday");
        SimulationReport rollout = runKept(keeping(Resource.ROLLOUT, ForeignMarksTest::overwrite));
        assertThat(rollout.findings())
                .as(rollout.text())
                .anySatisfy(finding -> assertThat(finding.problems().get(0))
                        .startsWith("the operator removed the field kubectl.kubernetes.io/restartedAt of another"
                                + " component from deployments.apps default/birthday with `update deployments.apps"));
    }

    @Test
    void operatorThatMakesAPodAgainForeverBecauseOfAContainer_isFound() {
        SimulationReport report = runKept(keeping(Resource.POD, ForeignMarksTest::recreate));
        assertThat(report.findings())
                .as(report.text())
                .extracting(Finding::trial)
                .containsExactly("foreign-container: create pods default/birthday");
    }

    @ParameterizedTest
    @EnumSource
    void operatorThatChangesItsOwnPart_passes(Resource resource) {
        SimulationReport report = runKept(keeping(resource, ForeignMarksTest::merge));
        report.assertClean();
        assertThat(report.unreached()).isEmpty();
    }
}
