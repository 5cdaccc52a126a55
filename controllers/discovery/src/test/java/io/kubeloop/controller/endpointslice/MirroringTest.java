/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import static io.kubeloop.controller.endpointslice.SliceTestObjects.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sync of mirrored slices, on an API server whose state the caches show at once. */
class MirroringTest {

    private static final ObjectName EXT = new ObjectName("default", "ext");

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final FakeRecorder events = new FakeRecorder();
    private final FakeMetrics metrics = new FakeMetrics();

    @BeforeEach
    void createService() {
        client.resource(ResourceTypes.SERVICES).create(object(ResourceTypes.SERVICES, """
                {'apiVersion':'v1','kind':'Service','metadata':{'name':'ext','namespace':'default'},
                 'spec':{'ports':[{'port':80}]}}"""));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void create(String subsets) {
        client.resource(ResourceTypes.ENDPOINTS).create(object(ResourceTypes.ENDPOINTS, """
                {'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'ext','namespace':'default',
                 'labels':{'x':'y'},'annotations':{'note':'n','kubectl.kubernetes.io/last-applied-configuration':'{}'}},
                 'subsets':%s}""".formatted(subsets)));
    }

    private List<EndpointSlice> sync(int maxAddresses) {
        LaggingCache<Service> services = new LaggingCache<>();
        LaggingCache<Endpoints> endpoints = new LaggingCache<>();
        LaggingCache<EndpointSlice> slices = new LaggingCache<>();
        services.start(
                client.resource(ResourceTypes.SERVICES)
                        .list("default", ListOptions.NONE)
                        .items(),
                new ResourceEventHandler<>() {});
        endpoints.start(
                client.resource(ResourceTypes.ENDPOINTS)
                        .list("default", ListOptions.NONE)
                        .items(),
                new ResourceEventHandler<>() {});
        slices.start(slices(), new ResourceEventHandler<>() {});
        EndpointSliceTracker tracker = new EndpointSliceTracker(Clock.systemUTC());
        new MirroringSync(
                        new MirroringSync.Caches(services, endpoints, slices),
                        new SliceLabels(EndpointSliceMirroringController.CONTROLLER_NAME),
                        maxAddresses,
                        new SliceWriter(
                                client.resource(ResourceTypes.ENDPOINT_SLICES),
                                tracker,
                                "Endpoints",
                                new SliceMetrics("", maxAddresses, metrics)),
                        events,
                        Clock.systemUTC())
                .syncEndpoints(EXT);
        return slices();
    }

    private List<EndpointSlice> slices() {
        return client.resource(ResourceTypes.ENDPOINT_SLICES).list("default", ListOptions.NONE).items().stream()
                .filter(slice -> EXT.equals(SliceLabels.serviceOf(slice)))
                .toList();
    }

    @Test
    void sync_bothFamilies_makeOneSliceEach_withLabelsAndAnnotations() {
        create("[{'addresses':[{'ip':'192.0.2.1'},{'ip':'2001:db8::1'}],'notReadyAddresses':[{'ip':'192.0.2.3'}],"
                + "'ports':[{'port':80}]}]");

        List<EndpointSlice> slices = sync(1000);

        assertThat(slices).extracting(EndpointSlice::addressType).containsExactlyInAnyOrder("IPv4", "IPv6");
        assertThat(slices).allSatisfy(slice -> {
            assertThat(slice.metadata().labels())
                    .containsEntry("x", "y")
                    .containsEntry(
                            "endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io");
            assertThat(slice.metadata().annotations()).containsOnlyKeys("note");
        });
        List<String> versions =
                slices.stream().map(slice -> slice.metadata().resourceVersion()).toList();
        assertThat(sync(1000))
                .extracting(slice -> slice.metadata().resourceVersion())
                .isEqualTo(versions);
    }

    @Test
    void sync_moreAddressesThanTheLimit_mirrorsSomeAndWarns() {
        create("[{'addresses':[{'ip':'192.0.2.1'},{'ip':'192.0.2.2'},{'ip':'192.0.2.3'}],'ports':[{'port':80}]}]");

        assertThat(sync(2))
                .singleElement()
                .satisfies(slice -> assertThat(slice.endpoints()).hasSize(2));
        assertThat(events.events())
                .anyMatch(event -> event.text().contains("TooManyAddressesToMirror")
                        && event.text()
                                .contains("A max of 2 addresses can be mirrored to EndpointSlices per Endpoints "
                                        + "subset. 1 addresses were skipped"));
    }

    @Test
    void sync_countsEndpointsAndWrites() {
        create("[{'addresses':[{'ip':'192.0.2.1'},{'ip':'192.0.2.2'},{'ip':'192.0.2.9'}],'ports':[{'port':80}]}]");
        sync(2);

        assertThat(metrics.values())
                .containsEntry("endpoints_added_per_sync[]", 2.0)
                .containsEntry("addresses_skipped_per_sync[]", 1.0)
                .containsEntry("endpoints_desired[]", 2.0)
                .containsEntry("num_endpoint_slices[]", 1.0)
                .containsEntry("desired_endpoint_slices[]", 1.0)
                .containsEntry("changes[create]", 1.0)
                .containsKey("endpoints_sync_duration[]");

        client.resource(ResourceTypes.ENDPOINTS).patch(EXT, Patch.merge("""
                                {"subsets":[{"addresses":[{"ip":"192.0.2.1"}],"notReadyAddresses":[{"ip":"192.0.2.3"}],
                                 "ports":[{"port":80}]}]}"""));
        sync(2);

        assertThat(metrics.values())
                .containsEntry("endpoints_added_per_sync[]", 1.0)
                .containsEntry("endpoints_updated_per_sync[]", 0.0)
                .containsEntry("endpoints_removed_per_sync[]", 1.0)
                .containsEntry("addresses_skipped_per_sync[]", 0.0)
                .containsEntry("changes[update]", 1.0);

        client.resource(ResourceTypes.ENDPOINTS).patch(EXT, Patch.merge("""
                                {"subsets":[{"notReadyAddresses":[{"ip":"192.0.2.1"},{"ip":"192.0.2.3"}],
                                 "ports":[{"port":80}]}]}"""));
        sync(2);
        assertThat(metrics.values()).containsEntry("endpoints_updated_per_sync[]", 1.0);

        client.resource(ResourceTypes.SERVICES).patch(EXT, Patch.merge("{\"spec\":{\"selector\":{\"a\":\"b\"}}}"));
        sync(2);
        assertThat(metrics.values()).containsEntry("changes[delete]", 1.0);
    }

    @Test
    void sync_endpointsThatMustNotBeMirrored_deletesTheSlices() {
        create("[{'addresses':[{'ip':'192.0.2.1'}],'ports':[{'port':80}]}]");
        assertThat(sync(1000)).hasSize(1);

        client.resource(ResourceTypes.ENDPOINTS)
                .patch(
                        EXT,
                        Patch.merge(
                                "{\"metadata\":{\"labels\":{\"endpointslice.kubernetes.io/skip-mirror\":\"true\"}}}"));
        assertThat(sync(1000)).isEmpty();
    }

    @Test
    void sync_serviceThatGainsASelector_deletesTheSlices() {
        create("[{'addresses':[{'ip':'192.0.2.1'}],'ports':[{'port':80}]}]");
        sync(1000);

        client.resource(ResourceTypes.SERVICES).patch(EXT, Patch.merge("{\"spec\":{\"selector\":{\"a\":\"b\"}}}"));
        assertThat(sync(1000)).isEmpty();
    }
}
