/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpecBuilder;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ObjectTransform;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager that runs a controller of one's own beside Kubernetes'. */
@Timeout(60)
class ControllerManagerTest {

    private static final String BADGES = "badge-controller";
    private static final String ACCOUNTS = "serviceaccount-controller";
    private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final AtomicReference<KubeClient> badgeClient = new AtomicReference<>();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void close_waitsForTheSyncsAsLongAsTheStopTimeout() {
        AtomicReference<Duration> waited = new AtomicReference<>(Duration.ZERO);
        Controller busy = new Controller() {
            @Override
            public String name() {
                return "busy";
            }

            @Override
            public void start(int workers) {}

            @Override
            public void shutDown() {}

            @Override
            public boolean awaitTermination(Duration atMost) {
                waited.set(atMost);
                return false;
            }
        };
        ControllerManager.builder(client)
                .controller(ControllerDescriptor.of("busy", 1, context -> busy))
                .controllers("busy")
                .stopTimeout(Duration.ofHours(1))
                .start()
                .close();
        assertThat(waited.get()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    /** Keeps a config map of the same name for each service account. */
    private Controller badges(ControllerContext context) {
        KubeClient own = context.clients().apply(BADGES);
        badgeClient.set(own);
        var maps = context.informers().informer(ResourceTypes.CONFIG_MAPS);
        var accounts = context.informers().informer(ResourceTypes.SERVICE_ACCOUNTS);
        return ControllerLoop.forKeys(
                "badge",
                context,
                key -> {
                    if (accounts.lister().get(key) != null && maps.lister().get(key) == null) {
                        own.resource(ResourceTypes.CONFIG_MAPS).create(map(key));
                    }
                },
                maps,
                accounts);
    }

    private static ConfigMap map(ObjectName name) {
        return ConfigMap.of(ObjectMeta.named(name.namespace(), name.name()), Map.of());
    }

    private ControllerManager.Builder manager(String... controllers) {
        return ControllerManager.builder(client)
                .controller(ControllerDescriptor.of(BADGES, 1, this::badges))
                .controllers(controllers);
    }

    private ControllerManager.Builder candidate() {
        return manager(BADGES)
                .lease(LEASE)
                .election(config ->
                        config.withDurations(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(50)));
    }

    private boolean hasBadge(String name) {
        return client.resource(ResourceTypes.CONFIG_MAPS).list("default", ListOptions.NONE).items().stream()
                .anyMatch(map -> map.metadata().name().equals(name));
    }

    private boolean isLed() {
        return client.resource(ResourceTypes.LEASES).list("kube-system", ListOptions.NONE).items().stream()
                .anyMatch(lease -> !lease.spec().holderIdentity().isEmpty());
    }

    @Test
    void start_runsOwnAndBuiltInControllersTogether() {
        try (ControllerManager manager = manager(ACCOUNTS, BADGES).start()) {
            // Kubernetes' controller creates the account, the own one its badge.
            await().until(() -> hasBadge("default"));
            assertThat(manager.controllers()).containsExactly(ACCOUNTS, BADGES);
            assertThat(manager.informers().health()).isNotEmpty();
            assertThat(manager.elector()).isEmpty();
        }
    }

    @Test
    void star_includesTheOwnController_andAMinusExcludesIt() {
        try (ControllerManager all = manager("*").start();
                ControllerManager most = manager("*", "-" + BADGES).start()) {
            assertThat(all.controllers()).contains(BADGES).doesNotContain("token-cleaner-controller");
            assertThat(most.controllers()).contains(ACCOUNTS).doesNotContain(BADGES);
        }
    }

    @Test
    void controller_withATakenOrUnusableName_isRejected() {
        ControllerTable table = ControllerTable.BUILT_IN;
        ControllerDescriptor alias = ControllerDescriptor.of("namespace", 1, this::badges);
        assertThatThrownBy(() -> table.with(alias)).hasMessage("two controllers are called namespace");
        for (String name : new String[] {"", "*", "-badge", "a,b"}) {
            assertThatThrownBy(() -> ControllerDescriptor.of(name, 1, this::badges))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> manager("badge").start())
                .hasMessageStartingWith("\"badge\" is not in the list of known controllers");
    }

    @Test
    void start_initializerThatFails_leavesNothingRunning() {
        ControllerManager.Builder broken = manager(ACCOUNTS, "broken-controller")
                .controller(ControllerDescriptor.of("broken-controller", 1, context -> {
                    throw new IllegalStateException("no configuration");
                }));
        assertThatThrownBy(broken::start).hasMessage("no configuration");
    }

    /** Runs out of memory on every object. */
    private static final class FullHeap implements ObjectTransform {
        @Override
        public <T extends KubeObject> T apply(T object) {
            throw new OutOfMemoryError("scripted: Java heap space");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void informerThatFails_endsTheManager_withItsError(boolean elected) {
        ControllerManager.Builder failing = (elected ? candidate() : manager(BADGES))
                .informers(InformerConfig.DEFAULT.withTransform(new FullHeap()).withThreads(body -> {
                    Thread thread = new Thread(body);
                    thread.setUncaughtExceptionHandler((from, error) -> {}); // the default one writes a stack trace
                    return thread;
                }));
        client.resource(ResourceTypes.CONFIG_MAPS).create(map(new ObjectName("default", "any")));
        try (ControllerManager manager = failing.start()) {
            assertThatThrownBy(manager::awaitEnd)
                    .isInstanceOf(ControllerException.class)
                    .hasMessageContaining("kubeloop-reflector-")
                    .hasMessageEndingWith(
                            "of an informer failed: java.lang.OutOfMemoryError: scripted: Java heap space");
        }
        assertThat(isLed()).isFalse();
    }

    @Test
    void lease_handedOver_letsTheNextManagerAct() throws InterruptedException {
        ControllerManager first = candidate().start();
        await().until(this::isLed);
        try (ControllerManager second = candidate().start()) {
            assertThat(second.isLeading()).isFalse();
            assertThatThrownBy(second::informers).isInstanceOf(IllegalStateException.class);
            first.requestEnd();
            first.awaitEnd();
            first.close();
            client.resource(ResourceTypes.SERVICE_ACCOUNTS)
                    .create(ServiceAccount.of(ObjectMeta.named("default", "robot")));
            await().until(() -> hasBadge("robot"));
            assertThat(second.controllers()).containsExactly(BADGES);
        }
    }

    @Test
    void lease_lost_endsTheManager_andNoControllerWrites() {
        ControllerManager manager = candidate().start();
        try (manager) {
            await().until(() -> badgeClient.get() != null);
            take(client.resource(ResourceTypes.LEASES));
            assertThatThrownBy(manager::awaitEnd)
                    .isInstanceOf(ControllerException.class)
                    .hasMessageStartingWith("lost the lease " + LEASE);
            ResourceClient<ConfigMap> maps = badgeClient.get().resource(ResourceTypes.CONFIG_MAPS);
            assertThatThrownBy(() -> maps.create(map(new ObjectName("default", "late"))))
                    .isInstanceOf(TransportException.class);
        }
        assertThat(hasBadge("late")).isFalse();
    }

    /** The holder renews meanwhile, so that it may take more than one try. */
    private static void take(ResourceClient<Lease> leases) {
        await().ignoreExceptions().until(() -> {
            Lease held = leases.get(LEASE);
            leases.update(held.withSpec(LeaseSpecBuilder.builder(held.spec())
                    .holderIdentity("another")
                    .build()));
            return true;
        });
    }
}
