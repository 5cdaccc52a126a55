/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.Calls.Answer;
import io.kubeloop.apiserver.Calls.Watch;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server keeps, counts and ignores from the creation of an object to its end. */
class ObjectLifeTest extends GenericServerFixture {

    private static final String POD = PODS + "/p";
    private static final String MERGE = "application/merge-patch+json";

    private Answer created;

    @BeforeEach
    void createPod() {
        created = requests.post(
                        PODS,
                        "{'metadata':{'name':'p','finalizers':['example.com/f']},"
                                + "'spec':{'nodeName':'n'},'status':{'phase':'Failed'}}")
                .ok();
    }

    private Answer patch(String path, String patch) {
        return requests.send("PATCH", path, MERGE, patch).ok();
    }

    private JsonObject pod() {
        return requests.get(POD).ok().body();
    }

    private static long generation(JsonObject object) {
        Long generation = object.number("metadata", "generation");
        return generation == null ? 0 : generation;
    }

    @Test
    void status_isWrittenThroughItsSubresourceOnly() {
        assertThat(created.body().has("status")).isFalse();

        patch(POD, "{'spec':{'nodeName':'m'},'status':{'phase':'Running'}}");
        assertThat(pod().string("spec", "nodeName")).isEqualTo("m");
        assertThat(pod().has("status")).isFalse();

        patch(POD + "/status", "{'spec':{'nodeName':'x'},'status':{'phase':'Running'}}");
        assertThat(pod().string("spec", "nodeName")).isEqualTo("m");
        assertThat(pod().string("status", "phase")).isEqualTo("Running");
    }

    @Test
    void generation_countsChangesOfTheSpecAndTheDeletion() {
        assertThat(generation(pod())).isEqualTo(1);
        patch(POD, "{'metadata':{'labels':{'a':'b'}}}");
        patch(POD + "/status", "{'status':{'phase':'Running'}}");
        assertThat(generation(pod())).isEqualTo(1);
        patch(POD, "{'spec':{'nodeName':'m'}}");
        assertThat(generation(pod())).isEqualTo(2);
        requests.delete(POD).ok();
        requests.delete(POD).ok();
        assertThat(generation(pod())).isEqualTo(3);
    }

    @Test
    void finalizers_keepADeletedObjectUntilTheLastIsRemoved() {
        patch(POD, "{'metadata':{'finalizers':['example.com/f','example.com/g']}}");
        requests.delete(POD).ok();
        assertThat(pod().string("metadata", "deletionTimestamp")).isEqualTo(NOW);

        patch(POD, "{'metadata':{'finalizers':['example.com/g']}}");
        assertThat(pod().string("metadata", "deletionTimestamp")).isEqualTo(NOW);
        patch(POD, "{'metadata':{'finalizers':null}}");
        assertThat(requests.get(POD).code()).isEqualTo(404);
    }

    @Test
    void everyWrite_raisesTheVersion_andAWatchShowsThemInOrder() {
        String before = created.version();
        try (Watch watch = requests.watch(PODS + "?resourceVersion=" + before)) {
            String labeled = patch(POD, "{'metadata':{'labels':{'a':'b'},'finalizers':null}}")
                    .version();
            requests.delete(POD).ok();
            String again = requests.post(PODS, "{'metadata':{'name':'p'}}").ok().version();

            assertThat(watch.event()).isEqualTo("MODIFIED p@" + labeled);
            String deleted = watch.event();
            assertThat(deleted).startsWith("DELETED p@");
            assertThat(watch.event()).isEqualTo("ADDED p@" + again);
            assertThat(Long.parseLong(labeled)).isGreaterThan(Long.parseLong(before));
            assertThat(Long.parseLong(deleted.substring("DELETED p@".length())))
                    .isStrictlyBetween(Long.parseLong(labeled), Long.parseLong(again));
        }
    }

    @Test
    void aWriteThatChangesNothing_keepsTheVersion() {
        assertThat(patch(POD, "{'spec':{'nodeName':'n'}}").version()).isEqualTo(created.version());
    }

    @Test
    void dryRuns_returnTheResultAndStoreNothing() {
        String version = requests.get(PODS).version();

        Answer labeled = patch(POD + "?dryRun=All", "{'metadata':{'labels':{'a':'b'}}}");
        assertThat(labeled.body().string("metadata", "labels", "a")).isEqualTo("b");
        requests.post(PODS + "?dryRun=All", "{'metadata':{'name':'q'}}").ok();
        requests.delete(POD + "?dryRun=All").ok();
        patch(POD + "/status?dryRun=All", "{'status':{'phase':'Running'}}");

        assertThat(pod()).isEqualTo(created.body());
        assertThat(requests.get(PODS + "/q").code()).isEqualTo(404);
        assertThat(requests.get(PODS).version()).isEqualTo(version);
    }

    @Test
    void creation_ofWhatExists_isRefused() {
        Answer refused = requests.post(PODS, "{'metadata':{'name':'p'},'spec':{'nodeName':'m'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("AlreadyExists");
        assertThat(pod()).isEqualTo(created.body());
    }

    @Test
    void update_ofAnOldVersion_isAConflict_andOneWithoutAVersionIsNot() {
        patch(POD, "{'metadata':{'labels':{'a':'b'}}}");
        Answer refused = requests.put(POD, created.body());
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
        requests.send("PUT", POD, "{'metadata':{'name':'p'},'spec':{'nodeName':'m'}}")
                .ok();
        assertThat(pod().string("spec", "nodeName")).isEqualTo("m");
        assertThat(pod().string("metadata", "uid")).isEqualTo(created.body().string("metadata", "uid"));
    }
}
