/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.tainteviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaintEvictionTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private void createPod(String name, String tolerations) {
        requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name
                                + "','finalizers':['example.com/stay']},'spec':{'nodeName':'n','tolerations':["
                                + tolerations + "],'containers':[{'name':'c','image':'i'}]}}")
                .ok();
    }

    private void taint(String taints) {
        requests.send("PATCH", "/api/v1/nodes/n", MERGE, "{'spec':{'taints':[" + taints + "]}}")
                .ok();
    }

    private boolean isEvicted(String pod) {
        JsonObject body = requests.get(PODS + "/" + pod).body();
        return body.object("metadata").has("deletionTimestamp")
                && body.array("status", "conditions")
                        .objects()
                        .anyMatch(condition -> condition.string("reason").equals("DeletionByTaintManager"));
    }

    private List<String> messages() {
        return requests.get("/api/v1/namespaces/default/events")
                .body()
                .array("items")
                .objects()
                .map(event -> event.string("message"))
                .toList();
    }

    @Test
    @SuppressWarnings("try") // the runner only has to be open
    void podsThatDoNotTolerateTheTaint_goAtOnce_othersWaitOrStay() {
        requests.post("/api/v1/nodes", "{'metadata':{'name':'n'}}").ok();
        createPod("none", "");
        createPod("some", "{'key':'down','operator':'Exists','effect':'NoExecute','tolerationSeconds':600}");
        createPod("all", "{'key':'down','operator':'Exists'}");
        createPod("zero", "{'operator':'Exists','tolerationSeconds':0,'effect':'NoExecute'}");
        try (ControllerRunner ignored = ControllerRunner.builder(
                        KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(TaintEvictionController::of)
                .start()) {
            taint("{'key':'down','effect':'NoExecute'}");
            await().until(() -> isEvicted("none") && isEvicted("zero"));
            assertThat(isEvicted("some")).isFalse();
            assertThat(isEvicted("all")).isFalse();
            await().until(() -> messages().contains("Marking for deletion Pod default/none"));

            taint("");
            await().until(() -> messages().contains("Cancelling deletion of Pod default/some"));

            taint("{'key':'down','effect':'NoExecute'},{'key':'gone','effect':'NoExecute'}");
            await().until(() -> isEvicted("some") && isEvicted("all"));
        }
    }

    @Test
    void timer_runsOnce_endsWithItsPod_andIsNotShortened() {
        ManualClock clock = new ManualClock(Instant.EPOCH);
        List<Duration> alarms = new ArrayList<>();
        EvictionTimers timers = new EvictionTimers(clock, (pod, wait) -> alarms.add(wait));
        ObjectName pod = new ObjectName("default", "p");
        timers.start(pod, "u1", Duration.ofSeconds(60));
        timers.start(pod, "u1", Duration.ofSeconds(5));
        assertThat(alarms).containsExactly(Duration.ofSeconds(60));

        clock.advance(Duration.ofSeconds(59));
        assertThat(timers.takeDue(pod)).isNull();
        clock.advance(Duration.ofSeconds(1));
        assertThat(timers.takeDue(pod)).isEqualTo("u1");
        assertThat(timers.takeDue(pod)).isNull();

        timers.start(pod, "u2", Duration.ofSeconds(1));
        assertThat(timers.cancel(pod)).isTrue();
        assertThat(timers.cancel(pod)).isFalse();
        clock.advance(Duration.ofSeconds(2));
        assertThat(timers.takeDue(pod)).isNull();
    }
}
