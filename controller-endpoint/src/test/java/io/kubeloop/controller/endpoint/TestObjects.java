/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ContainerBuilder;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodConditionBuilder;
import io.kubeloop.api.core.PodIP;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServicePortBuilder;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.api.value.IntOrString;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Objects of the namespace {@code shop}: pods and services of the application {@code web}. */
final class TestObjects {

    private TestObjects() {}

    private static ObjectMetaBuilder metadata(String name) {
        return ObjectMetaBuilder.builder(ObjectMeta.named("shop", name));
    }

    static Service service(String name) {
        return Service.of(
                metadata(name).build(),
                ServiceSpecBuilder.builder()
                        .selector(Map.of("app", "web"))
                        .clusterIP("10.96.7.7")
                        .ports(List.of(ServicePortBuilder.builder()
                                .name("http")
                                .protocol("TCP")
                                .port(80)
                                .targetPort(IntOrString.of(8080))
                                .build()))
                        .build());
    }

    static Pod pod(String name, String ip, boolean ready) {
        return Pod.of(
                metadata(name).uid("uid-" + name).labels(Map.of("app", "web")).build(),
                PodSpecBuilder.builder()
                        .nodeName("n1")
                        .containers(List.of(ContainerBuilder.builder()
                                .name("web")
                                .image("example.com/web")
                                .build()))
                        .build(),
                PodStatusBuilder.builder()
                        .phase(PodStatus.RUNNING)
                        .podIP(ip)
                        .podIPs(List.of(new PodIP(ip, UnknownFields.NONE)))
                        .conditions(List.of(PodConditionBuilder.builder()
                                .type(PodCondition.READY)
                                .status(ready ? "True" : "False")
                                .build()))
                        .build());
    }

    static Endpoints endpoints(String name, Map<String, String> annotations) {
        return Endpoints.of(metadata(name).annotations(annotations).build(), List.of());
    }

    static EndpointSubset subset(String... ips) {
        return new EndpointSubset(
                Stream.of(ips)
                        .map(ip -> new EndpointAddress(ip, "", null, null, UnknownFields.NONE))
                        .toList(),
                List.of(),
                List.of(new EndpointPort("http", 8080, "TCP", null, UnknownFields.NONE)),
                UnknownFields.NONE);
    }
}
