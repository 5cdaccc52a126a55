/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import static io.kubeloop.controller.certificates.TestAuthority.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;
import io.kubeloop.api.certificates.CertificateSigningRequestSpecBuilder;
import io.kubeloop.api.certificates.CertificateSigningRequestStatus;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.ThreadLeakCheck;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.ByteArrayInputStream;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(ThreadLeakCheck.class)
@SuppressWarnings("try") // A controller works by being there: the body need not name it.
class CertificateControllersTest {

    private static final KeyPair KEYS = TestAuthority.elliptic();
    private static final CertificateAuthority AUTHORITY = TestAuthority.authority(TestAuthority.elliptic());

    private final ManualClock clock = new ManualClock(NOW);
    private final ManualScheduler alarms = new ManualScheduler();
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ResourceClient<CertificateSigningRequest> requests =
            client.resource(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS);

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run(Function<ControllerContext, ? extends Controller> controller) {
        return ControllerRunner.builder(client)
                .time(new ControllerTime(clock, alarms, () -> 0))
                .queues(name -> WorkQueueConfig.named(name).withScheduler(alarms))
                .controller(controller)
                .start();
    }

    private CertificateSigningRequest create(String name, BuiltInSigner signer, String subject, String... usages) {
        return requests.create(new CertificateSigningRequest(
                ObjectMeta.named("", name),
                CertificateSigningRequestSpecBuilder.builder()
                        .request(TestAuthority.base64(TestAuthority.request(KEYS, subject)))
                        .signerName(signer.signerName())
                        .usages(List.of(usages))
                        .build(),
                CertificateSigningRequestStatus.EMPTY,
                UnknownFields.NONE));
    }

    private CertificateSigningRequest decide(CertificateSigningRequest request, String type) {
        return requests.updateSubresource(
                request.withStatus(
                        request.status().plus(CertificateSigningRequestCondition.of(type, "Test", "", null))),
                "approval");
    }

    private CertificateSigningRequest get(String name) {
        return requests.get(new ObjectName("", name));
    }

    @Test
    void signing_approvedRequest_getsACertificate_rejectedOneFails() throws Exception {
        try (ControllerRunner ignored =
                run(context -> CertificateSigningController.of(context, SigningConfig.of(() -> AUTHORITY)))) {
            decide(create("good", BuiltInSigner.API_SERVER_CLIENT, "O=devs,CN=jane", "client auth"), "Approved");
            decide(create("bad", BuiltInSigner.API_SERVER_CLIENT, "CN=jane", "server auth"), "Approved");
            create("open", BuiltInSigner.API_SERVER_CLIENT, "CN=jane", "client auth");
            decide(create("denied", BuiltInSigner.API_SERVER_CLIENT, "CN=jane", "client auth"), "Denied");

            await().untilAsserted(
                            () -> assertThat(get("good").status().certificate()).isNotEmpty());
            await().untilAsserted(
                            () -> assertThat(get("bad").status().conditions()).hasSize(2));
        }

        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(
                        Base64.getDecoder().decode(get("good").status().certificate())));
        certificate.verify(AUTHORITY.certificate().getPublicKey());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=jane,O=devs");
        assertThat(certificate.getNotAfter().toInstant())
                .isEqualTo(NOW.plus(Duration.ofDays(365)).minus(Duration.ofMinutes(5)));
        CertificateSigningRequestCondition failure =
                get("bad").status().conditions().get(1);
        assertThat(failure.type()).isEqualTo("Failed");
        assertThat(failure.reason()).isEqualTo("SignerValidationFailure");
        assertThat(failure.message()).isEqualTo("invalid usage for client certificate: server auth");
        assertThat(get("open").status().certificate()).isEmpty();
        assertThat(get("denied").status().certificate()).isEmpty();
    }

    @Test
    void signing_signerWithoutAuthority_leavesTheRequest() {
        SigningConfig config =
                new SigningConfig(Map.of(BuiltInSigner.API_SERVER_CLIENT, () -> AUTHORITY), Duration.ofHours(2));
        try (ControllerRunner ignored = run(context -> CertificateSigningController.of(context, config))) {
            decide(
                    create(
                            "kubelet",
                            BuiltInSigner.KUBELET_CLIENT,
                            "O=system:nodes,CN=system:node:n1",
                            "client auth",
                            "digital signature"),
                    "Approved");
            decide(create("client", BuiltInSigner.API_SERVER_CLIENT, "CN=jane", "client auth"), "Approved");

            await().untilAsserted(() ->
                    assertThat(get("client").status().certificate()).isNotEmpty());
        }
        assertThat(get("kubelet").status().certificate()).isEmpty();
    }

    @Test
    void approving_kubelet_isApprovedAfterTheReview_othersWait() {
        try (ControllerRunner ignored = run(CertificateApprovingController::of)) {
            create("jane", BuiltInSigner.API_SERVER_CLIENT, "CN=jane", "client auth");
            create(
                    "serving",
                    BuiltInSigner.KUBELET_SERVING,
                    "O=system:nodes,CN=system:node:n1",
                    "server auth",
                    "digital signature");
            create(
                    "kubelet",
                    BuiltInSigner.KUBELET_CLIENT,
                    "O=system:nodes,CN=system:node:n1",
                    "client auth",
                    "digital signature");

            await().untilAsserted(() ->
                    assertThat(get("kubelet").status().conditions()).hasSize(1));
        }
        CertificateSigningRequestCondition approval =
                get("kubelet").status().conditions().get(0);
        assertThat(approval.type()).isEqualTo("Approved");
        assertThat(approval.reason()).isEqualTo("AutoApproved");
        assertThat(approval.message())
                .isEqualTo("Auto approving kubelet client certificate after SubjectAccessReview.");
        assertThat(approval.lastUpdateTime()).isNotNull();
        assertThat(get("jane").status().conditions()).isEmpty();
        assertThat(get("serving").status().conditions()).isEmpty();
    }

    private List<String> names() {
        return requests.list("", ListOptions.NONE).items().stream()
                .map(request -> request.metadata().name())
                .sorted()
                .toList();
    }

    /** The virtual clock moves both what the requests are compared with and what the rounds wait for. */
    private void pass(Duration time) {
        clock.advance(time);
        alarms.advance(time);
    }

    @Test
    void cleaner_deletesWhatNobodyNeeds_inItsRounds() {
        decide(create("denied", BuiltInSigner.API_SERVER_CLIENT, "CN=a", "client auth"), "Denied");
        decide(create("unsigned", BuiltInSigner.API_SERVER_CLIENT, "CN=a", "client auth"), "Approved");
        create("pending", BuiltInSigner.API_SERVER_CLIENT, "CN=a", "client auth");
        CertificateSigningRequest signed =
                decide(create("signed", BuiltInSigner.API_SERVER_CLIENT, "CN=a", "client auth"), "Approved");
        byte[] certificate = AUTHORITY.issue(
                CertificateRequest.parse(TestAuthority.request(KEYS, "CN=a")),
                List.of("client auth"),
                Duration.ofDays(1),
                NOW);
        requests.updateStatus(signed.withStatus(
                signed.status().withCertificate(Base64.getEncoder().encodeToString(certificate))));

        try (ControllerRunner ignored = run(CertificateCleanerController::of)) {
            pass(Duration.ofMinutes(59));
            assertThat(names()).containsExactly("denied", "pending", "signed", "unsigned");
            passUntil(List.of("pending", "unsigned"), Duration.ofHours(3));
            passUntil(List.of(), Duration.ofHours(26));
        }
    }

    /** Lets an hour pass again and again, until the rounds have left these requests. */
    private void passUntil(List<String> left, Duration atMost) {
        Instant end = clock.instant().plus(atMost);
        await().untilAsserted(() -> {
            if (!names().equals(left) && clock.instant().isBefore(end)) {
                pass(Duration.ofHours(1));
            }
            assertThat(names()).isEqualTo(left);
        });
    }
}
