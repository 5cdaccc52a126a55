/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RootCaPublisherTest {

    private static final String TOTAL = "root_ca_cert_publisher_sync_total";
    private static final String SECONDS = "root_ca_cert_publisher_sync_duration_seconds";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final KubeClient refused =
            KubeClient.of(new FirstCreationRefused(server.transport()), JsonCodec.standard());
    private final SharedInformerFactory informers = SharedInformers.factory(client);
    private final FakeMetrics metrics = new FakeMetrics();
    private final RootCaPublisher publisher = RootCaPublisher.of(
            new ControllerContext(
                    component -> refused,
                    informers,
                    Clock.systemUTC(),
                    Thread::new,
                    WorkQueueConfig::named,
                    component -> EventRecorder.NONE,
                    metrics),
            "certificate");

    /** Responses the first creation of a config map with 403. */
    private record FirstCreationRefused(Transport delegate, AtomicBoolean isFirst) implements Transport {

        FirstCreationRefused(Transport delegate) {
            this(delegate, new AtomicBoolean(true));
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (!request.method().equals("POST") || !isFirst.getAndSet(false)) {
                return delegate.execute(request);
            }
            return new ApiResponse(
                    403, Map.of("content-type", List.of(ApiRequest.JSON)), new ByteArrayInputStream("""
                            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",\
                            "code":403}""".getBytes(
                                    StandardCharsets.UTF_8)));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return delegate.stream(request);
        }

        @Override
        public void close() {
            delegate.close();
        }
    }

    @AfterEach
    void close() {
        publisher.close();
        informers.close();
        client.close();
        server.close();
    }

    @Test
    void newNamespace_getsTheCertificate_andEachSyncIsCountedByItsCode() {
        publisher.start(1);
        informers.start();
        Awaitility.await("the first namespace").atMost(Duration.ofMinutes(1)).until(() -> count("200") > 0);

        client.resource(ResourceTypes.NAMESPACES)
                .create(JsonCodec.standard()
                        .decode(
                                ResourceTypes.NAMESPACES,
                                new ByteArrayInputStream(
                                        "{\"metadata\":{\"name\":\"shop\"}}".getBytes(StandardCharsets.UTF_8))));

        ObjectName name = new ObjectName("shop", RootCaPublisher.CONFIG_MAP);
        Awaitility.await("the config map")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(
                                client.resource(ResourceTypes.CONFIG_MAPS).get(name))
                        .extracting(ConfigMap::data)
                        .isEqualTo(Map.of("ca.crt", "certificate")));
        assertThat(count("403")).isEqualTo(1);
        assertThat(metrics.values()).containsKeys(SECONDS + "[200]", SECONDS + "[403]");
    }

    private double count(String code) {
        return metrics.values().getOrDefault(TOTAL + "[" + code + "]", 0.0);
    }
}
