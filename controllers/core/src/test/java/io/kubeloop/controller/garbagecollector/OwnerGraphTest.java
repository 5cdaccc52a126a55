/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnerGraphTest {

    private final OwnerGraph graph = new OwnerGraph();
    private int version;

    private static ObjectCoordinates at(String namespace, String name) {
        return new ObjectCoordinates("v1", "ConfigMap", namespace, name, name + "-uid");
    }

    private static OwnerReference to(String name, boolean blocks) {
        return new OwnerReference("v1", "ConfigMap", name, name + "-uid", null, blocks, UnknownFields.NONE);
    }

    private ObjectMeta meta(String... finalizers) {
        return ObjectMetaBuilder.builder()
                .resourceVersion(Integer.toString(++version))
                .deletionTimestamp(finalizers.length == 0 ? null : new Time(Instant.EPOCH))
                .finalizers(List.of(finalizers))
                .build();
    }

    private static ObjectMeta owned(ObjectMeta meta, OwnerReference... owners) {
        return ObjectMetaBuilder.builder(meta)
                .ownerReferences(Arrays.asList(owners))
                .build();
    }

    @Test
    void observe_ownerThatNobodyHasShown_isCheckedAtTheServer() {
        GraphEffects effects = graph.observe(at("a", "child"), null, owned(meta(), to("owner", false)));

        assertThat(effects.toCheck()).containsExactly("owner-uid");
        OwnerGraph.View owner = graph.view("owner-uid");
        assertThat(owner).isNotNull();
        assertThat(owner.isVirtual()).isTrue();
        assertThat(owner.coordinates()).isEqualTo(at("a", "owner"));
    }

    @Test
    void forget_owner_checksItsDependents() {
        graph.observe(at("a", "owner"), null, meta());
        graph.observe(at("a", "child"), null, owned(meta(), to("owner", false)));

        assertThat(graph.forget(at("a", "owner")).toCheck()).containsExactly("child-uid");
        assertThat(graph.size()).isEqualTo(1);
    }

    @Test
    void observe_dependentInAnotherNamespace_isReportedAndChecked() {
        graph.observe(at("a", "owner"), null, meta());

        GraphEffects effects = graph.observe(at("b", "child"), null, owned(meta(), to("owner", false)));

        assertThat(effects.toCheck()).containsExactly("child-uid");
        assertThat(effects.wrongNamespaces()).singleElement().satisfies(wrong -> {
            assertThat(wrong.dependent()).isEqualTo(at("b", "child"));
            assertThat(wrong.claimed()).hasToString("[v1/ConfigMap, namespace: b, name: owner, uid: owner-uid]");
        });
    }

    @Test
    void observe_ownerAfterADependentInAnotherNamespace_isReportedAndChecked() {
        graph.observe(at("b", "child"), null, owned(meta(), to("owner", false)));

        GraphEffects effects = graph.observe(at("a", "owner"), null, meta());

        assertThat(effects.toCheck()).contains("child-uid");
        assertThat(effects.wrongNamespaces()).hasSize(1);
    }

    @Test
    void confirmAbsent_whileDependentsClaimOtherCoordinates_movesOnToThem() {
        graph.observe(at("a", "one"), null, owned(meta(), to("owner", false)));
        graph.observe(at("b", "two"), null, owned(meta(), to("owner", false)));

        GraphEffects effects = graph.confirmAbsent(at("a", "owner"));

        assertThat(effects.toCheck()).containsExactly("one-uid");
        OwnerGraph.View owner = graph.view("owner-uid");
        assertThat(owner).isNotNull();
        assertThat(owner.coordinates()).isEqualTo(at("b", "owner"));
    }

    @Test
    void confirmAbsent_atOtherCoordinatesThanThoseShown_keepsTheObject() {
        graph.observe(at("a", "owner"), null, meta());
        graph.observe(at("b", "child"), null, owned(meta(), to("owner", false)));

        assertThat(graph.confirmAbsent(at("b", "owner")).toCheck()).containsExactly("child-uid");
        assertThat(graph.view("owner-uid")).isNotNull();
    }

    @Test
    void observe_foregroundDeletion_checksTheDependentsAndTheOwner_onlyOnChanges() {
        graph.observe(at("a", "owner"), null, meta());
        graph.observe(at("a", "child"), null, owned(meta(), to("owner", true)));
        ObjectMeta deleting = meta(ObjectNode.FOREGROUND);

        assertThat(graph.observe(at("a", "owner"), meta(), deleting).toCheck())
                .containsExactly("child-uid", "owner-uid");
        assertThat(graph.observe(at("a", "owner"), deleting, deleting).toCheck())
                .as("resync")
                .isEmpty();
        assertThat(graph.blockers("owner-uid")).hasSize(1);
    }

    @Test
    void observe_dependentThatBlocksNoLonger_checksItsOwner() {
        graph.observe(at("a", "owner"), null, meta(ObjectNode.FOREGROUND));
        ObjectMeta blocking = owned(meta(), to("owner", true));
        graph.observe(at("a", "child"), null, blocking);

        GraphEffects effects = graph.observe(at("a", "child"), blocking, owned(meta(), to("owner", false)));

        assertThat(effects.toCheck()).containsExactly("owner-uid");
        assertThat(graph.blockers("owner-uid")).isEmpty();
    }

    @Test
    void observe_changedReferencesWithAnOwnerThatIsGone_checksTheDependent() {
        ObjectMeta before = owned(meta(), to("gone", false), to("other", false));
        graph.observe(at("a", "gone"), null, meta());
        graph.observe(at("a", "other"), null, meta());
        graph.observe(at("a", "child"), null, before);
        graph.forget(at("a", "gone"));

        GraphEffects effects = graph.observe(at("a", "child"), before, owned(meta(), to("gone", false)));

        assertThat(effects.toCheck()).containsExactly("child-uid");
    }

    /**
     * Upstream does not check it until a restart, and leaves the object and the reference; found by the differential
     * suite.
     */
    @Test
    void observe_referenceThatKeepsItsUidAndGetsAnotherName_checksTheDependent() {
        ObjectMeta before = owned(meta(), to("owner", false));
        graph.observe(at("a", "owner"), null, meta());
        graph.observe(at("a", "child"), null, before);

        OwnerReference wrong =
                new OwnerReference("v1", "ConfigMap", "another", "owner-uid", null, null, UnknownFields.NONE);
        GraphEffects effects = graph.observe(at("a", "child"), before, owned(meta(), wrong));

        assertThat(effects.toCheck()).containsExactly("child-uid");
    }

    @Test
    void blockers_ofACircleInWhichAllWaitForEachOther_areNone() {
        graph.observe(at("a", "one"), null, owned(meta(ObjectNode.FOREGROUND), to("two", true)));
        graph.observe(at("a", "two"), null, owned(meta(ObjectNode.FOREGROUND), to("one", true)));

        assertThat(graph.blockers("one-uid")).isEmpty();
        assertThat(graph.blockers("two-uid")).isEmpty();
    }

    @Test
    void observe_objectInANewPreferredVersion_movesThere() {
        graph.observe(new ObjectCoordinates("x/v1beta1", "Widget", "a", "w", "u"), null, meta());

        graph.observe(new ObjectCoordinates("x/v1", "Widget", "a", "w", "u"), null, meta());

        OwnerGraph.View widget = graph.view("u");
        assertThat(widget).isNotNull();
        assertThat(widget.coordinates().apiVersion()).isEqualTo("x/v1");
    }
}
