/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.Faults;
import io.kubeloop.controlplane.SimulatedClock;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@KubeloopTest(manifests = "manifests/widgets.yaml")
class InjectionTest {

    @KubeloopTest(nodes = 0)
    private static ControlPlane other;

    @KubeloopTest
    private KubeClient own;

    @Test
    void parameter_hasEachPart(
            KubeClient client, ControlPlane plane, TestCluster cluster, SimulatedClock clock, Faults faults) {
        assertThat(client).isSameAs(cluster.client());
        assertThat(plane).isSameAs(cluster.plane()).isNotSameAs(other);
        assertThat(clock).isSameAs(plane.clock());
        assertThat(faults).isSameAs(plane.faults());
        assertThat(own).isNotSameAs(client);
    }

    @Test
    void manifests_areApplied(KubeClient client) throws IOException {
        try (ApiResponse widget = client.transport()
                .execute(ApiRequest.get("/apis/example.com/v1/namespaces/default/widgets/first", Map.of()))) {
            assertThat(widget.code()).isEqualTo(200);
            assertThat(new String(widget.body().readAllBytes(), UTF_8)).contains("\"size\":3");
        }
    }

    @Test
    void unknownField_isRejected(KubeClient client) {
        try (ApiResponse refused = client.transport()
                .execute(ApiRequest.of(
                        "POST",
                        "/api/v1/namespaces",
                        Map.of(),
                        ApiRequest.Body.json("{\"metadata\":{\"name\":\"a\"},\"spek\":{}}".getBytes(UTF_8))))) {
            assertThat(refused.code()).isEqualTo(400);
        }
    }

    @Test
    void informers_showTheServer(SharedInformerFactory informers, SimulatedClock clock) {
        SharedInformer<Namespace> namespaces = informers.informer(ResourceTypes.NAMESPACES);
        informers.start();
        clock.awaitQuiet();

        assertThat(namespaces.lister().get(new ObjectName("", "default"))).isNotNull();
    }

    @Test
    void uri_servesHttp(URI uri, TestKubeconfig kubeconfig) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                uri.resolve("/api/v1/namespaces/default").toURL().openConnection();
        assertThat(connection.getResponseCode()).isEqualTo(200);
        assertThat(kubeconfig.text()).contains(uri.toString());
        assertThat(Files.readString(kubeconfig.file())).isEqualTo(kubeconfig.text());
    }

    @Nested
    class Inner {

        @Test
        void nestedClass_hasTheSettingsOfTheOuter(KubeClient client, TestCluster cluster) {
            assertThat(client).isSameAs(cluster.client());
        }
    }
}
