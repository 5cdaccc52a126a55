/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApplyPatch;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.patch.MergePatch;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The helpers of operators against an API server: each changes only what is its own. */
class OperatorHelpersTest {

    private static final ObjectName NAME = new ObjectName("default", "m");

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ResourceClient<ConfigMap> maps = client.resource(ResourceTypes.CONFIG_MAPS);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static ConfigMap map(Map<String, String> data) {
        return ConfigMap.of(ObjectMeta.named(NAME.namespace(), NAME.name()), data);
    }

    @Test
    void apply_keepsFieldsOfOthers_andDropsItsOwn() {
        maps.apply(map(Map.of("a", "1", "b", "1")), "first", false);
        maps.apply(map(Map.of("c", "1")), "second", false);
        assertThat(maps.apply(map(Map.of("a", "2")), "first", false).data()).isEqualTo(Map.of("a", "2", "c", "1"));

        assertThatThrownBy(() -> maps.apply(map(Map.of("a", "3")), "second", false))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.isConflict()).isTrue());
        assertThat(maps.apply(map(Map.of("a", "3")), "second", true).data()).isEqualTo(Map.of("a", "3"));
    }

    @Test
    void applyPatch_ownsOnlyWhatIsSet_zerosIncluded() {
        maps.create(map(Map.of("a", "1", "b", "1")));
        ApplyPatch patch = ApplyPatch.of(ResourceTypes.CONFIG_MAPS, NAME).set("data.a", "");
        assertThat(maps.patch(NAME, patch.toPatch("cards", true)).data()).isEqualTo(Map.of("a", "", "b", "1"));
    }

    @Test
    void mergePatch_hasOnlyTheDifference() {
        ConfigMap before = maps.create(map(Map.of("a", "1", "b", "1")));
        maps.edit(NAME, now -> now.withData(Map.of("a", "1", "b", "1", "c", "1")));
        ConfigMap after = before.withData(Map.of("a", "2"));
        ConfigMap patched =
                maps.patch(NAME, MergePatch.between(JsonCodec.standard(), ResourceTypes.CONFIG_MAPS, before, after));
        assertThat(patched.data()).isEqualTo(Map.of("a", "2", "c", "1"));
    }

    @Test
    void finalizers_ofOthersStay() {
        maps.create(map(Map.of())
                .withMetadata(ObjectMetaBuilder.builder(map(Map.of()).metadata())
                        .finalizers(List.of("example.com/backup"))
                        .build()));
        maps.edit(NAME, now -> Finalizers.add(now, "example.com/ours"));
        ConfigMap removed = maps.edit(NAME, now -> Finalizers.remove(now, "example.com/ours"));
        assertThat(removed.metadata().finalizers()).containsExactly("example.com/backup");
    }

    @Test
    void forQueue_syncsAKeyAgainAfterItsDelay() throws InterruptedException {
        CountDownLatch syncs = new CountDownLatch(3);
        maps.create(map(Map.of()));
        try (ControllerRunner runner = ControllerRunner.builder(client)
                .controller(context -> ControllerLoop.forQueue(
                        "again",
                        context,
                        queue -> key -> {
                            syncs.countDown();
                            queue.addAfter(key, Duration.ofMillis(1));
                        },
                        context.informers().informer(ResourceTypes.CONFIG_MAPS)))
                .start()) {
            assertThat(syncs.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(runner.isLeading()).isTrue();
        }
    }
}
