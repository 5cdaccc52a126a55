/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportResourceClientTest {

    private static final ObjectName WEB = new ObjectName("shop", "web");

    private final RecordingTransport transport = new RecordingTransport();
    private final KubeClient client = KubeClient.of(transport, new NameCodec());
    private final ResourceClient<Pod> pods = client.resource(ResourceTypes.PODS);

    @AfterEach
    void everyAnswerIsClosed() {
        assertThat(transport.open()).isZero();
    }

    private static Pod pod(String namespace, String name) {
        return Pod.of(ObjectMeta.named(namespace, name), PodSpec.EMPTY, PodStatus.EMPTY);
    }

    private String bodyText() {
        return new String(transport.onlyRequest().body().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void get_name_asksForItsPath() {
        // RB-01, RC-04
        transport.answer(200, "web");
        assertThat(pods.get(WEB)).isEqualTo(pod("shop", "web"));
        assertThat(transport.onlyRequest()).isEqualTo(ApiRequest.get("/api/v1/namespaces/shop/pods/web", Map.of()));
    }

    @Test
    void list_options_becomeTheQueryAndTheDeadline() {
        // RB-05
        transport.answer(200, "a b");
        KubeList<Pod> list = pods.list(
                "",
                ListOptionsBuilder.builder()
                        .labelSelector("app=shop")
                        .limit(500)
                        .continueToken("t")
                        .deadline(Duration.ofSeconds(9))
                        .build());
        assertThat(list.items()).extracting(Pod::objectName).hasToString("[shop/a, shop/b]");
        assertThat(list.metadata().resourceVersion()).isEqualTo("7");
        ApiRequest request = transport.onlyRequest();
        assertThat(request.path()).isEqualTo("/api/v1/pods");
        assertThat(request.query()).isEqualTo(Map.of("labelSelector", "app=shop", "limit", "500", "continue", "t"));
        assertThat(request.deadline()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void create_object_postsToTheNamespaceOfItsMetadata() {
        transport.answer(201, "web");
        pods.create(pod("shop", "web"));
        assertThat(transport.onlyRequest().describe()).isEqualTo("POST /api/v1/namespaces/shop/pods");
        assertThat(transport.onlyRequest().body().contentType()).isEqualTo("application/json");
        assertThat(bodyText()).isEqualTo("web");
    }

    @Test
    void prepareCreate_eachCall_sendsTheSameRequest_andAsksForMetadataAlone() {
        transport.answer(201, "web-a");
        transport.answer(201, "web-b");

        PreparedCreate creation = pods.prepareCreate(pod("shop", "web"));

        assertThat(transport.requests()).isEmpty();
        assertThat(creation.create().name()).hasToString("shop/web-a");
        assertThat(creation.create().name()).hasToString("shop/web-b");
        assertThat(transport.requests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.describe()).isEqualTo("POST /api/v1/namespaces/shop/pods");
            assertThat(request.body().bytes()).asString(StandardCharsets.UTF_8).isEqualTo("web");
            assertThat(request.accept())
                    .isEqualTo("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
        });
    }

    @Test
    void createForMetadata_sendsTheObject_andAsksForMetadataAlone() {
        transport.answer(201, "web");

        assertThat(pods.createForMetadata(pod("shop", "web")).name()).isEqualTo("web");

        ApiRequest request = transport.onlyRequest();
        assertThat(request.describe()).isEqualTo("POST /api/v1/namespaces/shop/pods");
        assertThat(request.accept()).startsWith("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,");
        assertThat(bodyText()).isEqualTo("web");
    }

    @Test
    void updateForMetadata_sendsTheObject_andAsksForMetadataAlone() {
        transport.answer(200, "web");

        assertThat(pods.updateForMetadata(pod("shop", "web")).name()).isEqualTo("web");

        ApiRequest request = transport.onlyRequest();
        assertThat(request.describe()).isEqualTo("PUT /api/v1/namespaces/shop/pods/web");
        assertThat(request.accept()).startsWith("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,");
        assertThat(bodyText()).isEqualTo("web");
    }

    @Test
    void prepareCreate_refused_isTheServersError() {
        transport.answer(403, "Forbidden");

        PreparedCreate creation = pods.prepareCreate(pod("shop", "web"));

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(creation::create)
                .satisfies(e -> assertThat(e.code()).isEqualTo(403));
    }

    @Test
    void update_object_putsToItsPath() {
        transport.answer(200, "web");
        pods.update(pod("shop", "web"));
        assertThat(transport.onlyRequest().describe()).isEqualTo("PUT /api/v1/namespaces/shop/pods/web");
    }

    @Test
    void updateStatus_object_putsToTheSubresource() {
        // RB-01
        transport.answer(200, "web");
        pods.updateStatus(pod("shop", "web"));
        assertThat(transport.onlyRequest().describe()).isEqualTo("PUT /api/v1/namespaces/shop/pods/web/status");
    }

    @Test
    void patch_apply_namesManagerAndForce() {
        transport.answer(200, "web");
        pods.patch(WEB, Patch.apply("{}", "me", true), "status");
        ApiRequest request = transport.onlyRequest();
        assertThat(request.describe()).isEqualTo("PATCH /api/v1/namespaces/shop/pods/web/status");
        assertThat(request.query()).isEqualTo(Map.of("fieldManager", "me", "force", "true"));
        assertThat(request.body().contentType()).isEqualTo("application/apply-patch+yaml");
    }

    @Test
    void delete_default_sendsNoBody() {
        transport.answer(200, "");
        pods.delete(WEB, DeleteOptions.DEFAULT);
        assertThat(transport.onlyRequest().describe()).isEqualTo("DELETE /api/v1/namespaces/shop/pods/web");
        assertThat(transport.onlyRequest().body()).isNull();
    }

    @Test
    void delete_options_areTheBody() {
        transport.answer(200, "");
        pods.delete(WEB, new DeleteOptions(0L, DeleteOptions.PropagationPolicy.ORPHAN, "u-1", "12\"3"));
        assertThat(bodyText())
                .isEqualTo("{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0,"
                        + "\"preconditions\":{\"uid\":\"u-1\",\"resourceVersion\":\"12\\\"3\"},"
                        + "\"propagationPolicy\":\"Orphan\"}");
    }

    @Test
    void watch_accepted_decodesFramesUntilTheEnd() {
        // WR-01, LW-02
        transport.answerStream(200, Map.of(), "a", "b");
        try (WatchStream<Pod> watch = pods.watch(
                "shop", ListOptionsBuilder.builder().resourceVersion("7").build())) {
            assertThat(watch.next()).isEqualTo(new WatchEvent.Added<>(pod("shop", "a")));
            assertThat(watch.next()).isEqualTo(new WatchEvent.Added<>(pod("shop", "b")));
            assertThat(watch.next()).isNull();
        }
        assertThat(transport.onlyRequest().query()).isEqualTo(Map.of("resourceVersion", "7", "watch", "true"));
    }

    @Test
    void watch_refused_throwsAndClosesTheStream() {
        // WR-03
        transport.answerStream(410, Map.of(), "Expired");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.watch("shop", ListOptions.NONE))
                .matches(ApiException::isExpired)
                .withMessage("GET /api/v1/namespaces/shop/pods: 410 Expired: said the server");
    }

    @Test
    void watch_refusedWithoutBody_throwsByTheCode() {
        // RR-01
        transport.answerStream(403, Map.of());
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.watch("shop", ListOptions.NONE))
                .matches(ApiException::isForbidden);
    }

    @Test
    void listerWatcher_selectors_areAddedToEveryRequest() {
        // LW-01, LW-02
        ListerWatcher<Pod> source = pods.listerWatcher("shop", "app=web", "spec.nodeName=n1");
        transport.answer(200, "a");
        source.list(ListOptionsBuilder.builder().resourceVersion("0").build());
        assertThat(transport.onlyRequest().query())
                .isEqualTo(Map.of(
                        "labelSelector", "app=web", "fieldSelector", "spec.nodeName=n1", "resourceVersion", "0"));
    }

    @Test
    void conflict_code409_isConflictButNotAlreadyExists() {
        // RR-05
        transport.answer(409, "Conflict");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.update(pod("shop", "web")))
                .matches(ApiException::isConflict)
                .matches(e -> !e.isAlreadyExists());
        assertThat(transport.onlyRequest().method()).isEqualTo("PUT");
    }

    @Test
    void alreadyExists_code409_isNotAConflict() {
        // RR-02, RR-05
        transport.answer(409, "AlreadyExists");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.create(pod("shop", "web")))
                .matches(ApiException::isAlreadyExists)
                .matches(e -> !e.isConflict());
    }

    @Test
    void conflictWithoutStatus_ofACreation_isAlreadyExists_ofAnUpdate_aConflict() {
        // RR-01
        transport.answer(409, StatusReason.UNEXPECTED_SERVER_RESPONSE);
        transport.answer(409, StatusReason.UNEXPECTED_SERVER_RESPONSE);

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.create(pod("shop", "web")))
                .withMessage("POST /api/v1/namespaces/shop/pods: 409 AlreadyExists: a page")
                .matches(ApiException::isAlreadyExists);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.update(pod("shop", "web")))
                .matches(ApiException::isConflict)
                .matches(e -> !e.isAlreadyExists());
    }

    @Test
    void tooManyRequests_header_saysHowLongToWait() {
        // RR-01
        transport.answer(429, Map.of("retry-after", List.of("3")), "TooManyRequests");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.get(WEB))
                .matches(ApiException::isTooManyRequests)
                .matches(e -> Duration.ofSeconds(3).equals(e.retryAfter()));
    }

    @Test
    void reasonOfSomebodysOwnMaking_theCodeDecides() {
        // RR-05
        transport.answer(404, "NoSuchTenant");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.get(WEB))
                .matches(ApiException::isNotFound);
    }

    @Test
    void code429_isTooManyRequestsWhateverTheReason() {
        // RR-05
        transport.answer(429, "Timeout");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.get(WEB))
                .matches(ApiException::isTooManyRequests)
                .matches(ApiException::isTimeout);
    }

    @Test
    void name_missing_refusedBeforeAnythingIsSent() {
        // RB-02, RB-03
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pods.get(new ObjectName("", "web")))
                .withMessageContaining("pods");
        assertThatIllegalArgumentException().isThrownBy(() -> pods.get(new ObjectName("shop", "")));
        assertThatIllegalArgumentException().isThrownBy(() -> pods.create(pod("", "web")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"web/log", "../secrets", ".", "..", "web%2Flog", "/", "%"})
    void partOfAPathThatLeadsElsewhere_refusedBeforeAnythingIsSent(String other) {
        // RB-02
        List<ThrowingCallable> attempts = List.of(
                () -> pods.get(new ObjectName("shop", other)),
                () -> pods.get(new ObjectName(other, "web")),
                () -> pods.list(other, ListOptions.NONE),
                () -> pods.watch(other, ListOptions.NONE),
                () -> pods.create(pod(other, "web")),
                () -> pods.prepareCreate(pod(other, "web")),
                () -> pods.update(pod("shop", other)),
                () -> pods.updateStatus(pod("shop", other)),
                () -> pods.patch(new ObjectName("shop", other), Patch.merge("{}")),
                () -> pods.patch(WEB, Patch.merge("{}"), other),
                () -> pods.delete(new ObjectName("shop", other), DeleteOptions.DEFAULT));

        assertThat(attempts)
                .allSatisfy(attempt -> assertThatIllegalArgumentException()
                        .isThrownBy(attempt)
                        .withMessageMatching("(GET|POST|PUT|PATCH|DELETE) refused: .*")
                        .withMessageContaining("\"" + other + "\" of pods would lead elsewhere: it may not "));
        assertThat(transport.requests()).isEmpty();
    }

    @Test
    void nameThatLeadsElsewhere_theErrorSaysWhatWasAttemptedWithWhat() {
        // RB-02
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pods.delete(new ObjectName("shop", "web/%"), DeleteOptions.DEFAULT))
                .withMessage("DELETE refused: the name \"web/%\" of pods would lead elsewhere: it may not contain '/',"
                        + " and it may not contain '%'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", "a..b", "system:node", "café", "a b"})
    void nameThatIsUnusual_isTheServersToRefuse(String name) {
        // RB-02
        transport.answer(200, name);
        pods.get(new ObjectName("shop", name));
        assertThat(transport.onlyRequest().path()).isEqualTo("/api/v1/namespaces/shop/pods/" + name);
    }

    @Test
    void close_client_closesTheTransport() {
        client.close();
        assertThat(transport.isClosed()).isTrue();
    }
}
