/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSlicePort;
import io.kubeloop.api.discovery.EndpointSlicePortBuilder;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Objects for the tests of this package. */
final class SliceTestObjects {

    static final SliceLabels LABELS = new SliceLabels(EndpointSliceController.CONTROLLER_NAME);
    static final List<EndpointSlicePort> PORTS = List.of(
            EndpointSlicePortBuilder.builder().name("").port(80).protocol("TCP").build());

    private SliceTestObjects() {}

    static <T extends KubeObject> T object(ResourceType<T> type, String json) {
        return JsonCodec.standard()
                .decode(type, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    static Service service(String members) {
        return object(ResourceTypes.SERVICES, """
                {'apiVersion':'v1','kind':'Service','metadata':{'name':'web','namespace':'default','uid':'s'%s},
                 'spec':{'clusterIP':'10.0.0.1','ipFamilies':['IPv4'],'selector':{'app':'web'},'ports':[{'port':80}]}}\
                """.formatted(members));
    }

    static Node node(String name, String zone, String cpu) {
        return object(ResourceTypes.NODES, """
                {'apiVersion':'v1','kind':'Node','metadata':{'name':'%s','labels':{'topology.kubernetes.io/zone':'%s'}},
                 'status':{'allocatable':{'cpu':'%s'},'conditions':[{'type':'Ready','status':'True'}]}\
                }""".formatted(name, zone, cpu));
    }

    static Endpoint endpoint(int number, String zone, boolean ready) {
        return object(ResourceTypes.ENDPOINT_SLICES, """
                        {'apiVersion':'discovery.k8s.io/v1','kind':'EndpointSlice','metadata':{'name':'x',\
                        'namespace':'default'},
                         'addressType':'IPv4','endpoints':[{'addresses':['10.1.0.%d'],'conditions':{'ready':%s},\
                        'zone':'%s','nodeName':'n-%s',
                         'targetRef':{'kind':'Pod','namespace':'default','name':'pod-%d'}}],\
                        'ports':[]}""".formatted(number, ready, zone, zone, number))
                .endpoints()
                .get(0);
    }

    /** Returns ready endpoints with the numbers from first to last, in zone a. */
    static List<Endpoint> endpoints(int first, int last) {
        List<Endpoint> result = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            result.add(endpoint(i, "a", true));
        }
        return result;
    }

    static EndpointSlice slice(Service service, String name, List<Endpoint> endpoints) {
        EndpointSlice slice = SlicePlan.withEndpoints(LABELS.newSlice(service, AddressTypes.IPV4, PORTS), endpoints);
        return slice.withMetadata(ObjectMetaBuilder.builder(slice.metadata())
                .name(name)
                .uid(name)
                .resourceVersion("1")
                .generation(1)
                .build());
    }

    static PortGroup group(List<Endpoint> endpoints) {
        PortGroup group = PortGroup.empty(PORTS);
        endpoints.forEach(group::add);
        return group;
    }
}
