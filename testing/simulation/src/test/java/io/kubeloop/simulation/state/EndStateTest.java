/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndStateTest {

    private static EndState state(List<JsonObject> trees) {
        return EndState.of(trees, Set.of());
    }

    private static JsonObject pod(String suffix, String uid, String version, String time) {
        return JsonObject.parse("""
                {"kind": "Pod", "apiVersion": "v1",
                 "metadata": {"name": "web-%s", "generateName": "web-", "namespace": "shop", "uid": "%s",
                   "resourceVersion": "%s", "creationTimestamp": "%s", "labels": {"app": "web"}},
                 "status": {"startTime": "%s", "phase": "Running"}}
                """.formatted(suffix, uid, version, time, time));
    }

    private static JsonObject reference(String name, String uid) {
        return JsonObject.parse("""
                {"kind": "ConfigMap", "metadata": {"name": "latest", "namespace": "shop",
                   "ownerReferences": [{"kind": "Pod", "name": "%s", "uid": "%s"}]},
                 "data": {"pod": "%s"}}
                """.formatted(name, uid, name));
    }

    @Test
    void states_areEqualWhateverTheServerChose() {
        EndState one = state(List.of(pod("abcde", "1-1", "17", "2026-01-05T08:00:00Z"), reference("web-abcde", "1-1")));
        EndState other =
                state(List.of(reference("web-zyxwv", "2-2"), pod("zyxwv", "2-2", "99", "2026-02-07T10:00:03.123456Z")));
        assertThat(other).isEqualTo(one);
        assertThat(one.objects()).containsOnlyKeys("ConfigMap shop/latest", "Pod shop/web-*");
        assertThat(StateDifference.between(one, other, path -> false)).isEmpty();
    }

    @Test
    void referenceToAnObjectThatIsGone_isEqualInTwoRuns() {
        String volume = """
                {"kind": "PersistentVolume", "metadata": {"name": "v"},
                 "spec": {"claimRef": {"name": "c", "uid": "%s", "resourceVersion": "%d"}}}
                """;
        EndState one = state(List.of(JsonObject.parse(volume.formatted("0f9ae91e-ab2c-4393-8ffe-ebb53a1f0001", 7))));
        EndState other = state(List.of(JsonObject.parse(volume.formatted("0f9ae91e-ab2c-4393-8ffe-ebb53a1f0002", 9))));
        assertThat(other).isEqualTo(one);
    }

    @Test
    void markOfTheLastWrite_isNotCompared() {
        String marked = """
                {"kind": "ConfigMap", "metadata": {"name": "a", "annotations": {"team": "%s",
                 "javaoperatorsdk.io/previous": "31758dd0-d3d0-4ee8-aef9-262cd253c960,%s"}}}
                """;
        EndState one = state(List.of(JsonObject.parse(marked.formatted("blue", "64"))));
        assertThat(state(List.of(JsonObject.parse(marked.formatted("blue", "70")))))
                .isEqualTo(one);
        assertThat(state(List.of(JsonObject.parse(marked.formatted("red", "64")))))
                .isNotEqualTo(one);
    }

    /** The scheduler takes any node, the binder either of two volumes, and a provisioner names a volume by a UID. */
    @Test
    void choicesOfOtherComponents_areEqualInTwoRuns() {
        assertThat(chosen("n1", "10.0.0.1", "pvc-1d0e6d43-5a1c-4c0a-9a5e-000000000001"))
                .isEqualTo(chosen("n2", "10.0.0.2", "pvc-1d0e6d43-5a1c-4c0a-9a5e-000000000002"));
    }

    private static EndState chosen(String node, String address, String volume) {
        return state(List.of(
                JsonObject.parse("""
                        {"kind": "Pod", "metadata": {"name": "a"}, "spec": {"nodeName": "%s"},
                         "status": {"podIP": "%s", "podIPs": [{"ip": "%2$s"}], "hostIP": "%1$s"}}
                        """.formatted(node, address)),
                JsonObject.parse("""
                        {"kind": "PersistentVolumeClaim", "metadata": {"name": "b"}, "spec": {"volumeName": "%s"}}
                        """.formatted(volume)),
                JsonObject.parse("""
                        {"kind": "PersistentVolume", "metadata": {"name": "%s"}, "spec": {"claimRef": {"name": "b"}}}
                        """.formatted(volume)),
                JsonObject.parse("""
                        {"kind": "ConfigMap", "metadata": {"name": "old-lock", "annotations":
                         {"control-plane.alpha.kubernetes.io/leader": "%s"}}}
                        """.formatted(node))));
    }

    /** An operator that creates a service once more gets other addresses, and it matters that they are used. */
    @Test
    void addressesOfAService_areEqualInTwoRuns() {
        String service = """
                {"kind": "Service", "metadata": {"name": "web"},
                 "spec": {"clusterIP": "%1$s", "clusterIPs": ["%1$s"], "ports": [{"port": 80, "nodePort": %2$d}]}}
                """;
        String user = "{\"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}, \"data\": {\"server\": \"%s\"}}";
        EndState one = state(List.of(
                JsonObject.parse(service.formatted("10.96.0.17", 30087)),
                JsonObject.parse(user.formatted("10.96.0.17"))));
        EndState other = state(List.of(
                JsonObject.parse(service.formatted("10.96.0.16", 30086)),
                JsonObject.parse(user.formatted("10.96.0.16"))));
        EndState wrong = state(List.of(
                JsonObject.parse(service.formatted("10.96.0.16", 30086)),
                JsonObject.parse(user.formatted("10.96.0.17"))));
        EndState headless = state(
                List.of(JsonObject.parse(service.formatted("None", 30086)), JsonObject.parse(user.formatted("None"))));
        assertThat(other).isEqualTo(one);
        assertThat(StateDifference.between(one, wrong, path -> false))
                .extracting(StateDifference::path)
                .containsExactly("ConfigMap a .data.server");
        assertThat(StateDifference.between(one, headless, path -> false)).isNotEmpty();
    }

    @Test
    void objectsOfOnePlace_areCounted() {
        EndState two = state(List.of(pod("aaaaa", "1", "1", "x"), pod("bbbbb", "2", "2", "x")));
        EndState one = state(List.of(pod("ccccc", "3", "3", "x")));
        assertThat(StateDifference.between(one, two, path -> false))
                .singleElement()
                .satisfies(difference -> {
                    assertThat(difference.path()).isEqualTo("Pod shop/web-*");
                    assertThat(difference.expected()).isEmpty();
                });
    }

    /** What differs between any two runs does not decide which objects are compared. */
    @Test
    void objectsOfOnePlace_areComparedWithTheNearest() {
        String pod = """
                {"kind": "Pod", "metadata": {"name": "web-%s", "generateName": "web-"}, "id": "%s", "phase": "%s"}
                """;
        EndState one = state(List.of(
                JsonObject.parse(pod.formatted("a", "1", "Running")),
                JsonObject.parse(pod.formatted("b", "2", "Failed"))));
        EndState other = state(List.of(
                JsonObject.parse(pod.formatted("c", "3", "Failed")),
                JsonObject.parse(pod.formatted("d", "4", "Running"))));
        assertThat(StateDifference.between(one, other, path -> false))
                .extracting(StateDifference::path)
                .containsExactly("Pod web-* .id", "Pod web-* .id");
        assertThat(StateDifference.between(one, other, path -> path.endsWith(".id")))
                .isEmpty();
    }

    /** Objects whose number is unstable are compared as long as there are as many. */
    @Test
    void unstableNumber_hidesNoOtherDifference() {
        EndState two = state(List.of(pod("aaaaa", "1", "1", "x"), pod("bbbbb", "2", "2", "x")));
        EndState three =
                state(List.of(pod("ccccc", "3", "3", "x"), pod("ddddd", "4", "4", "x"), pod("eeeee", "5", "5", "x")));
        EndState others = state(List.of(pod("aaaaa", "1", "1", "y"), pod("bbbbb", "2", "2", "x")));
        String unstable =
                StateDifference.between(two, three, path -> false).get(0).ignorable();
        assertThat(StateDifference.between(two, three, unstable::equals)).isEmpty();
        assertThat(StateDifference.between(two, others, unstable::equals)).hasSize(1);
    }

    @Test
    void generation_isComparedOnlyWithTheObservedOne() {
        String object = """
                {"kind": "Site", "metadata": {"name": "a", "generation": %d}, "status": {"observedGeneration": %d}}
                """;
        EndState first = state(List.of(JsonObject.parse(object.formatted(3, 3))));
        EndState same = state(List.of(JsonObject.parse(object.formatted(5, 5))));
        EndState behind = state(List.of(JsonObject.parse(object.formatted(5, 4))));
        assertThat(same).isEqualTo(first);
        assertThat(StateDifference.between(first, behind, path -> false))
                .extracting(StateDifference::path)
                .containsExactly("Site a .status.observedGeneration");
    }

    @Test
    void conditions_areComparedWithoutTheirOrder() {
        String object = """
                {"kind": "Site", "metadata": {"name": "a"},
                 "status": {"conditions": [{"type": "%s", "status": "True"}, {"type": "%s", "status": "True"}]}}
                """;
        assertThat(state(List.of(JsonObject.parse(object.formatted("Ready", "Synced")))))
                .isEqualTo(state(List.of(JsonObject.parse(object.formatted("Synced", "Ready")))));
    }

    @Test
    void ignoredPath_hidesADifference() {
        EndState one = state(List.of(JsonObject.parse("{\"kind\":\"Site\",\"metadata\":{\"name\":\"a\"},\"x\":1}")));
        EndState two = state(List.of(JsonObject.parse("{\"kind\":\"Site\",\"metadata\":{\"name\":\"a\"},\"x\":2}")));
        assertThat(StateDifference.between(one, two, path -> path.endsWith(".x")))
                .isEmpty();
        assertThat(StateDifference.between(one, two, path -> false))
                .singleElement()
                .hasToString("Site a .x: expected 1, found 2");
    }

    @Test
    void objectOfIgnoredMembers_isNotMissed() {
        EndState one = state(List.of(JsonObject.parse(
                "{\"kind\":\"Site\",\"metadata\":{\"name\":\"a\",\"annotations\":{\"seen\":\"1\"}}}")));
        EndState two = state(List.of(JsonObject.parse("{\"kind\":\"Site\",\"metadata\":{\"name\":\"a\"}}")));
        assertThat(StateDifference.between(one, two, path -> path.endsWith(".annotations.seen")))
                .isEmpty();
        assertThat(StateDifference.between(two, one, path -> path.endsWith(".annotations.other")))
                .hasSize(1);
    }

    @Test
    void objectsOfOthers_areComparedOnlyIfTheOperatorWritesThem() {
        List<JsonObject> trees = List.of(
                JsonObject.parse("{\"kind\":\"Endpoints\",\"metadata\":{\"name\":\"a\"}}"),
                JsonObject.parse("{\"kind\":\"Event\",\"metadata\":{\"name\":\"b\"}}"));
        assertThat(EndState.of(trees, Set.of()).objects()).isEmpty();
        assertThat(EndState.of(trees, Set.of("endpoints", "events")).objects()).containsOnlyKeys("Endpoints a");
    }
}
