/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.controller.services.SubsetOrder;
import io.kubeloop.testing.Vectors;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of syncService. */
@SuppressWarnings("unchecked")
class EndpointSyncVectorsTest {

    @TestFactory
    Stream<DynamicTest> sync() {
        return Vectors.tests(getClass(), "endpoint-sync", vector -> new Run(vector).check());
    }

    private static final class Run {

        private final Vectors.Case vector;
        private final ReplaceableLister<Service> services = new ReplaceableLister<>();
        private final ReplaceableLister<Pod> pods = new ReplaceableLister<>();
        private final ReplaceableLister<Endpoints> endpoints = new ReplaceableLister<>();
        private final FakeTransport server = new FakeTransport();
        private final RecorderSwitch recorder = new RecorderSwitch();
        private final KubeClient client = KubeClient.of(server, EndpointVectorObjects.CODEC);
        private final EndpointsSync sync;

        Run(Vectors.Case vector) {
            this.vector = vector;
            WriteBarrier barrier = new WriteBarrier(Clock.systemUTC(), key -> {})
                    .follow(ResourceTypes.SERVICES, new FakeLister<>())
                    .follow(ResourceTypes.ENDPOINTS, new FakeLister<>());
            sync = new EndpointsSync(new EndpointCaches(services, pods, endpoints), client, recorder, barrier);
        }

        void check() {
            List<Map<String, Object>> steps =
                    (List<Map<String, Object>>) vector.input().get("steps");
            List<Map<String, Object>> expected =
                    (List<Map<String, Object>>) vector.expected().get("steps");
            for (int i = 0; i < steps.size(); i++) {
                check(steps.get(i), expected.get(i));
            }
        }

        private void check(Map<String, Object> step, Map<String, Object> expected) {
            services.replace(EndpointVectorObjects.readAll(ResourceTypes.SERVICES, step.get("services")));
            pods.replace(EndpointVectorObjects.readAll(ResourceTypes.PODS, step.get("pods")));
            endpoints.replace(EndpointVectorObjects.readAll(ResourceTypes.ENDPOINTS, step.get("endpoints")));
            server.clearActions();
            server.clearFaults();
            ((List<Map<String, ?>>) step.getOrDefault("apiErrors", List.of()))
                    .forEach(error -> server.with(Fault.fromVector(error)));
            recorder.renew();

            String key = (String) step.get("sync");
            String error = syncAndCatch(key);

            if (key.matches("[^/]*|/[^/]*|[^/]*/")) {
                // Upstream's double deletes in no namespace; its real client refuses that, and so does ours.
                assertThat(error).contains("needs a name and a namespace");
                assertThat(server.actions()).isEmpty();
                return;
            }
            checkError(error, (String) expected.get("error"));
            assertThat(server.actions().stream()
                            .filter(Action::isWrite)
                            .map(Run::comparable)
                            .toList())
                    .isEqualTo(((List<Map<String, Object>>) expected.get("actions"))
                            .stream().map(Run::comparable).toList());
            assertThat(recorder.texts()).isEqualTo(expected.get("events"));
        }

        private String syncAndCatch(String key) {
            try {
                ObjectName service = ObjectName.parse(key);
                sync.syncService(service);
                return null;
            } catch (RuntimeException e) {
                return Errors.text(e);
            }
        }

        /** Our words may go on where upstream's end. */
        private static void checkError(String actual, String expected) {
            if (expected == null) {
                assertThat(actual).isNull();
            } else {
                assertThat(actual).startsWith(expected);
            }
        }

        private static Map<String, Object> comparable(Action action) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("verb", action.verb());
            if (action.verb().equals("delete")) {
                json.put("name", action.name());
            } else {
                json.put("object", action.object());
            }
            return comparable(json);
        }

        /** New objects have no namespace upstream, where the path has it; the order of subsets has no meaning. */
        private static Map<String, Object> comparable(Map<String, Object> action) {
            if (action.get("verb").equals("delete")) {
                return Map.of("verb", "delete", "name", action.get("name"));
            }
            Endpoints endpoints = EndpointVectorObjects.read(ResourceTypes.ENDPOINTS, action.get("object"));
            Map<String, Object> sorted = EndpointVectorObjects.write(
                    ResourceTypes.ENDPOINTS, endpoints.withSubsets(SubsetOrder.sort(endpoints.subsets())));
            ((Map<String, Object>) sorted.get("metadata")).remove("namespace");
            return Map.of("verb", action.get("verb"), "object", sorted);
        }
    }
}
