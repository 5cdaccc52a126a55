package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.Pod;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Service;
import io.kubeloop.api.ServicePort;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ContainerPortsTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.tests(getClass(), "intstr-findport", vector -> {
            Pod pod = VectorObjects.read(ResourceTypes.PODS, vector.input().get("pod"));
            Map<String, Object> spec = Map.of("ports", List.of(vector.input().get("servicePort")));
            Service service = VectorObjects.read(ResourceTypes.SERVICES, Map.of("spec", spec));
            ServicePort port = service.spec().ports().get(0);
            Map<String, Object> expected = vector.expected();

            OptionalInt found = ContainerPorts.findPort(pod, port);

            assertThat(found.isEmpty()).isEqualTo(expected.get("error") != null);
            assertThat(found.orElse(0)).isEqualTo(number(expected.get("port")));
            assertThat(port.targetPort()).hasToString((String) expected.get("targetPortString"));
            assertThat(port.targetPort().intValue()).isEqualTo(number(expected.get("targetPortIntValue")));
        });
    }

    private static int number(Object value) {
        return ((BigDecimal) value).intValueExact();
    }
}
