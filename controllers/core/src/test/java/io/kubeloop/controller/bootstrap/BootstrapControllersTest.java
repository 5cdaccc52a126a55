/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Secret;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(ThreadLeakCheck.class)
@SuppressWarnings("try") // A controller works by being there: the body need not name it.
class BootstrapControllersTest {

    private static final String TYPE = "bootstrap.kubernetes.io/token";
    private static final ObjectName CLUSTER_INFO = new ObjectName("kube-public", "cluster-info");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final ManualScheduler alarms = new ManualScheduler();
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ResourceClient<Secret> secrets = client.resource(ResourceTypes.SECRETS);
    private final ResourceClient<ConfigMap> configMaps = client.resource(ResourceTypes.CONFIG_MAPS);

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

    private void create(String namespace, String name, String type, Map<String, String> data) {
        Secret secret = Secret.of(ObjectMeta.named(namespace, name), type, Map.of());
        for (Map.Entry<String, String> entry : data.entrySet()) {
            secret = secret.withBytes(entry.getKey(), entry.getValue().getBytes(StandardCharsets.UTF_8));
        }
        secrets.create(secret);
    }

    private static Map<String, String> token(String id, String signs, String expiration) {
        return Map.of(
                "token-id", id,
                "token-secret", "0123456789abcdef",
                "usage-bootstrap-signing", signs,
                "expiration", expiration);
    }

    private Set<String> secretNames() {
        return secrets.list("kube-system", ListOptions.NONE).items().stream()
                .map(secret -> secret.metadata().name())
                .collect(Collectors.toSet());
    }

    private Set<String> keys() {
        return configMaps.get(CLUSTER_INFO).data().keySet();
    }

    @Test
    void signer_tokensThatSign_haveASignature() {
        String never = "2036-01-01T00:00:00Z";
        create("kube-system", "bootstrap-token-aaaaaa", TYPE, token("aaaaaa", "true", never));
        create("kube-system", "bootstrap-token-bbbbbb", TYPE, token("bbbbbb", "false", never));
        create("kube-system", "bootstrap-token-cccccc", TYPE, token("cccccc", "true", "2020-01-01T00:00:00Z"));
        create("kube-system", "bootstrap-token-dddddd", TYPE, token("eeeeee", "true", never));
        create("kube-system", "other-ffffff", TYPE, token("ffffff", "true", never));
        create("kube-system", "bootstrap-token-gggggg", "Opaque", token("gggggg", "true", never));
        create("default", "bootstrap-token-hhhhhh", TYPE, token("hhhhhh", "true", never));
        configMaps.create(ConfigMap.of(
                ObjectMeta.named("kube-public", "cluster-info"),
                Map.of("kubeconfig", "a", "jws-kubeconfig-zzzzzz", "stale")));

        try (ControllerRunner ignored = run(BootstrapSignerController::of)) {
            await().untilAsserted(
                            () -> assertThat(keys()).containsExactlyInAnyOrder("kubeconfig", "jws-kubeconfig-aaaaaa"));
            String first = configMaps.get(CLUSTER_INFO).data().get("jws-kubeconfig-aaaaaa");

            configMaps.edit(CLUSTER_INFO, map -> map.withData(Map.of("kubeconfig", "b")));
            await().untilAsserted(() -> assertThat(configMaps.get(CLUSTER_INFO).data())
                    .containsKey("jws-kubeconfig-aaaaaa")
                    .doesNotContainValue(first));

            secrets.delete(new ObjectName("kube-system", "bootstrap-token-aaaaaa"), DeleteOptions.DEFAULT);
            await().untilAsserted(() -> assertThat(keys()).containsExactly("kubeconfig"));
        }
    }

    @Test
    void cleaner_deletesATokenWhenItExpires() {
        create("kube-system", "bootstrap-token-aaaaaa", TYPE, token("aaaaaa", "true", "2020-01-01T00:00:00Z"));
        create("kube-system", "bootstrap-token-bbbbbb", TYPE, token("bbbbbb", "true", "tomorrow"));
        create("kube-system", "bootstrap-token-cccccc", TYPE, token("cccccc", "true", "2026-01-01T01:00:00+00:00"));
        create("kube-system", "bootstrap-token-dddddd", TYPE, Map.of("token-id", "dddddd"));
        create("kube-system", "bootstrap-token-eeeeee", TYPE, token("eeeeee", "true", "9999-12-31T00:00:00Z"));
        create("kube-system", "opaque", "Opaque", token("ffffff", "true", "2020-01-01T00:00:00Z"));

        try (ControllerRunner ignored = run(TokenCleanerController::of)) {
            await().untilAsserted(() -> assertThat(secretNames())
                    .containsExactlyInAnyOrder(
                            "bootstrap-token-cccccc", "bootstrap-token-dddddd", "bootstrap-token-eeeeee", "opaque"));

            await().untilAsserted(() -> {
                clock.advance(Duration.ofMinutes(10));
                alarms.advance(Duration.ofMinutes(10));
                assertThat(secretNames())
                        .containsExactlyInAnyOrder("bootstrap-token-dddddd", "bootstrap-token-eeeeee", "opaque");
            });
        }
        assertThat(clock.instant()).isAfterOrEqualTo(Instant.parse("2026-01-01T01:00:00Z"));
    }
}
