/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedInformerFactoryTest {

    private static final ResourceType<Thing> OTHERS =
            new ResourceType<>("", "v1", "others", "Other", ResourceType.Scope.NAMESPACED, Thing.class);

    private final ScriptedClient client = new ScriptedClient();
    private final ManualScheduler scheduler = new ManualScheduler();
    private final SharedInformerFactory factory = SharedInformers.factory(
            client,
            InformerConfig.DEFAULT
                    .withScheduler(scheduler)
                    .withStreamingList(false)
                    .withNamespace("shop")
                    .withSelectors("app=web", ""));

    @AfterEach
    void close() {
        factory.close();
        client.sources.values().forEach(source -> assertThat(source.openStreams).hasValue(0));
    }

    @Test
    void informer_sameResource_isOneInformer() {
        // FA-01, FA-03, FA-02
        assertThat(factory.informer(Thing.TYPE)).isSameAs(factory.informer(Thing.TYPE));
        assertThat(factory.informer(Thing.TYPE)).isNotSameAs(factory.informer(OTHERS));
        assertThat(client.source(Thing.TYPE).requests).isEmpty();
        assertThat(client.asked).containsEntry("things.example.com", "shop/app=web/null");
    }

    @Test
    void informer_otherScope_isAnotherInformer() throws Exception {
        // FA-02
        InformerScope scope = new InformerScope("shop", "app=db", "metadata.name=a", "");
        SharedInformer<Thing> narrow = factory.informer(Thing.TYPE, scope);
        assertThat(factory.informer(Thing.TYPE, scope.withNamespace("shop"))).isSameAs(narrow);
        assertThat(client.asked).containsEntry("things.example.com", "shop/app=db/metadata.name=a");
        assertThat(factory.informer(Thing.TYPE, scope.withFieldSelector(""))).isNotSameAs(narrow);
        assertThat(factory.informer(Thing.TYPE, scope.withLabelSelector(""))).isNotSameAs(narrow);
        assertThat(factory.informer(Thing.TYPE, InformerScope.ALL)).isNotSameAs(narrow);
        assertThat(client.asked).containsEntry("things.example.com", "/null/null");
        assertThat(factory.informer(
                        Thing.TYPE, InformerScope.ALL.withNamespace("shop").withLabelSelector("app=web")))
                .as("the factory's own scope")
                .isSameAs(factory.informer(Thing.TYPE));
        assertThat(factory.health())
                .extracting(InformerHealth::name)
                .containsExactly(
                        "things.example.com[shop, app=db, metadata.name=a]",
                        "things.example.com[shop, app=db]",
                        "things.example.com[shop, metadata.name=a]",
                        "things.example.com",
                        "things.example.com[shop, app=web]");
    }

    @Test
    void informer_ofMetadataAlone_hasANameOfItsOwn() {
        factory.informer(Thing.TYPE, InformerScope.ALL);
        factory.informer(ResourceTypes.metadataOf(Thing.TYPE), InformerScope.ALL);
        factory.informer(ResourceTypes.metadataOf(Thing.TYPE));
        assertThat(factory.health())
                .extracting(InformerHealth::name)
                .containsExactly(
                        "things.example.com",
                        "things.example.com(metadata)",
                        "things.example.com(metadata)[shop, app=web]");
    }

    @Test
    void informer_ofGenericObjects_hasANameOfItsOwn_whereThereIsARecord() {
        ResourceType<GenericObject> pods =
                ResourceTypes.generic("", "v1", "pods", "Pod", ResourceType.Scope.NAMESPACED);
        factory.informer(ResourceTypes.PODS, InformerScope.ALL);
        factory.informer(pods, InformerScope.ALL);
        factory.informer(pods);
        factory.informer(
                ResourceTypes.generic(
                        "extensions", "v1beta1", "replicasets", "ReplicaSet", ResourceType.Scope.NAMESPACED),
                InformerScope.ALL);
        factory.informer(
                ResourceTypes.generic("", "v1", "limitranges", "LimitRange", ResourceType.Scope.NAMESPACED),
                InformerScope.ALL);
        assertThat(factory.health())
                .extracting(InformerHealth::name)
                .containsExactly(
                        "pods",
                        "pods(generic)",
                        "pods(generic)[shop, app=web]",
                        "replicasets.extensions",
                        "limitranges");
    }

    @Test
    void transform_ofTheFactory_isThatOfEachInformerUntilItHasItsOwn() throws Exception {
        // FA-02
        client.source(Thing.TYPE).list("10", Thing.of("shop/a", "1", "given"));
        client.source(OTHERS).list("10", Thing.of("shop/a", "1", "given"));
        InformerConfig config = InformerConfig.DEFAULT.withScheduler(scheduler).withStreamingList(false);
        try (SharedInformerFactory transforming =
                SharedInformers.factory(client, config.withTransform(SharedInformerFactoryTest::mark))) {
            SharedInformer<Thing> things = transforming.informer(Thing.TYPE);
            SharedInformer<Thing> others = transforming.informer(OTHERS);
            others.setTransform(thing -> Thing.of(thing.key(), thing.version(), "own"));
            transforming.start();
            transforming.awaitSync(Duration.ofSeconds(1));
            assertThat(things.lister().list().get(0).metadata().labels()).containsEntry("marked", "yes");
            assertThat(others.lister().list()).containsExactly(Thing.of("shop/a", "1", "own"));
        }
    }

    @SuppressWarnings("unchecked") // withMetadata promises the same class
    private static <T extends KubeObject> T mark(T object) {
        return (T) object.withMetadata(ObjectMetaBuilder.builder(object.metadata())
                .labels(Map.of("marked", "yes"))
                .build());
    }

    @Test
    void resyncPeriod_ofOneResource_takesThePlaceOfTheFactorys_FA04() throws Exception {
        client.source(Thing.TYPE).list("10", Thing.of("shop/a", "1"));
        client.source(OTHERS).list("10", Thing.of("shop/a", "1"));
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withStreamingList(false)
                .withResyncPeriods(Map.of(OTHERS, Duration.ofSeconds(10)));
        RecordingHandler never = new RecordingHandler();
        RecordingHandler ten = new RecordingHandler();
        try (SharedInformerFactory resyncing = SharedInformers.factory(client, config)) {
            resyncing.informer(Thing.TYPE).addHandler(never);
            resyncing.informer(OTHERS).addHandler(ten);
            resyncing.start();
            never.take(1);
            ten.take(1);
            await().until(client.source(OTHERS)::isExhausted);
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(ten.take(1)).containsExactly("update shop/a@1 -> shop/a@1");
            assertThat(never.calls).isEmpty();
        }
    }

    @Test
    void start_again_startsWhatCameLater() throws Exception {
        // FA-05
        client.source(Thing.TYPE).list("10", Thing.of("shop/a", "1"));
        SharedInformer<Thing> things = factory.informer(Thing.TYPE);
        factory.start();
        factory.awaitSync(Duration.ofSeconds(1));
        client.source(OTHERS).list("10");
        SharedInformer<Thing> others = factory.informer(OTHERS);
        assertThat(others.hasSynced()).isFalse();
        factory.awaitSync(Duration.ofSeconds(1));
        factory.start();
        factory.awaitSync(Duration.ofSeconds(1));
        assertThat(others.hasSynced()).isTrue();
        assertThat(things.lister().list("shop")).hasSize(1);
        assertThat(factory.health())
                .extracting(InformerHealth::name)
                .containsExactly("things.example.com[shop, app=web]", "others[shop, app=web]");
    }

    @Test
    void informer_closedByItsUser_isMadeAnew() throws Exception {
        client.source(Thing.TYPE).list("10", Thing.of("shop/a", "1"));
        SharedInformer<Thing> first = factory.informer(Thing.TYPE);
        factory.start();
        factory.awaitSync(Duration.ofSeconds(1));
        first.close();
        client.source(Thing.TYPE).list("20", Thing.of("shop/b", "2"));
        SharedInformer<Thing> second = factory.informer(Thing.TYPE);
        assertThat(second).isNotSameAs(first).isSameAs(factory.informer(Thing.TYPE));
        RecordingHandler handler = new RecordingHandler();
        second.addHandler(handler);
        factory.start();
        factory.awaitSync(Duration.ofSeconds(1));
        assertThat(handler.take(1)).containsExactly("add shop/b@2 initial");
        assertThat(factory.health()).hasSize(1);
    }

    @Test
    void informer_ofAnotherScope_letsGoOfWhatWasClosedUnsynced() throws Exception {
        client.source(OTHERS).failList(ScriptedSource.refusal(403, "Forbidden"));
        SharedInformer<Thing> gone = factory.informer(OTHERS, InformerScope.ALL.withNamespace("gone"));
        factory.start();
        await().until(() -> gone.health().state() == ReflectorState.BACKING_OFF);
        gone.close();
        client.source(Thing.TYPE).list("10");
        factory.informer(Thing.TYPE);
        factory.start();
        factory.awaitSync(Duration.ofSeconds(1));
        assertThat(factory.health())
                .extracting(InformerHealth::name)
                .containsExactly("things.example.com[shop, app=web]");
    }

    @Test
    void close_waitsForAnInformerThatWasClosedByItsOwnHandlerAndMadeAnew_I12() throws Exception {
        client.source(Thing.TYPE).list("10", Thing.of("shop/a", "1"));
        SharedInformer<Thing> first = factory.informer(Thing.TYPE);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicReference<Thread> running = new AtomicReference<>();
        first.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                running.set(Thread.currentThread());
                first.close();
                closed.countDown();
                SharedInformerTest.awaitLatch(mayReturn);
            }
        });
        factory.start();
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(factory.informer(Thing.TYPE)).isNotSameAs(first);
        Thread closing = new Thread(factory::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        mayReturn.countDown();
        closing.join();
        assertThat(running.get().isAlive()).isFalse();
    }

    @Test
    void awaitSync_forbidden_saysWhichInformerWhyAndWhatRoleIsMissing() {
        // FA-06
        client.source(Thing.TYPE).list("10");
        client.source(OTHERS).failList(ScriptedSource.refusal(403, "Forbidden"));
        factory.informer(Thing.TYPE);
        factory.informer(OTHERS);
        factory.start();
        await().until(() -> factory.informer(Thing.TYPE).hasSynced());
        await().until(() -> factory.health().get(1).state() == ReflectorState.BACKING_OFF);
        assertThat(factory.health())
                .extracting(InformerHealth::errorHint)
                .satisfiesExactly(
                        none -> assertThat(none).isEmpty(),
                        errorHint -> assertThat(errorHint)
                                .startsWith("the user may not list others: it needs a role with the rule apiGroups: "));
        assertThatThrownBy(() -> factory.awaitSync(Duration.ZERO))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("others[shop, app=web]: BACKING_OFF since 1970-01-01T00:00:00Z")
                .hasMessageContaining("GET /things: 403 Forbidden: scripted")
                .hasMessageContaining(
                        "apiGroups: [\"\"], resources: [\"others\"], verbs: [\"list\", \"watch\"] in namespace shop")
                .hasMessageNotContaining("things.example.com[shop, app=web]:");
    }

    @Test
    void awaitSync_unknownResource_asksForItsDefinition() {
        // FA-06
        client.source(Thing.TYPE).failList(ScriptedSource.refusal(404, "NotFound"));
        factory.informer(Thing.TYPE);
        factory.start();
        await().until(() -> factory.health().get(0).state() == ReflectorState.BACKING_OFF);
        assertThatThrownBy(() -> factory.awaitSync(Duration.ZERO))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("404 NotFound: scripted; the server has no things.example.com in version v1:"
                        + " is its CustomResourceDefinition installed, and its API group enabled?");
    }

    @Test
    void awaitSync_serverIsSilent_endsInTime() throws Exception {
        // FA-06
        factory.informer(Thing.TYPE);
        factory.start();
        await().until(client.source(Thing.TYPE)::isExhausted);
        CountDownLatch ended = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            assertThatThrownBy(() -> factory.awaitSync(Duration.ofSeconds(30)))
                    .isInstanceOf(CacheSyncTimeoutException.class)
                    .hasMessageContaining("things.example.com[shop, app=web]: LISTING")
                    .hasMessageContaining("no error so far");
            ended.countDown();
        });
        waiting.start();
        await().until(() -> scheduler.waiting() == 1);
        scheduler.advance(Duration.ofSeconds(29));
        assertThat(ended.getCount()).isEqualTo(1);
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void awaitSync_closedMeanwhile_endsAtOnce() throws Exception {
        // FA-06
        factory.informer(Thing.TYPE);
        factory.start();
        CountDownLatch ended = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            assertThatThrownBy(() -> factory.awaitSync(Duration.ofDays(1)))
                    .isInstanceOf(CacheSyncTimeoutException.class)
                    .hasMessageContaining("closed");
            ended.countDown();
        });
        waiting.start();
        await().until(() -> scheduler.waiting() == 1);
        factory.close();
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void awaitSync_closedBefore_saysSo() {
        // FA-06: a cache that is empty because it was closed must not count as filled.
        client.source(Thing.TYPE).list("10");
        SharedInformer<Thing> things = factory.informer(Thing.TYPE);
        factory.informer(OTHERS);
        factory.start();
        await().until(things::hasSynced);
        factory.close();
        assertThatThrownBy(() -> factory.awaitSync(Duration.ofDays(1)))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("others[shop, app=web]: closed")
                .hasMessageNotContaining("things");
    }

    @Test
    void awaitSync_ofWhatWasNeverStarted_doesNotWait() throws Exception {
        factory.informer(Thing.TYPE);
        factory.close();
        factory.awaitSync(Duration.ofDays(1));
    }

    @Test
    void close_fromHandlersOfTwoInformersAtOnce_ends_I12() throws Exception {
        // FA-08
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch closed = new CountDownLatch(2);
        for (ResourceType<Thing> type : List.of(Thing.TYPE, OTHERS)) {
            client.source(type).list("10", Thing.of("shop/a", "1"));
            factory.informer(type).addHandler(new RecordingHandler() {
                @Override
                public void onAdd(Thing object, boolean isInInitialList) {
                    both.countDown();
                    SharedInformerTest.awaitLatch(both);
                    factory.close();
                    closed.countDown();
                }
            });
        }
        factory.start();
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closedFactory_handsOutNothing() {
        // FA-08
        factory.close();
        factory.close();
        factory.start();
        assertThatThrownBy(() -> factory.informer(Thing.TYPE)).isInstanceOf(IllegalStateException.class);
    }

    /** A client whose resources are scripted sources. */
    private static final class ScriptedClient implements KubeClient {

        final Map<String, ScriptedSource> sources = new ConcurrentHashMap<>();
        final Map<String, String> asked = new ConcurrentHashMap<>();

        ScriptedSource source(ResourceType<?> type) {
            return sources.computeIfAbsent(type.toString(), name -> new ScriptedSource());
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T extends KubeObject> ResourceClient<T> resource(ResourceType<T> type) {
            return (ResourceClient<T>) new ScriptedResource(type);
        }

        @Override
        public Transport transport() {
            throw new UnsupportedOperationException("no transport");
        }

        @Override
        public KubeClient withTransport(Transport transport) {
            throw new UnsupportedOperationException("not part of the script");
        }

        @Override
        public void close() {}

        private final class ScriptedResource implements ResourceClient<Thing> {

            private final ResourceType<?> type;

            ScriptedResource(ResourceType<?> type) {
                this.type = type;
            }

            @Override
            public ListerWatcher<Thing> listerWatcher(String namespace, String labelSelector, String fieldSelector) {
                asked.put(type.toString(), namespace + "/" + labelSelector + "/" + fieldSelector);
                return source(type);
            }

            private UnsupportedOperationException notHere() {
                return new UnsupportedOperationException("an informer only lists and watches");
            }

            @Override
            public Thing get(ObjectName name) {
                throw notHere();
            }

            @Override
            public KubeList<Thing> list(String namespace, ListOptions options) {
                throw notHere();
            }

            @Override
            public WatchStream<Thing> watch(String namespace, ListOptions options) {
                throw notHere();
            }

            @Override
            public Thing create(Thing object) {
                throw notHere();
            }

            @Override
            public Thing update(Thing object) {
                throw notHere();
            }

            @Override
            public Thing updateStatus(Thing object) {
                throw notHere();
            }

            @Override
            public Thing patch(ObjectName name, Patch patch) {
                throw notHere();
            }

            @Override
            public Thing patch(ObjectName name, Patch patch, String subresource) {
                throw notHere();
            }

            @Override
            public void delete(ObjectName name, DeleteOptions options) {
                throw notHere();
            }
        }
    }
}
