/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import static io.kubeloop.controller.endpointslice.SliceTestObjects.LABELS;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.endpoints;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.group;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The metrics of syncs, on an API server whose state the caches show when they are read. */
class SliceMetricsTest {

    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final int MAX_ENDPOINTS = 2;

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final FakeMetrics metrics = new FakeMetrics();
    private final SliceMetrics slices = new SliceMetrics("", MAX_ENDPOINTS, metrics);
    private final EndpointSliceTracker tracker = new EndpointSliceTracker(Clock.systemUTC());
    private final SliceWriter writer =
            new SliceWriter(client.resource(ResourceTypes.ENDPOINT_SLICES), tracker, "Service", slices);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private <T extends KubeObject> Lister<T> cache(ResourceType<T> type) {
        LaggingCache<T> cache = new LaggingCache<>();
        cache.start(client.resource(type).list("", ListOptions.NONE).items(), new ResourceEventHandler<>() {});
        return cache;
    }

    private void sync(Lister<EndpointSlice> cachedSlices) {
        EndpointSliceCaches caches = new EndpointSliceCaches(
                cache(ResourceTypes.SERVICES), cache(ResourceTypes.PODS), cache(ResourceTypes.NODES), cachedSlices);
        new EndpointSliceSync(caches, LABELS, MAX_ENDPOINTS, writer, new TopologyHints(), new FakeRecorder())
                .syncService(WEB);
    }

    private void sync() {
        sync(cache(ResourceTypes.ENDPOINT_SLICES));
    }

    private void createPod(int number, String node) {
        client.resource(ResourceTypes.PODS).create(object(ResourceTypes.PODS, """
                {'metadata':{'name':'web-%d','namespace':'default','labels':{'app':'web'}},
                 'spec':{'nodeName':'%s','containers':[{'name':'c','image':'i'}]}}""".formatted(number, node)));
        client.resource(ResourceTypes.PODS)
                .patch(
                        new ObjectName("default", "web-" + number),
                        Patch.merge("""
                                {"status":{"phase":"Running","podIP":"10.1.0.%d","podIPs":[{"ip":"10.1.0.%d"}]}\
                                }""".formatted(number, number)),
                        "status");
    }

    @Test
    void sync_countsEndpointsSlicesAndWrites() {
        client.resource(ResourceTypes.SERVICES).create(object(ResourceTypes.SERVICES, """
                {'metadata':{'name':'web','namespace':'default'},
                 'spec':{'selector':{'app':'web'},'ports':[{'port':80}],'trafficDistribution':'PreferClose'}}"""));
        sync();
        assertThat(metrics.values())
                .containsEntry("num_endpoint_slices[]", 1.0)
                .containsEntry("desired_endpoint_slices[]", 1.0)
                .containsEntry("endpoints_desired[]", 0.0)
                .containsEntry("services_count_by_traffic_distribution[PreferClose]", 1.0);

        client.resource(ResourceTypes.NODES).create(SliceTestObjects.node("n", "a", "1"));
        List.of(1, 2, 3).forEach(number -> createPod(number, "n"));
        sync();
        assertThat(metrics.values())
                .containsEntry("endpoints_added_per_sync[]", 3.0)
                .containsEntry("endpoints_removed_per_sync[]", 0.0)
                .containsEntry("endpoints_desired[]", 3.0)
                .containsEntry("num_endpoint_slices[]", 2.0)
                .containsEntry("desired_endpoint_slices[]", 2.0)
                .containsEntry("endpointslices_changed_per_sync[Disabled, PreferClose]", 2.0)
                .containsEntry("changes[create]", 2.0)
                .containsEntry("changes[update]", 1.0)
                .containsEntry("syncs[success]", 2.0);

        client.resource(ResourceTypes.PODS)
                .delete(new ObjectName("default", "web-3"), new DeleteOptions(0L, null, null, null));
        sync();
        assertThat(metrics.values())
                .containsEntry("endpoints_removed_per_sync[]", 1.0)
                .containsEntry("endpoints_desired[]", 2.0);

        client.resource(ResourceTypes.SERVICES).delete(WEB, DeleteOptions.DEFAULT);
        sync();
        assertThat(metrics.values())
                .containsEntry("num_endpoint_slices[]", 0.0)
                .containsEntry("endpoints_desired[]", 0.0)
                .containsEntry("services_count_by_traffic_distribution[PreferClose]", 0.0);
    }

    @Test
    void sync_cacheIsBehind_countsAsStale() {
        client.resource(ResourceTypes.SERVICES).create(object(ResourceTypes.SERVICES, """
                {'metadata':{'name':'web','namespace':'default'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}\
                ]}}"""));
        Lister<EndpointSlice> before = cache(ResourceTypes.ENDPOINT_SLICES);
        sync();

        assertThatThrownBy(() -> sync(before)).isInstanceOf(IncompleteSyncException.class);

        assertThat(metrics.values()).containsEntry("syncs[stale]", 1.0);
    }

    @Test
    void sync_nodeOfAPodIsUnknown_countsAsError() {
        client.resource(ResourceTypes.SERVICES).create(object(ResourceTypes.SERVICES, """
                {'metadata':{'name':'web','namespace':'default'},'spec':{'selector':{'app':'web'},'ports':[{'port':80}\
                ]}}"""));
        createPod(1, "gone");

        assertThatThrownBy(this::sync).hasMessageContaining("gone");

        assertThat(metrics.values()).containsEntry("syncs[error]", 1.0);
    }

    @Test
    void use_addsUpOwnersAndFamilies() {
        ObjectName other = new ObjectName("default", "other");
        slices.use(WEB, "IPv4", List.of(group(endpoints(1, 3))), 2, 1);
        slices.use(WEB, "IPv6", List.of(group(endpoints(1, 1)), group(endpoints(2, 2))), 3, 1);
        slices.use(other, "IPv4", List.of(), 1, 1);
        assertThat(metrics.values())
                .containsEntry("endpoints_desired[]", 5.0)
                .containsEntry("num_endpoint_slices[]", 6.0)
                .containsEntry("desired_endpoint_slices[]", 5.0);

        slices.use(WEB, "IPv4", List.of(group(endpoints(1, 1))), 1, 1);
        slices.forget(other);
        assertThat(metrics.values())
                .containsEntry("endpoints_desired[]", 3.0)
                .containsEntry("num_endpoint_slices[]", 4.0)
                .containsEntry("desired_endpoint_slices[]", 3.0);
    }

    @Test
    void distribute_serviceChangesItsDistribution_movesToTheOther() {
        slices.distribute(WEB, "PreferSameZone");
        slices.distribute(WEB, "PreferSameNode");

        assertThat(metrics.values())
                .containsEntry("services_count_by_traffic_distribution[PreferSameZone]", 0.0)
                .containsEntry("services_count_by_traffic_distribution[PreferSameNode]", 1.0);
    }
}
