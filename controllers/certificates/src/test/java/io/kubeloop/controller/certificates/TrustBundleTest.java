/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bundle of the API server's authorities, and old requests of pods. */
@Timeout(60)
@SuppressWarnings("try") // a controller works by being there
class TrustBundleTest {

    private static final String BUNDLES = "/apis/certificates.k8s.io/v1/clustertrustbundles";
    private static final String PODS = "/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests";

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final ManualScheduler alarms = new ManualScheduler();
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final Requests requests = new Requests(server.transport());
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());

    @AfterEach
    void close() {
        server.close();
    }

    private List<String> names() {
        return requests.get(BUNDLES)
                .body()
                .array("items")
                .objects()
                .map(bundle -> bundle.string("metadata", "name"))
                .toList();
    }

    /** The name is that of kube-controller-manager 1.37.2 for the same file. */
    @Test
    void name_endsWithTheHashOfTheBundle() {
        assertThat(TrustBundlePublisher.name("hello\n"))
                .isEqualTo("kubernetes.io:kube-apiserver-serving:5891b5b522d5df086d0ff0b1");
    }

    @Test
    void bundle_isKept_andReplacesThoseOfEarlierAuthorities() {
        String first = pem();
        String second = pem();
        try (ControllerRunner ignored = run(first)) {
            await().until(() -> names().equals(List.of(TrustBundlePublisher.name(first))));
            assertThat(requests.get(BUNDLES)
                            .body()
                            .array("items")
                            .objects()
                            .findFirst()
                            .orElseThrow()
                            .object("spec"))
                    .satisfies(spec -> {
                        assertThat(spec.string("signerName")).isEqualTo("kubernetes.io/kube-apiserver-serving");
                        assertThat(spec.string("trustBundle")).isEqualTo(first);
                    });

            requests.delete(BUNDLES + "/" + TrustBundlePublisher.name(first)).ok();
            await().until(() -> names().equals(List.of(TrustBundlePublisher.name(first))));
        }
        requests.post(
                        BUNDLES,
                        "{'metadata':{'name':'mine'},'spec':{'trustBundle':'" + first.replace("\n", "\\n") + "'}}")
                .ok();
        try (ControllerRunner ignored = run(second)) {
            await().until(() -> names().equals(List.of(TrustBundlePublisher.name(second), "mine")));
        }
    }

    private static String pem() {
        return TestAuthority.certificate(TestAuthority.elliptic(), "CN=ca", Duration.ofDays(1));
    }

    /** Returns the bytes of a PEM block in base64. */
    private static String der(String pem) {
        return pem.lines().filter(line -> !line.startsWith("-----")).collect(Collectors.joining());
    }

    private ControllerRunner run(String bundle) {
        return ControllerRunner.builder(client)
                .controller(context -> Objects.requireNonNull(TrustBundlePublisher.of(context, bundle)))
                .start();
    }

    @Test
    void requestsOfPods_areDeletedAfterAQuarterOfAnHour() {
        requests.post(
                        PODS,
                        "{'metadata':{'name':'old'},'spec':{'signerName':'example.com/s','podName':'p','podUID':'u',"
                                + "'serviceAccountName':'a',"
                                + "'serviceAccountUID':'v','nodeName':'n','nodeUID':'w','stubPKCS10Request':'"
                                + der(TestAuthority.request(TestAuthority.elliptic(), "CN=x")) + "'}}")
                .ok();
        try (ControllerRunner ignored = ControllerRunner.builder(client)
                .time(new ControllerTime(clock, alarms, () -> 0))
                .queues(name -> WorkQueueConfig.named(name).withScheduler(alarms))
                .controller(PodCertificateCleanerController::of)
                .start()) {
            clock.advance(Duration.ofMinutes(14));
            alarms.advance(Duration.ofMinutes(5));
            assertThat(requests.get(PODS).body().array("items").size()).isEqualTo(1);

            clock.advance(Duration.ofMinutes(1));
            await().until(() -> {
                alarms.advance(Duration.ofMinutes(5));
                return requests.get(PODS).body().array("items").isEmpty();
            });
        }
    }
}
