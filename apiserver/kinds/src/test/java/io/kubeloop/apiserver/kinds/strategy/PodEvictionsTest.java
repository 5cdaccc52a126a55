/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Evictions of a running pod that one or two budgets select. */
class PodEvictionsTest {

    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String PODS = "/api/v1/namespaces/default/pods";

    private final Scheduler scheduler = Scheduler.system(Thread::new);
    private final ApiHandler handler = new ApiHandler(new ApiBackend(
            new Storage(8, 1),
            BuiltInKinds.create(),
            Clock.systemUTC(),
            scheduler,
            Duration.ofMinutes(1),
            new Random(1),
            List.of()));

    @BeforeEach
    void createPod() {
        send("POST", "/api/v1/namespaces", "{'metadata':{'name':'default'}}");
        send("POST", "/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
        send(
                "POST",
                PODS,
                "{'metadata':{'name':'p','labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        patchStatus(PODS + "/p", "{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}");
        createBudget("one");
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private JsonObject send(String method, String path, String body) {
        byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        String type = method.equals("PATCH") ? "application/merge-patch+json" : ApiRequest.JSON;
        ServerResponse response =
                handler.handle(ApiRequest.of(method, path, Map.of(), new ApiRequest.Body(type, bytes)));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (ByteBuffer piece : ((ServerResponse.Document) response).pieces()) {
            byte[] part = new byte[piece.remaining()];
            piece.duplicate().get(part);
            whole.writeBytes(part);
        }
        return JsonObject.parse(whole.toByteArray());
    }

    private void patchStatus(String path, String status) {
        send("PATCH", path + "/status", "{'status':" + status + "}");
    }

    private void createBudget(String name) {
        send(
                "POST",
                BUDGETS,
                "{'metadata':{'name':'" + name + "'},'spec':{'minAvailable':1,'selector':{'matchLabels':{'a':'b'}}}}");
    }

    private JsonObject evict() {
        return send("POST", PODS + "/p/eviction", "{'metadata':{'name':'p'}}");
    }

    private static String cause(JsonObject status) {
        return status.array("details", "causes").objects().toList().get(0).string("message");
    }

    @Test
    void waitsForTheStatusOfTheBudget() {
        JsonObject answer = evict();
        assertThat(answer.number("code")).isEqualTo(429);
        assertThat(answer.number("details", "retryAfterSeconds")).isEqualTo(10);
        assertThat(cause(answer)).isEqualTo("The disruption budget one is still being processed by the server.");
    }

    @Test
    void refusesAnEvictionThatTheBudgetDoesNotAllow() {
        patchStatus(
                BUDGETS + "/one",
                "{'observedGeneration':1,'disruptionsAllowed':0,'currentHealthy':1,'desiredHealthy':1,"
                        + "'expectedPods':1}");
        assertThat(cause(evict())).isEqualTo("The disruption budget one needs 1 healthy pods and has 1 currently");
    }

    @Test
    void countsAnEviction() {
        patchStatus(
                BUDGETS + "/one",
                "{'observedGeneration':1,'disruptionsAllowed':1,'currentHealthy':2,'desiredHealthy':1,"
                        + "'expectedPods':2}");
        assertThat(evict().number("code")).isEqualTo(201);
        JsonObject status = send("GET", BUDGETS + "/one", "").object("status");
        assertThat(status.number("disruptionsAllowed")).isEqualTo(0);
        assertThat(status.object("disruptedPods").has("p")).isTrue();
        assertThat(status.array("conditions").objects().toList().get(0).string("reason"))
                .isEqualTo("InsufficientPods");
    }

    @Test
    void letsAPodGoThatIsNotReadyWhileTheOthersAre() {
        patchStatus(PODS + "/p", "{'conditions':[{'type':'Ready','status':'False'}]}");
        patchStatus(
                BUDGETS + "/one",
                "{'observedGeneration':1,'disruptionsAllowed':0,'currentHealthy':1,'desiredHealthy':1,"
                        + "'expectedPods':2}");
        assertThat(evict().number("code")).isEqualTo(201);
    }

    @Test
    void refusesAnEviction_whileTooManyAreNotConfirmed() {
        String evicted = IntStream.rangeClosed(0, 2000)
                .mapToObj(i -> "'p" + i + "':'2026-01-01T00:00:00Z'")
                .collect(Collectors.joining(","));
        patchStatus(
                BUDGETS + "/one",
                "{'observedGeneration':1,'disruptionsAllowed':1,'currentHealthy':2,'desiredHealthy':1,"
                        + "'expectedPods':2,'disruptedPods':{" + evicted + "}}");
        JsonObject answer = evict();
        assertThat(answer.string("message"))
                .isEqualTo("poddisruptionbudgets.policy \"one\" is forbidden: DisruptedPods map too big - too many"
                        + " evictions not confirmed by PDB controller");
        assertThat(answer.array("details", "causes").objects())
                .containsExactly(JsonObject.EMPTY
                        .with("reason", "DisruptionBudget")
                        .with(
                                "message",
                                "The disruption budget one does not allow evicting pods currently: too many pending"
                                        + " evictions not confirmed by PDB controller"));
    }

    @Test
    void supportsOneBudgetOnly() {
        createBudget("two");
        assertThat(evict().string("message"))
                .isEqualTo("This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
                        + " support.");
    }
}
