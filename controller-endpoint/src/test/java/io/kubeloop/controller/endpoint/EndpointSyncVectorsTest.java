package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.controller.fake.FakeQueue;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of syncService, under the rules of the release that they were recorded with. */
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
        private final EndpointsSync sync;

        Run(Vectors.Case vector) {
            this.vector = vector;
            Map<String, Object> gates = (Map<String, Object>) vector.input().getOrDefault("featureGates", Map.of());
            sync = new EndpointsSync(
                    new EndpointCaches(services, pods, endpoints),
                    KubeClient.of(server, EndpointVectorObjects.CODEC),
                    recorder,
                    new RecentWrites<>(Clock.systemUTC()),
                    new FakeQueue<>(),
                    EndpointRules.V1_20.withDualStack(Boolean.TRUE.equals(gates.get("IPv6DualStack"))));
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
            List<Pod> allPods = new ArrayList<>(EndpointVectorObjects.readAll(ResourceTypes.PODS, step.get("pods")));
            if (step.get("generatePods") instanceof Map<?, ?> recipe) {
                allPods.addAll(GeneratedPods.make((Map<String, Object>) recipe));
            }
            pods.replace(allPods);
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
            assertThat(server.actions().stream().map(this::action).toList())
                    .isEqualTo(((List<Map<String, Object>>) expected.get("actions"))
                            .stream().map(Run::comparable).toList());
            assertThat(recorder.texts()).isEqualTo(expected.get("events"));
        }

        private String syncAndCatch(String key) {
            try {
                sync.syncService(ObjectName.parse(key));
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

        private Map<String, Object> action(Action action) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("verb", action.verb());
            json.put("resource", action.resource());
            json.put("namespace", action.namespace());
            if (action.verb().equals("delete")) {
                json.put("name", action.name());
            } else {
                Map<String, Object> object = EndpointVectorObjects.json(action.body());
                object.remove("kind");
                object.remove("apiVersion");
                json.put("object", vector.input().containsKey("summary") ? GeneratedPods.summary(object) : object);
            }
            return comparable(json);
        }

        /** New objects have no namespace upstream, where the path has it; ours have it too. */
        private static Map<String, Object> comparable(Map<String, Object> action) {
            Map<String, Object> copy = new LinkedHashMap<>(action);
            if (action.get("object") instanceof Map<?, ?> object) {
                Map<String, Object> endpoints = new LinkedHashMap<>((Map<String, Object>) object);
                Map<String, Object> metadata = new LinkedHashMap<>((Map<String, Object>) endpoints.get("metadata"));
                metadata.remove("namespace");
                endpoints.put("metadata", metadata);
                copy.put("object", endpoints);
            }
            return copy;
        }
    }

    /** The recipe of the cases with very many pods. */
    private static final class GeneratedPods {

        static List<Pod> make(Map<String, Object> recipe) {
            Map<String, Object> template = (Map<String, Object>) recipe.get("template");
            int count = number(recipe.get("count"));
            int notReadyFrom = recipe.containsKey("notReadyFrom") ? number(recipe.get("notReadyFrom")) : count;
            List<Object> prefix = (List<Object>) recipe.get("ipPrefix");
            List<Pod> made = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Map<String, Object> metadata = new LinkedHashMap<>((Map<String, Object>) template.get("metadata"));
                metadata.put("name", (String) recipe.get("namePrefix") + i);
                metadata.put("uid", (String) recipe.get("uidPrefix") + i);
                String ip = prefix.get(0) + "." + prefix.get(1) + "." + (i / 250) + "." + (i % 250 + 1);
                Map<String, Object> status = new LinkedHashMap<>((Map<String, Object>) template.get("status"));
                status.put("podIP", ip);
                status.put("podIPs", List.of(Map.of("ip", ip)));
                if (i >= notReadyFrom) {
                    status.put("conditions", List.of(Map.of("type", "Ready", "status", "False")));
                }
                Map<String, Object> pod = new LinkedHashMap<>(template);
                pod.put("metadata", metadata);
                pod.put("status", status);
                made.add(EndpointVectorObjects.read(ResourceTypes.PODS, pod));
            }
            return made;
        }

        static Map<String, Object> summary(Map<String, Object> endpoints) {
            Map<String, Object> copy = new LinkedHashMap<>(endpoints);
            copy.remove("subsets");
            List<Map<String, Object>> subsets =
                    (List<Map<String, Object>>) endpoints.getOrDefault("subsets", List.of());
            List<Map<String, Object>> summaries = new ArrayList<>();
            for (Map<String, Object> subset : subsets) {
                Map<String, Object> summary = new LinkedHashMap<>();
                for (String part : List.of("addresses", "notReadyAddresses")) {
                    List<Object> addresses = (List<Object>) subset.getOrDefault(part, List.of());
                    summary.put(part + "Count", BigDecimal.valueOf(addresses.size()));
                    if (!addresses.isEmpty()) {
                        summary.put(part + "First", addresses.get(0));
                        summary.put(part + "Last", addresses.get(addresses.size() - 1));
                    }
                }
                summary.put("ports", subset.get("ports"));
                summaries.add(summary);
            }
            copy.put("subsetSummary", summaries);
            return copy;
        }

        private static int number(Object value) {
            return ((BigDecimal) value).intValueExact();
        }
    }
}
