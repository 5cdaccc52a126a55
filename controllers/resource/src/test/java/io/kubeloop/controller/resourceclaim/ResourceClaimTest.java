/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.ForwardingApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the runner only has to be open
class ResourceClaimTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String GROUP = "/apis/resource.k8s.io/v1/namespaces/default/";
    private static final String CLAIMS = GROUP + "resourceclaims";
    private static final String MERGE = "application/merge-patch+json";
    private static final String SPEC =
            "'spec':{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'example'}}]}}";
    private static final String ALLOCATION =
            "'allocation':{'devices':{'results':[{'request':'gpu','driver':'dra.example','pool':'p','device':'d'}]}}";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run() {
        return run(server.transport());
    }

    private static ControllerRunner run(Transport transport) {
        return ControllerRunner.builder(KubeClient.of(transport, JsonCodec.standard()))
                .controller(ResourceClaimController::of)
                .start();
    }

    private void createTemplate() {
        requests.post(
                        GROUP + "resourceclaimtemplates",
                        "{'metadata':{'name':'t'},'spec':{'metadata':{'labels':{'a':'b'},'annotations':{'n':'1'}},"
                                + SPEC + "}}")
                .ok();
    }

    /** Returns the pod's UID. */
    private String createPod(String name, String node, String claims) {
        return requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i'}]" + node
                                + ",'resourceClaims':[" + claims + "]}}")
                .ok()
                .body()
                .string("metadata", "uid");
    }

    private void createClaim(String metadata, String status) {
        requests.post(CLAIMS, "{'metadata':{'name':'shared'" + metadata + "}," + SPEC + "}")
                .ok();
        patch(CLAIMS + "/shared/status", "{'status':{" + status + "}}");
    }

    private void patch(String path, String patch) {
        requests.send("PATCH", path, MERGE, patch).ok();
    }

    private JsonObject claim() {
        return requests.get(CLAIMS + "/shared").body();
    }

    private List<JsonObject> claims() {
        return requests.get(CLAIMS).body().array("items").objects().toList();
    }

    private List<String> named(String pod) {
        return requests.get(PODS + "/" + pod)
                .body()
                .array("status", "resourceClaimStatuses")
                .objects()
                .map(status -> status.string("name") + "=" + status.string("resourceClaimName"))
                .toList();
    }

    private static String reservation(String pod, String uid) {
        return "{'resource':'pods','name':'" + pod + "','uid':'" + uid + "'}";
    }

    @Test
    void everyTemplateOfAPod_becomesAClaim_thatTheStatusNames_andThatIsReplacedWhenLost() {
        createTemplate();
        String uid = createPod(
                "p",
                "",
                "{'name':'one','resourceClaimTemplateName':'t'},{'name':'two','resourceClaimTemplateName':'t'}");
        try (ControllerRunner ignored = run()) {
            await().until(() -> named("p").size() == 2);
            assertThat(claims()).hasSize(2).allSatisfy(claim -> {
                JsonObject metadata = claim.object("metadata");
                String entry = metadata.object("annotations").string(ClaimReading.POD_CLAIM_NAME);
                assertThat(named("p")).contains(entry + "=" + metadata.string("name"));
                assertThat(metadata.string("generateName")).isEqualTo("p-" + entry + "-");
                assertThat(metadata.object("labels").strings()).containsEntry("a", "b");
                assertThat(metadata.object("annotations").strings()).containsEntry("n", "1");
                JsonObject owner =
                        metadata.array("ownerReferences").objects().findFirst().orElseThrow();
                assertThat(owner.string("uid")).isEqualTo(uid);
                assertThat(owner.bool("controller")).isTrue();
                assertThat(owner.has("blockOwnerDeletion")).isFalse();
            });
            List<String> before = named("p");

            requests.delete(CLAIMS + "/" + before.get(0).substring("one=".length()))
                    .ok();

            await().until(() -> !named("p").get(0).equals(before.get(0)));
            assertThat(named("p")).hasSize(2).contains(before.get(1));
            assertThat(claims()).hasSize(2);
        }
    }

    /** Loses the answer to the first creation of a claim, and shows no claim from then on until it is released. */
    private final class LostAnswer implements Transport {

        private final AtomicBoolean isLost = new AtomicBoolean();
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public ApiResponse execute(ApiRequest request) {
            boolean isCreation =
                    request.method().equals("POST") && request.path().equals(CLAIMS);
            ApiResponse answer = server.transport().execute(request);
            if (isCreation && isLost.compareAndSet(false, true)) {
                answer.close();
                throw new TransportException(TransportException.Kind.TIMEOUT, "no answer", null);
            }
            return answer;
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            ApiStream stream = server.transport().stream(request);
            return request.path().endsWith("/resourceclaims") ? new Held(stream) : stream;
        }

        private final class Held extends ForwardingApiStream {

            private Held(ApiStream stream) {
                super(stream);
            }

            @Override
            public byte @Nullable [] next() {
                return held(super.next());
            }

            @Override
            public @Nullable ByteBuffer nextShared() {
                return held(super.nextShared());
            }

            private <T extends @Nullable Object> T held(T frame) {
                try {
                    if (isLost.get()) {
                        released.await();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return frame;
            }
        }

        @Override
        public void close() {
            released.countDown();
        }
    }

    @Test
    void answerToTheCreationIsLost_theClaimIsFoundAtTheServer_andNotCreatedTwice() {
        createTemplate();
        createPod("p", "", "{'name':'one','resourceClaimTemplateName':'t'}");
        LostAnswer transport = new LostAnswer();
        try (ControllerRunner ignored = run(transport)) {
            await().until(() -> !named("p").isEmpty());

            assertThat(claims())
                    .singleElement()
                    .satisfies(
                            claim -> assertThat(named("p")).containsExactly("one=" + claim.string("metadata", "name")));
            transport.close();
        }
    }

    @Test
    void missingTemplate_isReported_andWakesThePodWhenItComes() {
        createPod("p", "", "{'name':'c','resourceClaimTemplateName':'t'}");
        try (ControllerRunner ignored = run()) {
            await().until(() -> requests.get("/api/v1/namespaces/default/events")
                    .body()
                    .array("items")
                    .objects()
                    .anyMatch(event -> event.string("reason").equals("FailedResourceClaimCreation")
                            && event.string("message")
                                    .equals("PodResourceClaim c: resource claim template \"t\":"
                                            + " resourceclaimtemplate.resource.k8s.io \"t\" not found")));
            createTemplate();
            await().until(() -> named("p").size() == 1);
        }
    }

    @Test
    void lastReservation_takesTheAllocationAndTheFinalizerWithIt() {
        String uid = createPod("p", "", "{'name':'c','resourceClaimName':'shared'}");
        createClaim(
                ",'finalizers':['" + ClaimRelease.FINALIZER + "']",
                ALLOCATION + ",'reservedFor':[" + reservation("gone", "u") + "," + reservation("p", uid) + "]");
        try (ControllerRunner ignored = run()) {
            await().until(() -> claim().array("status", "reservedFor").size() == 1);
            assertThat(claim().array("status", "reservedFor").objects())
                    .singleElement()
                    .satisfies(each -> assertThat(each.string("uid")).isEqualTo(uid));
            assertThat(claim().object("status").has("allocation")).isTrue();

            patch(PODS + "/p/status", "{'status':{'phase':'Succeeded'}}");

            await().until(() -> claim().array("metadata", "finalizers").isEmpty());
            assertThat(claim().object("status").isEmpty()).isTrue();
        }
    }

    @Test
    void deletedClaim_thatIsNotReserved_isReleased() {
        createClaim(",'finalizers':['" + ClaimRelease.FINALIZER + "']", ALLOCATION);
        requests.delete(CLAIMS + "/shared").ok();
        try (ControllerRunner ignored = run()) {
            await().until(() -> requests.get(CLAIMS + "/shared").code() == 404);
        }
    }

    @Test
    void claimOfAFinishedPod_isDeleted_andNotCreatedAgain() {
        createTemplate();
        createPod("p", "", "{'name':'c','resourceClaimTemplateName':'t'}");
        createPod("q", "", "{'name':'c','resourceClaimTemplateName':'t'}");
        try (ControllerRunner ignored = run()) {
            await().until(() -> named("p").size() == 1 && named("q").size() == 1);

            patch(PODS + "/p/status", "{'status':{'phase':'Failed'}}");

            await().until(() -> claims().size() == 1);
            assertThat(named("q")).containsExactly("c=" + claims().get(0).string("metadata", "name"));
        }
    }

    @Test
    void podWithANode_reservesAnAllocatedClaim_unlessItHasFinished() {
        String node = ",'nodeName':'n'";
        createPod("done", node, "{'name':'c','resourceClaimName':'shared'}");
        patch(PODS + "/done/status", "{'status':{'phase':'Succeeded'}}");
        String uid = createPod("p", node, "{'name':'c','resourceClaimName':'shared'}");
        createClaim("", ALLOCATION);
        try (ControllerRunner ignored = run()) {
            await().until(() -> !claim().array("status", "reservedFor").isEmpty());
            assertThat(claim().array("status", "reservedFor").objects())
                    .containsExactly(JsonObject.EMPTY
                            .with("resource", "pods")
                            .with("name", "p")
                            .with("uid", uid));
        }
    }

    @Test
    void prefix_cutsBothNamesInProportion() {
        assertThat(PodClaimSync.prefix("p", "c")).isEqualTo("p-c-");
        assertThat(PodClaimSync.prefix("p".repeat(90), "c".repeat(9)))
                .as("without a hyphen at the end, as upstream")
                .isEqualTo("p".repeat(50) + "-" + "c".repeat(5));
    }
}
