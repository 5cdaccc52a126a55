/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated("looks at all threads")
class SimulatedKubeletTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final Requests requests = new Requests(server.transport());
    private SimulatedKubelet kubelet = SimulatedKubelet.start(client);

    @AfterEach
    void close() {
        kubelet.close();
        server.close();
    }

    @Test
    void heartbeat_renewsTheLeaseOfEachNode() {
        kubelet.close();
        kubelet = SimulatedKubelet.start(
                client, SimulatedKubelet.Config.DEFAULT.withNodes(2).withHeartbeat(Duration.ofMillis(5)));
        String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";
        Awaitility.await()
                .until(() -> requests.get(leases + "node-1").code() == 200
                        && requests.get(leases + "node-2").code() == 200);
        String renewed = requests.get(leases + "node-2").body().string("spec", "renewTime");

        Awaitility.await()
                .until(() -> !requests.get(leases + "node-2")
                        .body()
                        .string("spec", "renewTime")
                        .equals(renewed));
        assertThat(requests.get(leases + "node-2").body().string("spec", "holderIdentity"))
                .isEqualTo("node-2");
    }

    @Test
    void lostNode_reportsItselfAndItsPodsAgain() {
        kubelet.close();
        kubelet = SimulatedKubelet.start(client, SimulatedKubelet.Config.DEFAULT.withHeartbeat(Duration.ofMillis(5)));
        create("web", "", "");
        await("web", SimulatedKubeletTest::isReady);
        String unready = "{'status':{'conditions':[{'type':'Ready','status':'%s'}]}}";
        String strategic = "application/strategic-merge-patch+json";
        requests.send("PATCH", PODS + "/web/status", strategic, unready.formatted("False"))
                .ok();
        requests.send("PATCH", "/api/v1/nodes/node-1/status", strategic, unready.formatted("Unknown"))
                .ok();

        await("web", SimulatedKubeletTest::isReady);
        assertThat(requests.get("/api/v1/nodes/node-1")
                        .body()
                        .array("status", "conditions")
                        .objects())
                .filteredOn(condition -> condition.string("type").equals("Ready"))
                .extracting(condition -> condition.string("status"))
                .containsExactly("True");
    }

    @Test
    void nodePrefix_leavesBindingAndOtherNodesToOthers() {
        kubelet.close();
        kubelet = SimulatedKubelet.start(
                client, SimulatedKubelet.Config.DEFAULT.withNodes(2).withNodePrefix("sim-"));
        create("unbound", "", "");
        create("foreign", "", "'nodeName':'node-1',");
        create("own", "", "'nodeName':'sim-2',");
        await("own", SimulatedKubeletTest::isReady);
        kubelet.close(); // lets the events before it end

        assertThat(requests.get("/api/v1/nodes/sim-2").code()).isEqualTo(200);
        JsonObject unbound = requests.get(PODS + "/unbound").body();
        assertThat(unbound.string("spec", "nodeName")).isEmpty();
        assertThat(requests.get(PODS + "/foreign").body().object("status").has("podIP"))
                .isFalse();
    }

    @Test
    void pod_created_runsAndIsReady() {
        create("web", "", "'initContainers':[{'name':'i','image':'x'}],");
        JsonObject pod = await("web", SimulatedKubeletTest::isReady);
        assertThat(pod.string("spec", "nodeName")).isEqualTo("node-1");
        assertThat(pod.string("status", "phase")).isEqualTo("Running");
        assertThat(pod.string("status", "podIP")).startsWith("10.244.");
        assertThat(pod.array("status", "podIPs").toString())
                .isEqualTo("[{\"ip\":\"" + pod.string("status", "podIP") + "\"}]");
        assertThat(pod.string("status", "hostIP")).startsWith("172.18.");
        assertThat(pod.string("status", "startTime")).isNotEmpty();
        assertThat(pod.array("status", "conditions").objects())
                .allMatch(condition -> condition.string("status").equals("True"))
                .extracting(condition -> condition.string("type"))
                .containsExactlyInAnyOrder("PodScheduled", "Initialized", "ContainersReady", "Ready");
        JsonObject container =
                (JsonObject) pod.array("status", "containerStatuses").get(0);
        assertThat(container.string("name")).isEqualTo("c");
        assertThat(container.bool("ready")).isTrue();
        assertThat(container.string("state", "running", "startedAt")).isNotEmpty();
        assertThat(pod.array("status", "initContainerStatuses").objects())
                .extracting(status -> status.string("state", "terminated", "reason"))
                .containsExactly("Completed");
    }

    @Test
    void ephemeralContainer_runsFromThen_andIsNeverReady() {
        create("web", "", "");
        await("web", SimulatedKubeletTest::isReady);
        addEphemeral("debug-1");
        JsonObject first = await("web", pod -> !ephemeralStatus(pod, "debug-1").isEmpty());
        addEphemeral("debug-2");
        JsonObject second = await("web", pod -> !ephemeralStatus(pod, "debug-2").isEmpty());

        assertThat(ephemeralStatus(first, "debug-1").string("state", "running", "startedAt"))
                .isNotEmpty();
        assertThat(ephemeralStatus(first, "debug-1").bool("ready")).isFalse();
        assertThat(ephemeralStatus(second, "debug-1")).isEqualTo(ephemeralStatus(first, "debug-1"));
        assertThat(isReady(second)).isTrue();
    }

    private void addEphemeral(String name) {
        requests.send(
                        "PATCH",
                        PODS + "/web/ephemeralcontainers",
                        "application/strategic-merge-patch+json",
                        "{'spec':{'ephemeralContainers':[{'name':'" + name + "','image':'x'}]}}")
                .ok();
    }

    private static JsonObject ephemeralStatus(JsonObject pod, String name) {
        return pod.array("status", "ephemeralContainerStatuses")
                .objects()
                .filter(status -> status.string("name").equals(name))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    @Test
    void node_isRegisteredReady() {
        Awaitility.await().untilAsserted(() -> {
            JsonObject node =
                    requests.send("GET", "/api/v1/nodes/node-1", null).ok().body();
            assertThat(node.array("status", "conditions").objects())
                    .anyMatch(condition -> condition.string("type").equals("Ready")
                            && condition.string("status").equals("True"));
        });
    }

    @Test
    void pods_haveAddressesOfTheirOwn() {
        IntStream.range(0, 40).forEach(i -> create("web-" + i, "", ""));
        Set<String> ips = IntStream.range(0, 40)
                .mapToObj(i -> await("web-" + i, SimulatedKubeletTest::isReady).string("status", "podIP"))
                .collect(Collectors.toSet());
        assertThat(ips).hasSize(40);
    }

    @Test
    void pod_held_isLeftUnscheduledUntilReleased() {
        create("held", "'sim/hold':'true'", "");
        create("gated", "", "'schedulingGates':[{'name':'g'}],");
        create("other", "", "");
        await("other", SimulatedKubeletTest::isReady);
        assertThat(get("held").string("spec", "nodeName")).isEmpty();
        assertThat(get("gated").string("spec", "nodeName")).isEmpty();
        annotate("held", "sim/hold", "null");
        await("held", SimulatedKubeletTest::isReady);
    }

    @Test
    void pod_boundOnly_reportsNothing() {
        create("bound", "'sim/bind-only':'true','sim/node':'far-away'", "");
        create("other", "", "");
        await("other", SimulatedKubeletTest::isReady);
        JsonObject pod = await("bound", it -> !it.string("spec", "nodeName").isEmpty());
        assertThat(pod.string("spec", "nodeName")).isEqualTo("far-away");
        assertThat(pod.string("status", "podIP")).isEmpty();
        assertThat(pod.string("status", "phase")).isEqualTo("Pending");
    }

    @Test
    void daemonPod_isBoundToItsNode() {
        create("daemon", "", """
                'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[
                  {'matchFields':[{'key':'metadata.name','operator':'In','values':['far-away']}]}]}}},""");
        assertThat(await("daemon", SimulatedKubeletTest::isReady).string("spec", "nodeName"))
                .isEqualTo("far-away");
    }

    @Test
    void readiness_annotated_follows() {
        create("web", "'sim/ready':'false'", "");
        JsonObject pod = await("web", it -> it.string("status", "phase").equals("Running"));
        assertThat(isReady(pod)).isFalse();
        annotate("web", "sim/ready", "'true'");
        await("web", SimulatedKubeletTest::isReady);
        annotate("web", "sim/ready", "'false'");
        JsonObject unready = await("web", it -> !isReady(it));
        assertThat(condition(unready, "Ready").string("reason")).isEqualTo("ContainersNotReady");
        assertThat(unready.string("status", "podIP")).isEqualTo(pod.string("status", "podIP"));
        annotate("web", "sim/ready", "null");
        JsonObject again = await("web", SimulatedKubeletTest::isReady);
        assertThat(condition(again, "Ready").has("reason")).isFalse();
    }

    @Test
    void readiness_delayed_runsFirst() {
        create("slow", "'sim/ready-delay-ms':'60000'", "");
        assertThat(isReady(await("slow", it -> it.string("status", "phase").equals("Running"))))
                .isFalse();
        create("quick", "'sim/ready-delay-ms':'50','sim/delay-ms':'20'", "");
        await("quick", SimulatedKubeletTest::isReady);
    }

    @Test
    void readiness_delayedBeyondAnyDate_runs() {
        create("never", "'sim/ready-delay-ms':'" + Long.MAX_VALUE + "'", "");
        assertThat(isReady(await("never", it -> it.string("status", "phase").equals("Running"))))
                .isFalse();
        kubelet.close();
        Duration forever = ChronoUnit.FOREVER.getDuration();
        kubelet = SimulatedKubelet.start(
                client, SimulatedKubelet.Config.DEFAULT.withReadyDelay(forever).withStopDelay(forever));
        create("not-ever", "", "'terminationGracePeriodSeconds':1,");
        assertThat(isReady(await("not-ever", it -> it.string("status", "phase").equals("Running"))))
                .isFalse();
        requests.send("DELETE", PODS + "/not-ever", null).ok();
        awaitGone("not-ever");
    }

    @Test
    void readinessGate_open_makesReady() {
        create("gate", "", "'readinessGates':[{'conditionType':'example.com/open'}],");
        JsonObject pod = await("gate", it -> it.string("status", "phase").equals("Running"));
        assertThat(condition(pod, "ContainersReady").string("status")).isEqualTo("True");
        assertThat(condition(pod, "Ready").string("reason")).isEqualTo("ReadinessGatesNotReady");
        requests.send(
                        "PATCH",
                        PODS + "/gate/status",
                        "application/strategic-merge-patch+json",
                        "{'status':{'conditions':[{'type':'example.com/open','status':'True'}]}}")
                .ok();
        JsonObject ready = await("gate", SimulatedKubeletTest::isReady);
        assertThat(condition(ready, "example.com/open").string("status")).isEqualTo("True");
    }

    @Test
    void pod_ofAJob_completes() {
        create("job", "'sim/complete-after-ms':'30'", "'restartPolicy':'Never',");
        JsonObject pod = await("job", it -> it.string("status", "phase").equals("Succeeded"));
        assertThat(isReady(pod)).isFalse();
        assertThat(((JsonObject) pod.array("status", "containerStatuses").get(0))
                        .string("state", "terminated", "reason"))
                .isEqualTo("Completed");
    }

    /** With no delay, a pod that completes is never reported as running. */
    @ParameterizedTest
    @CsvSource({
        "Job,     Never,     '',                               Succeeded",
        "Job,     OnFailure, '',                               Succeeded",
        "Job,     Never,     sim/exit-code:3,            Failed",
        "Job,     Never,     sim/complete-after-ms:never, Running",
        "TaskRun, Never,     '',                               Running",
        "TaskRun, Never,     helm.sh/hook:post-install,  Succeeded",
        "Job,     Always,    '',                               Running",
    })
    void pod_ofAJobOrAHook_completesByDefault(String owner, String restarts, String annotation, String phase) {
        String annotations = annotation.isEmpty() ? "" : "'" + annotation.replace(":", "':'") + "'";
        kubelet.close();
        kubelet = SimulatedKubelet.start(client, SimulatedKubelet.Config.DEFAULT.withJobDelay(Duration.ZERO));
        String group = owner.equals("Job") ? "batch/v1" : "tekton.dev/v1";
        create(
                "owned",
                annotations + "},'ownerReferences':[{'apiVersion':'" + group + "','kind':'" + owner
                        + "','name':'o','uid':'u'}],'labels':{",
                "'restartPolicy':'" + restarts + "',");

        JsonObject pod = await(
                "owned",
                it -> it.array("status", "containerStatuses")
                        .objects()
                        .anyMatch(container -> !container.object("state").has("waiting")));

        assertThat(pod.string("status", "phase")).isEqualTo(phase);
        Long code = ((JsonObject) pod.array("status", "containerStatuses").get(0))
                .number("state", "terminated", "exitCode");
        assertThat(code)
                .isEqualTo(
                        phase.equals("Succeeded") ? Long.valueOf(0) : phase.equals("Failed") ? Long.valueOf(3) : null);
    }

    @Test
    void failedContainer_restartsAfterAWait_ifThePolicyIsOnFailure() {
        create("crash", "'sim/complete-after-ms':'5','sim/exit-code':'7'", "'restartPolicy':'OnFailure',");
        JsonObject pod = await(
                "crash",
                it -> container(it).string("state", "waiting", "reason").equals("CrashLoopBackOff"));
        assertThat(pod.string("status", "phase")).isEqualTo("Running");
        assertThat(isReady(pod)).isFalse();
        assertThat(container(pod).number("restartCount")).isEqualTo(1);
        assertThat(container(pod).number("lastState", "terminated", "exitCode")).isEqualTo(7);
    }

    @Test
    void sidecar_runsBesideTheContainers_andEndsWithThem() {
        create(
                "helped",
                "'sim/complete-after-ms':'100000'",
                "'restartPolicy':'Never','initContainers':[{'name':'init','image':'x'},"
                        + "{'name':'side','image':'x','restartPolicy':'Always'}],");
        JsonObject pod = await("helped", SimulatedKubeletTest::isReady);
        assertThat(pod.array("status", "initContainerStatuses").objects())
                .extracting(status -> status.object("state").members().keySet())
                .containsExactly(Set.of("terminated"), Set.of("running"));

        annotate("helped", "sim/complete-after-ms", "'0'");

        JsonObject ended = await("helped", it -> it.string("status", "phase").equals("Succeeded"));
        assertThat(ended.array("status", "initContainerStatuses").objects())
                .extracting(status -> status.object("state").members().keySet())
                .containsExactly(Set.of("terminated"), Set.of("terminated"));
    }

    private static JsonObject container(JsonObject pod) {
        return pod.array("status", "containerStatuses").objects().findFirst().orElse(JsonObject.EMPTY);
    }

    @Test
    void pod_toldToFail_fails() {
        create("bad", "'sim/phase':'Failed','sim/ip':'none'", "");
        JsonObject pod = await("bad", it -> it.string("status", "phase").equals("Failed"));
        assertThat(isReady(pod)).isFalse();
        assertThat(pod.string("status", "podIP")).isEmpty();
    }

    @Test
    void pod_withAddressesOfItsOwn_hasThem() {
        create("dual", "'sim/ip':'10.9.8.7, fd00::1'", "");
        JsonObject pod = await("dual", SimulatedKubeletTest::isReady);
        assertThat(pod.array("status", "podIPs").toString()).isEqualTo("[{\"ip\":\"10.9.8.7\"},{\"ip\":\"fd00::1\"}]");
    }

    @Test
    void pod_onTheHostsNetwork_hasItsAddress() {
        create("host", "", "'hostNetwork':true,");
        JsonObject pod = await("host", SimulatedKubeletTest::isReady);
        assertThat(pod.string("status", "podIP")).isEqualTo(pod.string("status", "hostIP"));
    }

    @Test
    void pod_deleted_goes() {
        create("web", "", "");
        await("web", SimulatedKubeletTest::isReady);
        requests.send("DELETE", PODS + "/web", null).ok();
        awaitGone("web");
    }

    @Test
    void pod_whoseDeletionIsHeld_staysUntilReleased() {
        create("web", "'sim/hold-delete':'true'", "");
        create("other", "", "");
        await("web", SimulatedKubeletTest::isReady);
        await("other", SimulatedKubeletTest::isReady);
        requests.send("DELETE", PODS + "/web", null).ok();
        requests.send("DELETE", PODS + "/other", null).ok();
        awaitGone("other");
        assertThat(get("web").string("metadata", "deletionTimestamp")).isNotEmpty();
        annotate("web", "sim/hold-delete", "null");
        awaitGone("web");
    }

    @Test
    void pod_thatDoesNotStop_isKilledWhenItsGraceIsOver() {
        create("stubborn", "'sim/stop-ms':'3600000'", "");
        create("patient", "'sim/stop-ms':'3600000'", "");
        await("stubborn", SimulatedKubeletTest::isReady);
        await("patient", SimulatedKubeletTest::isReady);
        requests.send("DELETE", PODS + "/patient?gracePeriodSeconds=1000", null).ok();
        requests.send("DELETE", PODS + "/stubborn?gracePeriodSeconds=1", null).ok();
        awaitGone("stubborn");
        assertThat(get("patient").string("metadata", "deletionTimestamp")).isNotEmpty();
    }

    @Test
    void status_writtenByAUser_stays() {
        create("web", "", "");
        await("web", SimulatedKubeletTest::isReady);
        requests.send(
                        "PATCH",
                        PODS + "/web/status",
                        "application/strategic-merge-patch+json",
                        "{'status':{'message':'mine','conditions':[{'type':'Ready','status':'False'}]}}")
                .ok();
        annotate("web", "note", "'unrelated'");
        create("later", "", "");
        await("later", SimulatedKubeletTest::isReady);
        assertThat(isReady(get("web"))).isFalse();
        assertThat(get("web").string("status", "message")).isEqualTo("mine");
    }

    @Test
    void restart_leavesRunningPodsAndTheirAddressesAlone() {
        create("old", "", "");
        JsonObject before = await("old", SimulatedKubeletTest::isReady);
        kubelet.close();
        kubelet = SimulatedKubelet.start(client, SimulatedKubelet.Config.DEFAULT.withNodes(3));
        create("new", "", "");
        JsonObject added = await("new", SimulatedKubeletTest::isReady);
        assertThat(get("old")).isEqualTo(before);
        assertThat(added.string("status", "podIP")).isNotEqualTo(before.string("status", "podIP"));
        annotate("old", "sim/ready", "'false'");
        assertThat(await("old", it -> !isReady(it)).string("status", "podIP"))
                .isEqualTo(before.string("status", "podIP"));
    }

    @Test
    void watch_expired_isBegunAnew() {
        kubelet.close();
        List<ApiStream> streams = new CopyOnWriteArrayList<>();
        kubelet = SimulatedKubelet.start(KubeClient.of(
                new ForwardingTransport(server.transport()) {
                    @Override
                    public ApiStream stream(ApiRequest request) {
                        ApiStream stream = super.stream(request);
                        streams.add(stream);
                        return stream;
                    }
                },
                JsonCodec.standard()));
        create("first", "", "");
        await("first", SimulatedKubeletTest::isReady);
        server.compact();
        streams.forEach(ApiStream::close);
        create("second", "", "");
        await("second", SimulatedKubeletTest::isReady);
    }

    @Test
    void server_failingForAWhile_isTriedAgain() {
        kubelet.close();
        AtomicInteger failures = new AtomicInteger(4);
        kubelet = SimulatedKubelet.start(KubeClient.of(
                new ForwardingTransport(server.transport()) {
                    @Override
                    public ApiResponse execute(ApiRequest request) {
                        if (failures.getAndDecrement() > 0) {
                            throw new TransportException(TransportException.Kind.CONNECT, "refused", null);
                        }
                        return super.execute(request);
                    }
                },
                JsonCodec.standard()));
        create("web", "", "");
        await("web", SimulatedKubeletTest::isReady);
        assertThat(failures.get()).isNegative();
    }

    @Test
    void nodes_takeTurns() {
        kubelet.close();
        kubelet = SimulatedKubelet.start(client, SimulatedKubelet.Config.DEFAULT.withNodes(3));
        IntStream.range(0, 6).forEach(i -> create("web-" + i, "", ""));
        List<String> nodes = IntStream.range(0, 6)
                .mapToObj(i -> await("web-" + i, SimulatedKubeletTest::isReady).string("spec", "nodeName"))
                .sorted()
                .toList();
        assertThat(nodes).containsExactly("node-1", "node-1", "node-2", "node-2", "node-3", "node-3");
        assertThat(kubelet).hasToString("3 nodes");
    }

    /** I12. */
    @Test
    void close_leavesNoThread() {
        create("web", "'sim/ready-delay-ms':'3600000'", "");
        await("web", it -> it.string("status", "phase").equals("Running"));
        List<Thread> mine = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kubeloop-kubelet-"))
                .toList();
        assertThat(mine).isNotEmpty();
        kubelet.close();
        kubelet.close();
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("kubeloop-kubelet-"))
                        .filter(Thread::isAlive)
                        .toList())
                .doesNotContainAnyElementsOf(mine);
    }

    @Test
    void config_ofNonsense_isRefused() {
        assertThatThrownBy(() -> SimulatedKubelet.Config.DEFAULT.withNodes(0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SimulatedKubelet.Config.DEFAULT.withStopDelay(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void create(String name, String annotations, String spec) {
        requests.send(
                        "POST",
                        PODS,
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','annotations':{"
                                + annotations + "}},'spec':{" + spec + "'containers':[{'name':'c','image':'i'}]}}")
                .ok();
    }

    private void annotate(String name, String key, String value) {
        requests.send("PATCH", PODS + "/" + name, MERGE, "{'metadata':{'annotations':{'" + key + "':" + value + "}}}")
                .ok();
    }

    private JsonObject get(String name) {
        return requests.send("GET", PODS + "/" + name, null).ok().body();
    }

    private JsonObject await(String name, Predicate<JsonObject> condition) {
        return Awaitility.await(name)
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> get(name), condition);
    }

    private void awaitGone(String name) {
        Awaitility.await(name)
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> requests.send("GET", PODS + "/" + name, null).code() == 404);
    }

    private static boolean isReady(JsonObject pod) {
        return condition(pod, "Ready").string("status").equals("True");
    }

    private static JsonObject condition(JsonObject pod, String type) {
        return pod.array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }
}
