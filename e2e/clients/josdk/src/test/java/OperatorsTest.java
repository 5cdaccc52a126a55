/* SPDX-License-Identifier: Apache-2.0 */
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.*;

import io.fabric8.kubernetes.api.model.*;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.*;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.junit.LocallyRunOperatorExtension;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.*;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Small operators on the Java Operator SDK, unmodified, each started by its JUnit extension against the server of
 * KUBECONFIG.
 */
class OperatorsTest {

    static final KubernetesClient client = new KubernetesClientBuilder().build();

    public static class Spec {
        public int size;
        public String color;
    }

    public static class Status {
        public int seen;
    }

    @Group("josdk.example.com")
    @Version("v1")
    @Kind("Toy")
    @Plural("toys")
    public static class Toy extends CustomResource<Spec, Status> implements Namespaced {}

    /** The same kind in a version that is served and not stored. */
    @Group("josdk.example.com")
    @Version(value = "v2", storage = false)
    @Kind("Toy")
    @Plural("toys")
    public static class ToyV2 extends CustomResource<Spec, Status> implements Namespaced {}

    static LocallyRunOperatorExtension run(Reconciler<?> reconciler) {
        return LocallyRunOperatorExtension.builder().withReconciler(reconciler).build();
    }

    static Toy toy(String name, int size) {
        Toy toy = new Toy();
        toy.setMetadata(new ObjectMetaBuilder().withName(name).build());
        toy.setSpec(new Spec());
        toy.getSpec().size = size;
        return toy;
    }

    /** A toy as a reconciler patches it: its name and its status. */
    static Toy seen(Toy toy, int value) {
        Toy patch = new Toy();
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(toy.getMetadata().getName())
                .withNamespace(toy.getMetadata().getNamespace())
                .build());
        patch.setStatus(new Status());
        patch.getStatus().seen = value;
        return patch;
    }

    static void resize(LocallyRunOperatorExtension operator, int size) {
        Toy toy = operator.get(Toy.class, "t");
        toy.getSpec().size = size;
        toy.getMetadata().setResourceVersion(null);
        operator.replace(toy);
    }

    static void eventually(org.awaitility.core.ThrowingRunnable check) {
        await().ignoreExceptions().atMost(Duration.ofMinutes(1)).untilAsserted(check);
    }

    // --- 1: a status patch by server-side apply

    @ControllerConfiguration
    public static class StatusReconciler implements Reconciler<Toy> {
        @Override
        public UpdateControl<Toy> reconcile(Toy toy, Context<Toy> context) {
            return UpdateControl.patchStatus(seen(toy, toy.getSpec().size));
        }
    }

    @Nested
    class StatusPatch {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new StatusReconciler());

        @Test
        void statusFollowsTheSpec() {
            operator.create(toy("t", 3));
            eventually(() -> assertEquals(3, operator.get(Toy.class, "t").getStatus().seen));
            resize(operator, 4);
            eventually(() -> assertEquals(4, operator.get(Toy.class, "t").getStatus().seen));
            assertEquals("red", operator.get(Toy.class, "t").getSpec().color);
        }
    }

    // --- 2: a finalizer and its cleaner

    @ControllerConfiguration
    public static class CleaningReconciler implements Reconciler<Toy>, Cleaner<Toy> {
        final AtomicInteger cleaned = new AtomicInteger();

        @Override
        public UpdateControl<Toy> reconcile(Toy toy, Context<Toy> context) {
            return UpdateControl.noUpdate();
        }

        @Override
        public DeleteControl cleanup(Toy toy, Context<Toy> context) {
            return cleaned.incrementAndGet() < 2
                    ? DeleteControl.noFinalizerRemoval().rescheduleAfter(100)
                    : DeleteControl.defaultDelete();
        }
    }

    @Nested
    class Finalizer {
        final CleaningReconciler reconciler = new CleaningReconciler();

        @RegisterExtension
        LocallyRunOperatorExtension operator = run(reconciler);

        @Test
        void cleanerRunsBeforeTheObjectGoes() {
            Toy made = operator.create(toy("t", 1));
            eventually(() -> assertEquals(
                    1,
                    operator.get(Toy.class, "t").getMetadata().getFinalizers().size()));
            operator.delete(made);
            eventually(() -> assertNull(operator.get(Toy.class, "t")));
            assertEquals(2, reconciler.cleaned.get());
        }
    }

    // --- 3: a dependent resource with the apply matcher, owned and collected

    @KubernetesDependent
    public static class ToyMap extends CRUDKubernetesDependentResource<ConfigMap, Toy> {
        public ToyMap() {
            super(ConfigMap.class);
        }

        @Override
        protected ConfigMap desired(Toy toy, Context<Toy> context) {
            return new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName(toy.getMetadata().getName())
                    .withNamespace(toy.getMetadata().getNamespace())
                    .endMetadata()
                    .addToData("size", String.valueOf(toy.getSpec().size))
                    .build();
        }
    }

    @Workflow(dependents = @Dependent(type = ToyMap.class))
    @ControllerConfiguration
    public static class DependentReconciler implements Reconciler<Toy> {
        final AtomicInteger runs = new AtomicInteger();

        @Override
        public UpdateControl<Toy> reconcile(Toy toy, Context<Toy> context) {
            runs.incrementAndGet();
            return UpdateControl.noUpdate();
        }
    }

    @Nested
    class DependentResource {
        final DependentReconciler reconciler = new DependentReconciler();

        @RegisterExtension
        LocallyRunOperatorExtension operator = run(reconciler);

        @Test
        void dependentIsRepairedAndCollected() throws Exception {
            Toy made = operator.create(toy("t", 1));
            eventually(() -> assertEquals(
                    "1", operator.get(ConfigMap.class, "t").getData().get("size")));
            operator.replace(new ConfigMapBuilder(operator.get(ConfigMap.class, "t"))
                    .addToData("size", "9")
                    .build());
            eventually(() -> assertEquals(
                    "1", operator.get(ConfigMap.class, "t").getData().get("size")));
            resize(operator, 2);
            eventually(() -> assertEquals(
                    "2", operator.get(ConfigMap.class, "t").getData().get("size")));
            String version = operator.get(ConfigMap.class, "t").getMetadata().getResourceVersion();
            int runs = reconciler.runs.get();
            Thread.sleep(1000);
            assertEquals(
                    version,
                    operator.get(ConfigMap.class, "t").getMetadata().getResourceVersion(),
                    "the matcher sees no difference");
            assertTrue(reconciler.runs.get() - runs <= 1);
            operator.delete(made);
            eventually(() -> assertNull(operator.get(ConfigMap.class, "t")));
        }
    }

    // --- 4: an event source of another kind, found by name

    @ControllerConfiguration
    public static class SourceReconciler implements Reconciler<Toy> {
        @Override
        public List<EventSource<?, Toy>> prepareEventSources(EventSourceContext<Toy> context) {
            var configuration = InformerEventSourceConfiguration.from(ConfigMap.class, Toy.class)
                    .withLabelSelector("source=yes")
                    .withSecondaryToPrimaryMapper(
                            map -> Set.of(new io.javaoperatorsdk.operator.processing.event.ResourceID(
                                    map.getMetadata().getName(),
                                    map.getMetadata().getNamespace())))
                    .build();
            return List.of(new InformerEventSource<>(configuration, context));
        }

        @Override
        public UpdateControl<Toy> reconcile(Toy toy, Context<Toy> context) {
            int value = context.getSecondaryResource(ConfigMap.class)
                    .map(m -> Integer.parseInt(m.getData().get("value")))
                    .orElse(-1);
            return UpdateControl.patchStatus(seen(toy, value));
        }
    }

    @Nested
    class Source {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new SourceReconciler());

        @Test
        void changesOfTheOtherKindReconcile() {
            operator.create(toy("t", 1));
            eventually(() -> assertEquals(-1, operator.get(Toy.class, "t").getStatus().seen));
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("t")
                    .addToLabels("source", "yes")
                    .endMetadata()
                    .addToData("value", "7")
                    .build();
            operator.create(map);
            eventually(() -> assertEquals(7, operator.get(Toy.class, "t").getStatus().seen));
            operator.delete(operator.get(ConfigMap.class, "t"));
            eventually(() -> assertEquals(-1, operator.get(Toy.class, "t").getStatus().seen));
        }
    }

    // --- 5: retries

    @GradualRetry(maxAttempts = 5, initialInterval = 50)
    @ControllerConfiguration
    public static class RetryingReconciler implements Reconciler<Toy> {
        final AtomicInteger attempts = new AtomicInteger();

        @Override
        public UpdateControl<Toy> reconcile(Toy toy, Context<Toy> context) {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("attempt " + attempts);
            }
            return UpdateControl.patchStatus(seen(toy, attempts.get()));
        }

        @Override
        public ErrorStatusUpdateControl<Toy> updateErrorStatus(Toy toy, Context<Toy> context, Exception e) {
            return ErrorStatusUpdateControl.patchStatus(seen(toy, -attempts.get()));
        }
    }

    @Nested
    class Retries {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new RetryingReconciler());

        @Test
        void failureIsRetried() {
            operator.create(toy("t", 1));
            eventually(() -> assertTrue(operator.get(Toy.class, "t").getStatus().seen >= 3));
        }
    }

    // --- 6: leader election

    @Nested
    class Leader {
        @RegisterExtension
        LocallyRunOperatorExtension operator = LocallyRunOperatorExtension.builder()
                .withReconciler(new StatusReconciler())
                .withConfigurationService(o -> o.withLeaderElectionConfiguration(
                        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration("toys")
                                .withLeaseNamespace("default")
                                .withExitOnStopLeading(false)
                                .build()))
                .build();

        @Test
        void leaderReconciles() {
            operator.create(toy("t", 5));
            eventually(() -> assertEquals(5, operator.get(Toy.class, "t").getStatus().seen));
            assertFalse(client.leases()
                    .inNamespace("default")
                    .withName("toys")
                    .get()
                    .getSpec()
                    .getHolderIdentity()
                    .isEmpty());
        }
    }

    // --- 7: another version of the kind

    @ControllerConfiguration
    public static class VersionReconciler implements Reconciler<ToyV2> {
        @Override
        public UpdateControl<ToyV2> reconcile(ToyV2 toy, Context<ToyV2> context) {
            toy.setStatus(new Status());
            toy.getStatus().seen = toy.getSpec().size * 2;
            toy.getMetadata().setManagedFields(null);
            toy.getMetadata().setResourceVersion(null);
            return UpdateControl.patchStatus(toy);
        }
    }

    @Nested
    class SeveralVersions {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new VersionReconciler());

        @Test
        void versionsShareOneObject() {
            operator.create(toy("t", 4));
            eventually(() -> assertEquals(8, operator.get(Toy.class, "t").getStatus().seen));
            assertEquals("josdk.example.com/v2", operator.get(ToyV2.class, "t").getApiVersion());
        }
    }

    // --- 8: a built-in kind as the primary

    @ControllerConfiguration(generationAwareEventProcessing = false) // the phase is no part of the generation
    public static class PodReconciler implements Reconciler<Pod> {
        @Override
        public UpdateControl<Pod> reconcile(Pod pod, Context<Pod> context) {
            Pod patch = new PodBuilder()
                    .withNewMetadata()
                    .withName(pod.getMetadata().getName())
                    .withNamespace(pod.getMetadata().getNamespace())
                    .addToAnnotations("example.com/phase", pod.getStatus().getPhase())
                    .endMetadata()
                    .build();
            return UpdateControl.patchResource(patch);
        }
    }

    @Nested
    class BuiltInKind {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new PodReconciler());

        @Test
        void podsAreAnnotated() {
            operator.create(new PodBuilder()
                    .withNewMetadata()
                    .withName("p")
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("main")
                    .withImage("example.com/app:1")
                    .endContainer()
                    .endSpec()
                    .build());
            eventually(() -> assertEquals(
                    "Running",
                    operator.get(Pod.class, "p").getMetadata().getAnnotations().get("example.com/phase")));
        }
    }

    // --- 9: a namespace of its own

    @Nested
    class OneNamespace {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new StatusReconciler());

        @Test
        void otherNamespacesAreNotWatched() {
            Toy other = toy("elsewhere", 6);
            other.getMetadata().setNamespace("default");
            client.resource(other).createOr(r -> r.update());
            operator.create(toy("t", 6));
            eventually(() -> assertEquals(6, operator.get(Toy.class, "t").getStatus().seen));
            assertNull(client.resource(other).get().getStatus());
            client.resource(other).delete();
        }
    }

    // --- 10: changes of the resource itself, with optimistic locking

    @ControllerConfiguration(generationAwareEventProcessing = false)
    public static class LabelReconciler implements Reconciler<Toy> {
        @Override
        public UpdateControl<Toy> reconcile(Toy toy, Context<Toy> context) {
            context.getClient().resource(toy).edit(t -> {
                t.getMetadata().setLabels(Map.of("size", String.valueOf(toy.getSpec().size)));
                return t;
            });
            return UpdateControl.<Toy>noUpdate().rescheduleAfter(Duration.ofSeconds(1));
        }
    }

    @Nested
    class Labels {
        @RegisterExtension
        LocallyRunOperatorExtension operator = run(new LabelReconciler());

        @Test
        void resourceIsEdited() {
            operator.create(toy("t", 8));
            eventually(() -> assertEquals(
                    Map.of("size", "8"),
                    operator.get(Toy.class, "t").getMetadata().getLabels()));
        }
    }

    @AfterAll
    static void end() {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("toys.josdk.example.com")
                .delete();
    }
}
