/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpec;
import io.kubeloop.api.coordination.LeaseSpecBuilder;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ObjectTransform;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    /** Never finishes its syncs. */
    private record Busy(AtomicReference<Duration> waited) implements Controller {

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
    }

    private ControllerManager.Builder busy(AtomicReference<Duration> waited, Duration stopTimeout) {
        return ControllerManager.builder(client)
                .controller(ControllerDescriptor.of("busy", 1, context -> new Busy(waited)))
                .controllers("busy")
                .stopTimeout(stopTimeout);
    }

    @Test
    void close_waitsForTheSyncsAsLongAsTheStopTimeout_zeroForNoLimit() {
        AtomicReference<Duration> waited = new AtomicReference<>(Duration.ZERO);
        busy(waited, Duration.ofHours(1)).start().close();
        assertThat(waited.get()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        busy(waited, Duration.ZERO).start().close();
        assertThat(waited.get()).isGreaterThan(Duration.ofDays(1000));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stopTimeoutThatRunsOut_isAFailure_asInTheOriginal(boolean elected) {
        ControllerManager.Builder builder = busy(new AtomicReference<>(), Duration.ofSeconds(1));
        AtomicReference<Boolean> started = new AtomicReference<>(false);
        builder.listener(new ControllerManager.Listener() {
            @Override
            public void onStarted(ControllerManager manager) {
                started.set(true);
            }
        });
        try (ControllerManager manager = (elected ? builder.lease(LEASE) : builder).start()) {
            await().until(started::get);
            manager.requestEnd();
            assertThatThrownBy(manager::awaitEnd)
                    .isInstanceOf(ControllerException.class)
                    .hasMessage("controller shutdown timeout reached: busy still running after 1 s");
        }
    }

    private ControllerManager startedInSteps(ManualScheduler clock, Queue<String> started) {
        Iterator<Double> numbers = List.of(0.5, 0.0).iterator();
        ControllerManager.Builder builder = ControllerManager.builder(client);
        for (String name : List.of("first", "second")) {
            builder.controller(ControllerDescriptor.of(name, 1, context -> {
                if (name.equals("first")) {
                    throw new IllegalStateException("no configuration");
                }
                started.add(name);
                return new Busy(new AtomicReference<>());
            }));
        }
        return builder.controllers("first", "second")
                .informers(InformerConfig.DEFAULT.withThreads(body -> {
                    Thread thread = new Thread(body);
                    thread.setUncaughtExceptionHandler((from, error) -> {});
                    return thread;
                }))
                .time(new ControllerTime(Clock.systemUTC(), clock, numbers::next))
                .startInterval(Duration.ofSeconds(10))
                .start();
    }

    /** The random parts of the pauses are 5 s and 0. The controller that is due first is the second of the table. */
    @Test
    void startInterval_isBeforeEachController_andAFailureEndsTheManager() {
        ManualScheduler clock = new ManualScheduler();
        Queue<String> started = new ConcurrentLinkedQueue<>();
        try (ControllerManager manager = startedInSteps(clock, started)) {
            clock.advance(Duration.ofMillis(9_999));
            assertThat(manager.controllers()).isEmpty();
            clock.advance(Duration.ofMillis(1));
            await().until(() -> manager.controllers().equals(List.of("second")));
            clock.advance(Duration.ofSeconds(5));
            assertThatThrownBy(manager::awaitEnd)
                    .hasMessage("the thread kubeloop-controller-start failed:"
                            + " java.lang.IllegalStateException: no configuration");
        }
        assertThat(started).containsExactly("second");
    }

    @Test
    void close_duringTheStarts_startsNoMore() {
        ManualScheduler clock = new ManualScheduler();
        Queue<String> started = new ConcurrentLinkedQueue<>();
        ControllerManager manager = startedInSteps(clock, started);
        manager.close();
        clock.advance(Duration.ofSeconds(20));
        assertThat(started).isEmpty();
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
                    .hasMessageEndingWith(" failed: java.lang.OutOfMemoryError: scripted: Java heap space");
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

    /** The holder renews meanwhile, so it may take more than one try. */
    private static void take(ResourceClient<Lease> leases) {
        await().ignoreExceptions().until(() -> {
            Lease held = leases.get(LEASE);
            leases.update(held.withSpec(LeaseSpecBuilder.builder(held.spec())
                    .holderIdentity("another")
                    .build()));
            return true;
        });
    }

    /** The definition of a resource of kube-apiserver that the embedded server does not have. */
    private void defineCandidates() {
        var definitions = ResourceTypes.generic(
                "apiextensions.k8s.io",
                "v1",
                "customresourcedefinitions",
                "CustomResourceDefinition",
                ResourceType.Scope.CLUSTER);
        client.resource(definitions)
                .create(GenericObject.of(
                                "apiextensions.k8s.io/v1",
                                "CustomResourceDefinition",
                                ObjectMetaBuilder.builder()
                                        .name("leasecandidates.coordination.k8s.io")
                                        .annotations(Map.of("api-approved.kubernetes.io", "unapproved, for a test"))
                                        .build())
                        .with(
                                List.of("spec"),
                                Map.of(
                                        "group",
                                        "coordination.k8s.io",
                                        "scope",
                                        "Namespaced",
                                        "names",
                                        Map.of(
                                                "plural", "leasecandidates",
                                                "kind", "LeaseCandidate",
                                                "singular", "leasecandidate",
                                                "listKind", "LeaseCandidateList"),
                                        "versions",
                                        List.of(Map.of(
                                                "name",
                                                "v1beta1",
                                                "served",
                                                true,
                                                "storage",
                                                true,
                                                "schema",
                                                Map.of(
                                                        "openAPIV3Schema",
                                                        Map.of(
                                                                "type",
                                                                "object",
                                                                "x-kubernetes-preserve-unknown-fields",
                                                                true)))))));
    }

    /** As kube-apiserver does. The fields of the election, which the embedded server drops, are in LeaseLockTest. */
    private void assign(String holder) {
        LeaseSpec spec = LeaseSpecBuilder.builder()
                .holderIdentity(holder)
                .leaseDurationSeconds(15)
                .build();
        client.resource(ResourceTypes.LEASES).create(Lease.of(ObjectMeta.named(LEASE.namespace(), LEASE.name()), spec));
    }

    @Test
    void coordinatedElection_appliesByAnObject_answersPings_andLeadsWhenItIsNamed() throws Exception {
        defineCandidates();
        ResourceClient<GenericObject> candidates = client.resource(LeaseCandidate.TYPE);
        ObjectName name = new ObjectName("kube-system", "one");
        try (ControllerManager manager =
                candidate().identity("one").coordinated("1.36.3", "1.35.0").start()) {
            await().ignoreExceptions().until(() -> candidates.get(name) != null);
            GenericObject applied = candidates.get(name);
            assertThat(applied.string("spec", "leaseName")).isEqualTo(LEASE.name());
            assertThat(applied.string("spec", "binaryVersion")).isEqualTo("1.36.3");
            assertThat(applied.string("spec", "emulationVersion")).isEqualTo("1.35.0");
            assertThat(applied.string("spec", "strategy")).isEqualTo("OldestEmulationVersion");

            String ping = "2999-01-01T00:00:00.000000Z"; // later than any renewal
            candidates.update(applied.with(List.of("spec", "pingTime"), ping));
            String before = applied.string("spec", "renewTime");
            await().until(() ->
                    !candidates.get(name).string("spec", "renewTime").equals(before));

            assertThat(manager.isLeading()).isFalse();
            assign("one");
            await().until(manager::isLeading);
            await().until(() -> badgeClient.get() != null);
            take(client.resource(ResourceTypes.LEASES));
            assertThatThrownBy(manager::awaitEnd)
                    .isInstanceOf(ControllerException.class)
                    .hasMessageStartingWith("lost the lease");
        }
    }
}
