/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServicePort;
import io.kubeloop.controller.services.ContainerPorts;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ContainerPortsTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.tests(getClass(), "intstr-findport", vector -> {
            Pod pod = EndpointVectorObjects.read(
                    ResourceTypes.PODS, vector.input().get("pod"));
            Map<String, Object> spec = Map.of("ports", List.of(vector.input().get("servicePort")));
            Service service = EndpointVectorObjects.read(ResourceTypes.SERVICES, Map.of("spec", spec));
            ServicePort port = service.spec().ports().get(0);
            Map<String, Object> expected = vector.expected();

            OptionalInt found = ContainerPorts.findPort(pod, port);

            assertThat(found.isEmpty()).isEqualTo(expected.get("error") != null);
            assertThat(found.orElse(0)).isEqualTo(number(expected.get("port")));
            assertThat(port.targetPort()).hasToString((String) expected.get("targetPortString"));
            assertThat(port.targetPort().intValue()).isEqualTo(number(expected.get("targetPortIntValue")));
        });
    }

    /** What the controllers of Kubernetes 1.36.3 answer. */
    @Test
    void namedPort_ofAnInitContainer_countsIfItIsASidecarAndNoContainerHasIt() {
        Map<String, Object> port = Map.of("name", "http", "containerPort", 15001, "protocol", "TCP");
        Map<String, Object> init = Map.of("name", "once", "ports", List.of(port));
        Map<String, Object> sidecar = Map.of("name", "mesh", "ports", List.of(port), "restartPolicy", "Always");
        Map<String, Object> own = Map.of("name", "http", "containerPort", 8080, "protocol", "TCP");

        assertThat(httpPortOf(List.of(init), List.of())).isEmpty();
        assertThat(httpPortOf(List.of(init, sidecar), List.of())).hasValue(15001);
        assertThat(httpPortOf(List.of(sidecar), List.of(own))).hasValue(8080);
    }

    private static OptionalInt httpPortOf(List<Object> initContainers, List<Object> ports) {
        Map<String, Object> spec =
                Map.of("initContainers", initContainers, "containers", List.of(Map.of("name", "c", "ports", ports)));
        Map<String, Object> http = Map.of("port", 80, "targetPort", "http", "protocol", "TCP");
        Service service =
                EndpointVectorObjects.read(ResourceTypes.SERVICES, Map.of("spec", Map.of("ports", List.of(http))));
        return ContainerPorts.findPort(
                EndpointVectorObjects.read(ResourceTypes.PODS, Map.of("spec", spec)),
                service.spec().ports().get(0));
    }

    private static int number(Object value) {
        return ((BigDecimal) value).intValueExact();
    }
}
