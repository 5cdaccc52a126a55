/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChildWriteOverlayTest {

    private static final String OWNER = "uid-of-the-owner";
    private static final ObjectName NAME = new ObjectName("default", "a");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final ResourceClient<ConfigMap> client =
            KubeClient.of(server.transport(), JsonCodec.standard()).resource(ResourceTypes.CONFIG_MAPS);
    private final AtomicInteger stale = new AtomicInteger();
    private final ChildWriteOverlay<ConfigMap> writes =
            new ChildWriteOverlay<>(client, clock, (owner, map) -> true, stale::incrementAndGet);

    @AfterEach
    void close() {
        server.close();
    }

    private static ConfigMap map(String label) {
        return ConfigMap.of(
                ObjectMetaBuilder.builder()
                        .name("a")
                        .namespace("default")
                        .labels(Map.of("v", label))
                        .build(),
                Map.of());
    }

    private static ConfigMap relabeled(ConfigMap old, String label) {
        return old.withMetadata(ObjectMetaBuilder.builder(old.metadata())
                .labels(Map.of("v", label))
                .build());
    }

    private List<String> seen(List<ConfigMap> cached) {
        return writes.latest(OWNER, "default", cached).stream()
                .map(map -> map.metadata().labels().get("v"))
                .toList();
    }

    private List<ConfigMap> live() {
        return client.list("default", ListOptions.NONE).items().stream()
                .filter(map -> map.objectName().equals(NAME))
                .toList();
    }

    @Test
    void created_isShownUntilTheCacheShowsIt() {
        ConfigMap created = writes.create(OWNER, map("1"));

        assertThat(seen(List.of())).containsExactly("1");
        assertThat(seen(List.of(created))).containsExactly("1");
        // The cache has shown it: when it is gone from there, it was deleted.
        assertThat(seen(List.of())).isEmpty();
    }

    @Test
    void begin_countsSyncsThatTheCacheIsBehindOf() {
        writes.begin(OWNER, List.of());
        ConfigMap created = writes.create(OWNER, map("1"));
        assertThat(stale).hasValue(0);

        writes.begin(OWNER, List.of());
        writes.begin(OWNER, List.of());
        assertThat(stale).hasValue(2);

        writes.begin(OWNER, List.of(created));
        assertThat(stale).hasValue(2);
    }

    @Test
    void deletedBeforeTheCacheShowedIt_isTerminatingUntilItIsReadAgain() {
        ConfigMap created = writes.create(OWNER, map("1"));
        writes.delete(OWNER, created, () -> client.delete(NAME, DeleteOptions.DEFAULT));

        assertThat(writes.latest(OWNER, "default", List.of()))
                .singleElement()
                .matches(map -> map.metadata().isDeleting());
        assertThat(writes.isAheadOfCache(OWNER)).isTrue();
        clock.advance(ChildWriteOverlay.PATIENCE);
        assertThat(seen(List.of())).isEmpty();
        assertThat(writes.isAheadOfCache(OWNER)).isFalse();
    }

    @Test
    void updated_replacesEveryOlderVersion() {
        ConfigMap first = writes.create(OWNER, map("1"));
        ConfigMap second = writes.update(OWNER, relabeled(first, "2"));
        ConfigMap third = writes.update(OWNER, relabeled(second, "3"));

        assertThat(seen(List.of())).containsExactly("3");
        assertThat(seen(List.of(first))).containsExactly("3");
        assertThat(seen(List.of(second))).containsExactly("3");
        assertThat(seen(List.of(third))).containsExactly("3");
    }

    @Test
    void laterVersionInTheCache_counts() {
        ConfigMap first = writes.create(OWNER, map("1"));
        ConfigMap ofAnother = client.update(relabeled(first, "2"));

        assertThat(seen(List.of(ofAnother))).containsExactly("2");
    }

    @Test
    void neverShown_isReadAgain_andDroppedIfItIsGone() {
        writes.create(OWNER, map("1"));
        client.delete(NAME, DeleteOptions.DEFAULT);

        assertThat(seen(List.of())).containsExactly("1");
        clock.advance(ChildWriteOverlay.PATIENCE);
        assertThat(seen(List.of())).isEmpty();
    }

    @Test
    void neverShown_isReadAgain_andKeptIfItExists() {
        ConfigMap first = writes.create(OWNER, map("1"));
        client.update(relabeled(first, "2"));

        clock.advance(ChildWriteOverlay.PATIENCE);

        assertThat(seen(List.of())).containsExactly("2");
    }

    @Test
    void earlierObjectOfTheName_inTheCache_doesNotHideTheNewOne() {
        ConfigMap earlier = client.create(map("earlier"));
        client.delete(NAME, DeleteOptions.DEFAULT);
        writes.create(OWNER, map("new"));

        assertThat(seen(List.of(earlier))).containsExactly("new");
    }

    /** A write whose answer is lost. */
    private void loseAnswer(Runnable request) {
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> writes.write(OWNER, map("1"), () -> {
                    request.run();
                    throw new TransportException(TransportException.Kind.TIMEOUT, "no answer", null);
                }));
    }

    @Test
    void unknownOutcome_listsFromTheServer() {
        loseAnswer(() -> client.create(map("1")));

        assertThat(seen(List.of())).containsExactly("1");
        assertThat(live()).hasSize(1);
    }

    @Test
    void unknownOutcome_cacheHasAnEarlierObjectOfTheName_showsTheNewOneUntilTheCacheDoes() {
        ConfigMap earlier = client.create(map("earlier"));
        client.delete(NAME, DeleteOptions.DEFAULT);
        loseAnswer(() -> client.create(map("new")));

        assertThat(seen(List.of(earlier))).containsExactly("new");
        assertThat(seen(List.of())).as("the earlier one is gone from the cache").containsExactly("new");
        clock.advance(ChildWriteOverlay.PATIENCE);
        assertThat(seen(List.of(earlier))).as("read again").containsExactly("new");
        assertThat(seen(List.of())).containsExactly("new");
        assertThat(seen(live())).containsExactly("new");
        assertThat(writes.isAheadOfCache(OWNER)).isFalse();
    }

    @Test
    void unknownOutcome_childIsGone_isHiddenInEveryVersion() {
        ConfigMap first = client.create(map("1"));
        ConfigMap second = client.update(relabeled(first, "2"));
        loseAnswer(() -> client.delete(NAME, DeleteOptions.DEFAULT));

        assertThat(seen(List.of(first))).isEmpty();
        assertThat(seen(List.of(second))).as("the cache is a change further").isEmpty();
        assertThat(seen(List.of())).isEmpty();
        assertThat(writes.isAheadOfCache(OWNER)).isFalse();
    }

    @Test
    void patchThatTakesTheLastFinalizer_removesTheChildInEveryVersion() {
        ConfigMap held = client.create(map("1").withMetadata(ObjectMetaBuilder.builder(map("1").metadata())
                .finalizers(List.of("example.com/hold"))
                .build()));
        client.delete(NAME, DeleteOptions.DEFAULT);
        ConfigMap terminating = client.get(NAME);

        writes.write(OWNER, held, () -> client.patch(NAME, Patch.merge("{\"metadata\":{\"finalizers\":null}}")));

        assertThat(live()).isEmpty();
        assertThat(seen(List.of(held))).isEmpty();
        assertThat(seen(List.of(terminating))).as("the version of the answer").isEmpty();
        clock.advance(ChildWriteOverlay.PATIENCE);
        assertThat(seen(List.of(terminating))).isEmpty();
        assertThat(seen(List.of())).isEmpty();
        assertThat(writes.isAheadOfCache(OWNER)).isFalse();
    }

    @Test
    void patchOfAChildThatIsGone_hidesIt() {
        ConfigMap first = client.create(map("1"));
        ConfigMap second = client.update(relabeled(first, "2"));
        client.delete(NAME, DeleteOptions.DEFAULT);

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> writes.write(OWNER, first, () -> client.patch(NAME, Patch.merge("{}"))));

        assertThat(seen(List.of(first))).isEmpty();
        assertThat(seen(List.of(second))).isEmpty();
    }

    @Test
    void patched_isShownUntilTheCacheShowsThisVersion_notOneBetween() {
        ConfigMap first = client.create(map("1"));
        ConfigMap ofAnother = client.update(relabeled(first, "2"));
        writes.write(OWNER, first, () -> client.patch(NAME, Patch.merge("{\"metadata\":{\"labels\":{\"v\":\"3\"}}}")));

        assertThat(seen(List.of(first))).containsExactly("3");
        assertThat(seen(List.of(ofAnother))).containsExactly("3");
        assertThat(seen(live())).containsExactly("3");
        assertThat(writes.isAheadOfCache(OWNER)).isFalse();
    }

    @Test
    void unknownOutcome_childIsGoneBeforeTheCacheShowedIt_isHiddenWhenItDoes() {
        ConfigMap created = writes.create(OWNER, map("1"));
        loseAnswer(() -> client.delete(NAME, DeleteOptions.DEFAULT));

        assertThat(seen(List.of())).isEmpty();
        clock.advance(ChildWriteOverlay.PATIENCE);
        assertThat(seen(List.of())).isEmpty();
        assertThat(writes.isAheadOfCache(OWNER)).as("nothing is left to do").isFalse();
        assertThat(seen(List.of(created))).isEmpty();
        ConfigMap next = client.create(map("next"));
        assertThat(seen(List.of(next))).as("another object of the name").containsExactly("next");
    }

    @Test
    void rejection_isNoDoubt() {
        ConfigMap existing = client.create(map("1"));

        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> writes.create(OWNER, map("2")));

        client.update(relabeled(existing, "changed"));
        assertThat(seen(List.of(existing))).as("not listed again").containsExactly("1");
    }

    @Test
    void forget_dropsEverything() {
        writes.create(OWNER, map("1"));

        writes.forget(OWNER);

        assertThat(seen(List.of())).isEmpty();
    }

    @Test
    void goneOnTheServer_isHidden_whileTheCacheShowsTheOldVersion() {
        ConfigMap first = client.create(map("1"));
        writes.update(OWNER, relabeled(first, "2"));
        client.delete(NAME, DeleteOptions.DEFAULT);
        clock.advance(ChildWriteOverlay.PATIENCE);

        assertThat(seen(List.of(first))).isEmpty();
        ConfigMap next = client.create(map("next"));
        assertThat(seen(List.of(next))).as("another object of the name").containsExactly("next");
    }

    @Test
    void unknownOutcome_ofAnOwnerWithAFilter_listsOnlyItsCandidates() {
        ChildWriteOverlay<ConfigMap> filtered = new ChildWriteOverlay<>(
                client, clock, (owner, map) -> map.metadata().labels().get("v").equals(owner));
        client.create(map("another"));

        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> filtered.write(OWNER, map("1"), () -> {
                    throw new TransportException(TransportException.Kind.TIMEOUT, "no answer", null);
                }));

        assertThat(filtered.latest(OWNER, "default", List.of())).isEmpty();
    }
}
