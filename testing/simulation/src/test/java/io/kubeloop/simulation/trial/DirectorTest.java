/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.controlplane.ControlPlane;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class DirectorTest {

    private static final String PATH = "/api/v1/namespaces/default/configmaps/a";

    private final Director director = new Director(Clock.systemUTC(), () -> {}, Map.of(), 100);
    private final Lane lane = new Lane(0);

    /** The finalizer keeps the object, so every deletion of it succeeds. */
    @Test
    void deletionsOfOneObjectAtOnce_countOnce() throws Exception {
        CyclicBarrier bothHaveLooked = new CyclicBarrier(2);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (ControlPlane plane = ControlPlane.builder().controllers(List.of()).start()) {
            ObjectMeta metadata = ObjectMeta.named("default", "a").withFinalizers(List.of("example.com/keep"));
            plane.client().resource(ResourceTypes.CONFIG_MAPS).create(new ConfigMap(metadata, null, null, null));
            director.attach(plane.server(), Effect.NONE, "");

            Callable<ServerResponse> deletion =
                    () -> lane.call(() -> director.handle(ApiRequest.of("DELETE", PATH, Map.of(), null), request -> {
                        await(bothHaveLooked);
                        return plane.server().handle(request);
                    }));
            for (Future<ServerResponse> answer : executor.invokeAll(List.of(deletion, deletion))) {
                assertThat(answer.get()).isInstanceOf(ServerResponse.Document.class);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(director.recording().writes())
                .extracting(Recording.Write::code)
                .containsExactly(200, 200);
        assertThat(director.recording().writes())
                .filteredOn(Recording.Write::isDeletion)
                .hasSize(1);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError("the other deletion did not come", e);
        }
    }
}
