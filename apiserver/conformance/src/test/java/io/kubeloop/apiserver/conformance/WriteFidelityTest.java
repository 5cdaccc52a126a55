/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, times, versions and addresses that the server assigns, which the recorded conversations cannot show. */
class WriteFidelityTest extends ServerFixture {

    @Test
    void generateName_appendsFiveCharactersThatMakeNoWords() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            names.add(requests.post(CONFIG_MAPS, "{'metadata':{'generateName':'web-'}}")
                    .ok()
                    .body()
                    .string("metadata", "name"));
        }
        assertThat(names).hasSize(50).allMatch(name -> name.matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}"));
    }

    @Test
    void generateName_thatIsLong_isCutToALabel() {
        String prefix = "x".repeat(70);
        Reply created = requests.post(CONFIG_MAPS, "{'metadata':{'generateName':'" + prefix + "'}}")
                .ok();
        assertThat(created.body().string("metadata", "name")).hasSize(63);
    }

    @Test
    void create_stampsTimeUidAndVersion() {
        JsonObject metadata = createConfigMap("a", "").body().object("metadata");

        assertThat(metadata.string("creationTimestamp")).isEqualTo(NOW);
        assertThat(metadata.string("uid"))
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(metadata.string("resourceVersion")).matches("[1-9][0-9]*");
    }

    @Test
    void update_thatChangesNothing_keepsTheVersion() {
        JsonObject created = createPod("a").body();
        JsonObject sparse = JsonObject.parse(
                "{\"metadata\":{\"name\":\"a\",\"labels\":null},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":"
                        + "\"i\"}]}}");

        assertThat(requests.put(PODS + "/a", sparse).ok().body()).isEqualTo(created);
        assertThat(requests.put(PODS + "/a", created).ok().body()).isEqualTo(created);
    }

    @ParameterizedTest
    @CsvSource({
        "strategic-merge-patch+json, 7.0,          7",
        "strategic-merge-patch+json, 3e1,          30",
        "strategic-merge-patch+json, 4294967301,   5",
        "strategic-merge-patch+json, 4294967301.0, 5",
        "apply-patch+yaml,           7.0,          7",
        "apply-patch+yaml,           4294967301,   5"
    })
    void patch_thatIsConvertedFromATree_takesEveryWholeNumber(String type, String written, long stored) {
        String sets = "/apis/apps/v1/namespaces/default/replicasets";
        requests.post(sets, replicaSet("a", "")).ok();
        String patch = "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'a'},'spec':{'minReadySeconds':"
                + written + "}}";
        Reply patched = requests.send("PATCH", sets + "/a?fieldManager=test", "application/" + type, patch);

        assertThat(patched.ok().body().number("spec", "minReadySeconds")).isEqualTo(stored);
    }

    @Test
    void status_writtenWithoutReplicas_hasZero() {
        String sets = "/apis/apps/v1/namespaces/default/replicasets";
        JsonObject created = requests.post(sets, replicaSet("a", "")).ok().body();
        JsonObject observed = created.with("status", JsonObject.EMPTY.with("observedGeneration", 1));
        JsonObject stored = requests.put(sets + "/a/status", observed).ok().body();

        assertThat(stored.number("status", "replicas")).isZero();
        assertThat(stored.number("status", "observedGeneration")).isOne();
    }

    @Test
    void delete_graceIsCountedFromNow() {
        createPod("a", "", ",'nodeName':'n'");
        JsonObject marked =
                requests.delete(PODS + "/a", "{'gracePeriodSeconds':90}").ok().body();
        assertThat(marked.string("metadata", "deletionTimestamp")).isEqualTo("2026-03-01T12:01:30Z");

        clock.advance(Duration.ofSeconds(20));
        JsonObject shortened =
                requests.delete(PODS + "/a", "{'gracePeriodSeconds':30}").ok().body();
        assertThat(shortened.string("metadata", "deletionTimestamp")).isEqualTo("2026-03-01T12:00:30Z");
        assertThat(shortened.number("metadata", "deletionGracePeriodSeconds")).isEqualTo(30);
    }

    @Test
    void service_getsAnAddress_andGivesItBack() {
        String body = "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}";
        JsonObject spec = requests.post(SERVICES, body).ok().body().object("spec");
        String address = spec.string("clusterIP");
        assertThat(address).matches("10\\.96\\.[0-9]+\\.[0-9]+");
        assertThat(spec.array("clusterIPs").strings()).containsExactly(address);

        String same = "{'metadata':{'name':'b'},'spec':{'clusterIP':'" + address + "','ports':[{'port':80}]}}";
        Reply taken = requests.post(SERVICES, same);
        assertThat(taken.code()).isEqualTo(422);
        assertThat(taken.message()).contains("provided IP is already allocated");

        requests.delete(SERVICES + "/a").ok();
        assertThat(requests.post(SERVICES, same).ok().body().string("spec", "clusterIP"))
                .isEqualTo(address);
    }

    @Test
    void service_updatedWithoutItsAddress_keepsIt_andMayNotChangeIt() {
        String body = "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}";
        JsonObject created = requests.post(SERVICES, body).ok().body();
        JsonObject sparse = JsonObject.parse(body.replace('\'', '"'));

        JsonObject changed = sparse.with(List.of("spec", "selector"), JsonObject.EMPTY.with("a", "b"));
        assertThat(requests.put(SERVICES + "/a", changed).ok().body().string("spec", "clusterIP"))
                .isEqualTo(created.string("spec", "clusterIP"));
        Reply moved = requests.put(SERVICES + "/a", sparse.with(List.of("spec", "clusterIP"), "10.96.77.77"));
        assertThat(moved.code()).isEqualTo(422);
    }

    @Test
    void service_thatBecomesExternal_givesItsAddressBack() {
        String body = "{'metadata':{'name':'a'},'spec':{'clusterIP':'10.96.9.9','ports':[{'port':80}]}}";
        requests.post(SERVICES, body).ok();
        requests.send(
                        "PATCH",
                        SERVICES + "/a",
                        "application/merge-patch+json",
                        "{'spec':{'type':'ExternalName','externalName':'example.com','clusterIP':null,"
                                + "'clusterIPs':null}}")
                .ok();

        assertThat(requests.get(SERVICES + "/a").body().object("spec").has("clusterIP"))
                .isFalse();
        requests.post(SERVICES, body.replace("'a'", "'b'")).ok();
    }

    @Test
    void update_ofADeletedObjectThatTheClientKnew_doesNotBringItBack() {
        String endpoints = "/api/v1/namespaces/default/endpoints";
        JsonObject known =
                requests.post(endpoints, "{'metadata':{'name':'a'}}").ok().body();
        requests.delete(endpoints + "/a").ok();

        assertThat(requests.put(endpoints + "/a", known).code()).isEqualTo(409);
        assertThat(requests.get(endpoints + "/a").code()).isEqualTo(404);
    }

    @Test
    void apply_createsThenMerges() {
        String type = "application/apply-patch+yaml";
        String config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  ";
        Reply created = requests.send("PATCH", CONFIG_MAPS + "/a?fieldManager=me", type, config + "k: v\n");
        assertThat(created.code()).isEqualTo(201);
        Reply merged = requests.send("PATCH", CONFIG_MAPS + "/a?fieldManager=you", type, config + "l: w\n");
        assertThat(merged.ok().body().object("data")).hasToString("{\"k\":\"v\",\"l\":\"w\"}");
        assertThat(requests.send("PATCH", CONFIG_MAPS + "/a", type, "data: {}").code())
                .isEqualTo(422);
    }

    @Test
    void request_thatIsNotServed_saysSo() {
        assertThat(requests.send("POST", CONFIG_MAPS, "text/plain", "x").code()).isEqualTo(415);
        assertThat(requests.send("POST", CONFIG_MAPS, "{").code()).isEqualTo(400);
        assertThat(requests.get("/apis/apps/v1/namespaces/default/petsets").code())
                .isEqualTo(404);
        assertThat(requests.get("/api/v1/namespaces/default/nodes").code()).isEqualTo(404);
        assertThat(requests.delete("/api/v1/namespaces").code()).isEqualTo(405);
    }

    @Test
    void delete_ofAPodThatIsEnding_leavesItsFinalizersAlone() {
        createPod("a", "", ",'nodeName':'n'");
        requests.delete(PODS + "/a").ok();

        JsonObject again = requests.delete(PODS + "/a", "{'propagationPolicy':'Foreground'}")
                .ok()
                .body();

        assertThat(again.array("metadata", "finalizers").strings()).isEmpty();
    }

    @Test
    void delete_withAPeriodBeyondAllTime_isForAsLongAsCanBeSaid() {
        createPod("a", "", ",'nodeName':'n'");

        JsonObject marked = requests.delete(PODS + "/a", "{'gracePeriodSeconds':" + Long.MAX_VALUE + "}")
                .ok()
                .body();

        assertThat(marked.string("metadata", "deletionTimestamp")).isEqualTo("9999-12-31T23:59:59Z");
        JsonObject shortened =
                requests.delete(PODS + "/a", "{'gracePeriodSeconds':30}").ok().body();
        assertThat(shortened.string("metadata", "deletionTimestamp")).isEqualTo("2026-03-01T12:00:30Z");
    }

    @Test
    void generation_ofAnEndpointSlice_countsAllButAnnotations() {
        String slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
        requests.post(slices, "{'metadata':{'name':'a'},'addressType':'IPv4'}").ok();

        assertThat(generation(patch(slices + "/a", "{'endpoints':[{'addresses':['10.0.0.1']}]}")))
                .isEqualTo(2);
        assertThat(generation(patch(slices + "/a", "{'metadata':{'labels':{'a':'b'}}}")))
                .isEqualTo(3);
        assertThat(generation(patch(slices + "/a", "{'metadata':{'annotations':{'a':'b'}}}")))
                .isEqualTo(3);
    }

    @Test
    void generation_ofAPodTemplate_countsChangesOfTheTemplate() {
        String templates = "/api/v1/namespaces/default/podtemplates";
        requests.post(
                        templates,
                        "{'metadata':{'name':'a'},'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}}")
                .ok();

        assertThat(generation(patch(templates + "/a", "{'metadata':{'labels':{'a':'b'}}}")))
                .isEqualTo(1);
        assertThat(generation(patch(templates + "/a", "{'template':{'metadata':{'labels':{'a':'b'}}}}")))
                .isEqualTo(2);
    }

    @Test
    void update_withAnotherTimeOfCreation_keepsTheRightOne() {
        createConfigMap("a", "");
        Reply changed = patch(CONFIG_MAPS + "/a", "{'metadata':{'creationTimestamp':'2001-01-01T00:00:00Z'}}");
        assertThat(changed.ok().body().string("metadata", "creationTimestamp")).isEqualTo(NOW);
    }

    @Test
    void update_thatMarksAnObjectAsDeleted_isRefused() {
        createConfigMap("a", "");
        Reply refused = patch(CONFIG_MAPS + "/a", "{'metadata':{'deletionTimestamp':'2001-01-01T00:00:00Z'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("metadata.deletionTimestamp", "field is immutable");
    }

    @Test
    void create_withVersionZero_isCreated() {
        createConfigMap("a", ",'resourceVersion':'0'");
        assertThat(requests.post(CONFIG_MAPS, "{'metadata':{'name':'b','resourceVersion':'7'}}")
                        .code())
                .isEqualTo(500);
    }

    private Reply patch(String path, String patch) {
        return requests.send("PATCH", path, "application/merge-patch+json", patch);
    }

    private static long generation(Reply reply) {
        Long generation = reply.ok().body().number("metadata", "generation");
        return generation == null ? 0 : generation;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'podIP':'10.1.1.1'}",
                "{'podIPs':[{'ip':'10.1.1.1'}]}",
                "{'podIP':'10.1.1.1','podIPs':[{'ip':'10.9.9.9'}]}"
            })
    void addressesOfAPod_inOneFieldAreInBoth(String status) {
        createPod("a");
        JsonObject reported = requests.send(
                        "PATCH", PODS + "/a/status", "application/merge-patch+json", "{'status':" + status + "}")
                .ok()
                .body()
                .object("status");
        assertThat(reported.string("podIP")).isEqualTo("10.1.1.1");
        assertThat(reported.array("podIPs").objects()).containsExactly(JsonObject.EMPTY.with("ip", "10.1.1.1"));
    }

    @Test
    void evictedPod_saysSo() {
        createPod("a", "", ",'nodeName':'n'");
        requests.post(PODS + "/a/eviction", "{'metadata':{'name':'a'}}").ok();

        JsonObject pod = requests.get(PODS + "/a").ok().body();

        assertThat(pod.string("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(pod.array("status", "conditions").objects()).singleElement().satisfies(condition -> {
            assertThat(condition.string("type")).isEqualTo("DisruptionTarget");
            assertThat(condition.string("status")).isEqualTo("True");
            assertThat(condition.string("reason")).isEqualTo("EvictionByEvictionAPI");
        });

        clock.advance(Duration.ofSeconds(5));
        requests.post(PODS + "/a/eviction", "{'metadata':{'name':'a'}}").ok();
        assertThat(requests.get(PODS + "/a").body()).isEqualTo(pod);
    }

    @Test
    void eviction_thatIsRefusedOrDry_changesNothing() {
        JsonObject pod = createPod("a", "", ",'nodeName':'n'").body();
        assertThat(requests.post(
                                PODS + "/a/eviction",
                                "{'metadata':{'name':'a'},'deleteOptions':{'preconditions':{'uid':'other'}}}")
                        .code())
                .isEqualTo(409);
        requests.post(PODS + "/a/eviction?dryRun=All", "{'metadata':{'name':'a'}}")
                .ok();
        assertThat(requests.get(PODS + "/a").body()).isEqualTo(pod);
    }

    @Test
    void eviction_takesADryRunFromTheQueryToo() {
        createPod("p", "", ",'nodeName':'n'");
        requests.post(
                        PODS + "/p/eviction?dryRun=All",
                        "{'metadata':{'name':'p'},'deleteOptions':{'gracePeriodSeconds':0}}")
                .ok();
        requests.get(PODS + "/p").ok();
    }

    @Test
    void service_thatNoLongerIsAnExternalName_getsAnAddress() {
        requests.post(SERVICES, "{'metadata':{'name':'a'},'spec':{'type':'ExternalName','externalName':'a.b'}}")
                .ok();
        JsonObject spec = patchService("{'type':'ClusterIP','externalName':null,'ports':[{'port':80}]}");
        assertThat(spec.string("clusterIP")).startsWith("10.96.");
        assertThat(spec.array("clusterIPs").strings()).containsExactly(spec.string("clusterIP"));
    }

    @Test
    void service_thatBecomesAnExternalName_losesItsAddress() {
        requests.post(SERVICES, "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}")
                .ok();
        JsonObject spec = patchService("{'type':'ExternalName','externalName':'a.b'}");
        assertThat(spec.members().keySet())
                .doesNotContain("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");
    }

    private JsonObject patchService(String spec) {
        return requests.send("PATCH", SERVICES + "/a", "application/merge-patch+json", "{'spec':" + spec + "}")
                .ok()
                .body()
                .object("spec");
    }
}
