/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Secret;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteBarrierTest {

    private static final ObjectName OWNER = new ObjectName("default", "owner");
    private static final ObjectName OTHER = new ObjectName("default", "other");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final ResourceClient<ConfigMap> client =
            KubeClient.of(server.transport(), JsonCodec.standard()).resource(ResourceTypes.CONFIG_MAPS);
    private final List<ObjectName> again = new ArrayList<>();
    private final List<ResourceType<?>> stale = new ArrayList<>();
    private final FakeLister<ConfigMap> cache = new FakeLister<>();
    private final WriteBarrier barrier = new WriteBarrier(clock, again::add, stale::add);
    private final ChildWrites<ConfigMap> children = barrier.children(ResourceTypes.CONFIG_MAPS, client, cache, cache);

    @BeforeEach
    void cacheHasNothing() {
        cacheReaches("0");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static ConfigMap map(String name) {
        return ConfigMap.of(
                ObjectMetaBuilder.builder().name(name).namespace("default").build(), Map.of());
    }

    private static ConfigMap controlled(String name) {
        ConfigMap map = map(name);
        OwnerReference owner = ControllerRefs.newControllerRef(
                ResourceTypes.CONFIG_MAPS,
                map("owner")
                        .withMetadata(ObjectMetaBuilder.builder()
                                .name("owner")
                                .uid("o")
                                .build()));
        return map.withMetadata(ObjectMetaBuilder.builder(map.metadata())
                .ownerReferences(List.of(owner))
                .build());
    }

    /** The cache processes everything up to this version, and has what the server has. */
    private void cacheReaches(String version) {
        cache.list().forEach(object -> cache.remove(object.objectName()));
        client.list("default", ListOptions.NONE).items().stream()
                .filter(object -> !version.equals("0"))
                .forEach(cache::with);
        cache.observed(version);
    }

    private static String version(ConfigMap map) {
        return map.metadata().resourceVersion();
    }

    private List<String> latest() {
        return children.latest(OWNER, cache.list(), map -> map.metadata().name().startsWith("child")).stream()
                .map(map -> map.metadata().name())
                .toList();
    }

    private void loseTheAnswer() {
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> children.write(OWNER, null, () -> {
                    client.create(map("child-lost"));
                    throw new TransportException(TransportException.Kind.TIMEOUT, "the response is lost", null);
                }));
    }

    @Test
    void check_nothingWritten_isClear() {
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    @Test
    void check_cacheLacksTheVersion_isBehind_andTheKeyComesBackOnce() {
        ConfigMap created = children.create(OWNER, map("child"));

        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        assertThat(barrier.check(OTHER)).isEqualTo(OwnWrites.CLEAR);
        assertThat(stale).containsExactly(ResourceTypes.CONFIG_MAPS, ResourceTypes.CONFIG_MAPS);
        assertThat(again).isEmpty();

        cacheReaches(version(created));
        assertThat(again).containsExactly(OWNER);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    /** The child appears and vanishes between two looks: nothing but the version shows it. */
    @Test
    void check_childIsGoneBeforeTheCacheShowedIt_isCaughtUpByVersion() {
        children.create(OWNER, map("child"));
        client.delete(new ObjectName("default", "child"), DeleteOptions.DEFAULT);
        String later = version(client.create(map("stranger")));

        cacheReaches(later);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(latest()).doesNotContain("child");
    }

    @Test
    void check_ofTwoWrites_waitsForTheLaterOne() {
        ConfigMap first = children.create(OWNER, map("child-1"));
        ConfigMap second = children.create(OWNER, map("child-2"));
        barrier.check(OWNER);

        cacheReaches(version(first));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        cacheReaches(version(second));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
    }

    @Test
    void check_deletedChild_isBehindWhileTheCacheShowsItAsItWas() {
        ConfigMap child = client.create(map("child"));
        cacheReaches(version(child));

        children.delete(OWNER, child, () -> client.delete(child.objectName(), DeleteOptions.DEFAULT));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);

        ConfigMap successor = client.create(map("child"));
        cacheReaches(version(successor));
        assertThat(barrier.check(OWNER)).as("another object has the name").isEqualTo(OwnWrites.CAUGHT_UP);
    }

    @Test
    void check_patchedChildIsGone_isBehindWhileTheCacheShowsIt() {
        ConfigMap child = client.create(controlled("child"));
        patchAfterItsEnd(child);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        cache.remove(child.objectName());
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
    }

    /** The event of its end would not queue the owner. */
    @Test
    void check_orphanThatWasToBeAdoptedIsGone_isNotBehind() {
        patchAfterItsEnd(client.create(map("child")));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    @Test
    void check_deletedChildWasReleasedMeanwhile_isBehindUntilTheCacheShowsThat() {
        ConfigMap child = client.create(controlled("child"));
        cacheReaches(version(child));
        ConfigMap released = client.patch(child.objectName(), Patch.merge("{\"metadata\":{\"ownerReferences\":null}}"));
        children.delete(OWNER, child, () -> client.delete(child.objectName(), DeleteOptions.DEFAULT));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        cache.with(released);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
    }

    private void patchAfterItsEnd(ConfigMap child) {
        cacheReaches(version(child));
        client.delete(child.objectName(), DeleteOptions.DEFAULT);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> children.write(
                        OWNER, child, () -> client.patch(child.objectName(), Patch.merge("{\"data\":{\"a\":\"b\"}}"))));
    }

    @Test
    void unknownOutcome_childrenAreListed_untilTheCacheHasReachedThatList() {
        loseTheAnswer();
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(latest()).containsExactly("child-lost");
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(latest()).as("the cache still lacks it").containsExactly("child-lost");

        cacheReaches(client.list("default", ListOptions.NONE).metadata().resourceVersion());
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    @Test
    void unknownOutcome_listEqualsTheCache_isNoDoubtAnyMore() {
        loseTheAnswer();
        client.list("default", ListOptions.NONE).items().forEach(cache::with);
        assertThat(latest()).containsExactly("child-lost");
        barrier.check(OWNER);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    /** A child that only the list has shown is deleted; the cache shows it later, and then its end. */
    @Test
    void unknownOutcome_listedChildIsDeleted_cacheThatShowsItLaterIsBehind() {
        loseTheAnswer();
        barrier.check(OWNER);
        latest();
        ConfigMap child = client.get(new ObjectName("default", "child-lost"));
        children.delete(OWNER, child, () -> client.delete(child.objectName(), DeleteOptions.DEFAULT));
        barrier.check(OWNER);

        cache.with(child).observed("999");
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        cache.remove(child.objectName());
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
    }

    @Test
    void rejection_isNoDoubt() {
        client.create(map("child"));
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> children.create(OWNER, map("child")));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    @Test
    void cacheIsSilentForAMinute_childrenAreListed() {
        children.create(OWNER, map("child"));
        clock.advance(WriteBarrier.PATIENCE);

        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(latest()).containsExactly("child");
    }

    @Test
    void serverWithoutComparableVersions_childrenAreListed() {
        children.write(
                OWNER,
                null,
                () -> map("child")
                        .withMetadata(ObjectMetaBuilder.builder()
                                .name("child")
                                .resourceVersion("v-7")
                                .build()));
        client.create(map("child"));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
        assertThat(latest()).containsExactly("child");
    }

    @Test
    void forget_dropsEverything() {
        loseTheAnswer();
        children.create(OWNER, map("child"));
        barrier.forget(OWNER);
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CLEAR);
    }

    @Test
    void wrote_resourceIsNotFollowed_isRejected() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> barrier.wrote(OWNER, ResourceTypes.NODES, null))
                .withMessageContaining("its cache is not followed");
    }

    @Test
    void createdChild_thatIsGoneWhenTheCacheIsThere_queuesTheOwnerWithoutAnEvent() {
        ConfigMap created = children.create(OWNER, map("child"));
        client.delete(created.objectName(), DeleteOptions.DEFAULT);
        assertThat(again).isEmpty();
        cacheReaches(version(created));
        assertThat(again).containsExactly(OWNER);
    }

    @Test
    void createdChild_thatTheCacheShows_queuesNothing() {
        ConfigMap created = children.create(OWNER, map("child"));
        cacheReaches(version(created));
        assertThat(again).as("the event of the child queues its owner").isEmpty();
    }

    @Test
    void wroteVersion_isAwaitedAsAWriteIs() {
        FakeLister<Secret> secrets = new FakeLister<>();
        secrets.observed("4");
        barrier.follow(ResourceTypes.SECRETS, secrets);
        barrier.wroteVersion(OWNER, ResourceTypes.SECRETS, "5");
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        assertThat(stale).containsExactly(ResourceTypes.SECRETS);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> barrier.wroteVersion(OWNER, ResourceTypes.PODS, "5"))
                .withMessageContaining("not followed");
    }

    @Test
    void queueWhenCaughtUp_queuesAtOnce_orByTheProgressOfTheCache() {
        barrier.queueWhenCaughtUp(OWNER);
        assertThat(again).containsExactly(OWNER);
        again.clear();
        ConfigMap created = children.create(OWNER, map("child"));
        barrier.queueWhenCaughtUp(OWNER);
        assertThat(again).isEmpty();
        cacheReaches(version(created));
        assertThat(again).containsExactly(OWNER);
    }

    @Test
    void reachedVersion_countsAsObserved_whenTheCacheCannotNameItsVersionLater() {
        ConfigMap created = children.create(OWNER, map("child"));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        cacheReaches(version(created));
        assertThat(again).containsExactly(OWNER);
        cache.observed("0"); // such as between a list without a version and the next change
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.CAUGHT_UP);
    }

    @Test
    void followedCache_silentForMinutes_putsTheSyncOff() {
        FakeLister<Secret> secrets = new FakeLister<>();
        secrets.observed("4");
        barrier.follow(ResourceTypes.SECRETS, secrets);
        barrier.wroteVersion(OWNER, ResourceTypes.SECRETS, "5");
        clock.advance(WriteBarrier.PATIENCE.multipliedBy(59));
        assertThat(barrier.check(OWNER)).isEqualTo(OwnWrites.BEHIND);
        clock.advance(WriteBarrier.PATIENCE);
        assertThat(barrier.check(OWNER))
                .as("the server may have lost the version")
                .isEqualTo(OwnWrites.CAUGHT_UP);
    }
}
