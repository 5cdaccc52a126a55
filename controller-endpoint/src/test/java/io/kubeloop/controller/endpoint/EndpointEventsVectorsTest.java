/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.controller.fake.FakeQueue;
import io.kubeloop.testing.Vectors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of the handlers: which notification queues which services. */
@SuppressWarnings("unchecked")
class EndpointEventsVectorsTest {

    @TestFactory
    Stream<DynamicTest> events() {
        return Vectors.tests(getClass(), "endpoint-events", vector -> new Run(vector).check());
    }

    private static final class Run {

        private final Vectors.Case vector;
        private final ReplaceableLister<Service> services = new ReplaceableLister<>();
        private final ReplaceableLister<Pod> pods = new ReplaceableLister<>();
        private final ReplaceableLister<Endpoints> endpoints = new ReplaceableLister<>();
        private final FakeQueue<ObjectName> queue = new FakeQueue<>();
        private final EndpointEventHandlers handlers =
                new EndpointEventHandlers(new EndpointCaches(services, pods, endpoints), queue, Duration.ZERO);

        Run(Vectors.Case vector) {
            this.vector = vector;
            Map<String, Object> input = vector.input();
            services.replace(EndpointVectorObjects.readAll(ResourceTypes.SERVICES, input.get("services")));
            pods.replace(EndpointVectorObjects.readAll(ResourceTypes.PODS, input.get("pods")));
            endpoints.replace(EndpointVectorObjects.readAll(ResourceTypes.ENDPOINTS, input.get("endpoints")));
        }

        void check() {
            List<Map<String, Object>> events =
                    (List<Map<String, Object>>) vector.input().get("events");
            List<Map<String, Object>> expected =
                    (List<Map<String, Object>>) vector.expected().get("events");
            for (int i = 0; i < events.size(); i++) {
                deliver(events.get(i));
                List<String> enqueued = queue.takeAdded().stream()
                        .map(key -> key.replace(" after 0s", ""))
                        .toList();
                assertThat(enqueued)
                        .as("after event %d", i)
                        .isEqualTo(expected.get(i).get("enqueued"));
            }
        }

        private void deliver(Map<String, Object> event) {
            switch ((String) event.get("type")) {
                case "podAdd" -> handlers.ofPods().onAdd(pod(event, "object"), false);
                case "podUpdate" -> handlers.ofPods().onUpdate(pod(event, "old"), pod(event, "object"));
                case "podDelete" -> {
                    Pod pod = pod(event, "object");
                    handlers.ofPods().onDelete(new DeletedObject.Observed<>(pod.objectName(), pod));
                }
                case "podDeleteTombstone" ->
                    handlers.ofPods()
                            .onDelete(new DeletedFinalStateUnknown<>(
                                    key(event), event.get("object") == null ? null : pod(event, "object")));
                case "serviceSet" -> {
                    Service before = services.get(service(event).objectName());
                    services.put(service(event));
                    if (before == null) {
                        handlers.ofServices().onAdd(service(event), false);
                    } else {
                        handlers.ofServices().onUpdate(before, service(event));
                    }
                }
                case "serviceSetSilently" -> services.put(service(event));
                case "serviceDelete" -> {
                    ObjectName name = service(event).objectName();
                    services.remove(name);
                    handlers.ofServices().onDelete(new DeletedObject.Observed<>(name, service(event)));
                }
                case "endpointsDelete" -> {
                    Endpoints object = EndpointVectorObjects.read(ResourceTypes.ENDPOINTS, event.get("object"));
                    handlers.ofEndpoints().onDelete(new DeletedObject.Observed<>(object.objectName(), object));
                }
                case "endpointsDeleteTombstone" ->
                    handlers.ofEndpoints().onDelete(new DeletedFinalStateUnknown<>(key(event), null));
                case "startupLeftovers" ->
                    endpoints.list().forEach(e -> handlers.ofEndpoints().onAdd(e, true));
                default -> throw new IllegalArgumentException("unknown event: " + event);
            }
        }

        private static Pod pod(Map<String, Object> event, String member) {
            return EndpointVectorObjects.read(ResourceTypes.PODS, event.get(member));
        }

        private static Service service(Map<String, Object> event) {
            return EndpointVectorObjects.read(ResourceTypes.SERVICES, event.get("object"));
        }

        private static ObjectName key(Map<String, Object> event) {
            return ObjectName.parse((String) event.get("key"));
        }
    }
}
