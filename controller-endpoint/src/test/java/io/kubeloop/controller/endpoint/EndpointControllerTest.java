/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole loop: a server, informers, and the controller between them. */
class EndpointControllerTest {

    private static final ObjectName WEB = new ObjectName("shop", "web");
    private static final DeleteOptions AT_ONCE = new DeleteOptions(0L, null, null, null);

    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final KubeClient client = KubeClient.of(server.transport(), EndpointVectorObjects.CODEC);
    private final SharedInformerFactory informers = SharedInformers.factory(client);
    private final EndpointController controller = new EndpointController(
            new ControllerContext(
                    component -> client,
                    informers,
                    Clock.systemUTC(),
                    this::newThread,
                    WorkQueueConfig::named,
                    component -> EventRecorder.NONE),
            EndpointControllerConfig.DEFAULT);

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }

    @BeforeEach
    void makeNamespace() {
        client.resource(ResourceTypes.NAMESPACES)
                .create(EndpointVectorObjects.read(
                        ResourceTypes.NAMESPACES, Map.of("metadata", Map.of("name", "shop"))));
    }

    @AfterEach
    void everyThreadIsGone() {
        controller.close();
        informers.close();
        client.close();
        server.close();
        assertThat(threads).noneMatch(Thread::isAlive);
    }

    /** Generous: builds share their machine. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    private void start() {
        controller.start(2);
        informers.start();
    }

    private void createService(String name) {
        client.resource(ResourceTypes.SERVICES).create(TestObjects.service(name));
    }

    private Pod createPod(String name, String ip, boolean ready) {
        Pod wanted = TestObjects.pod(name, ip, ready);
        Pod created = client.resource(ResourceTypes.PODS).create(wanted);
        return client.resource(ResourceTypes.PODS).updateStatus(created.withStatus(wanted.status()));
    }

    private Endpoints endpoints(ObjectName name) {
        try {
            return client.resource(ResourceTypes.ENDPOINTS).get(name);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private List<String> addresses(ObjectName name) {
        Endpoints endpoints = endpoints(name);
        return endpoints == null
                ? List.of()
                : endpoints.subsets().stream()
                        .flatMap(subset -> Stream.concat(
                                subset.addresses().stream().map(EndpointAddress::ip),
                                subset.notReadyAddresses().stream().map(address -> "not ready " + address.ip())))
                        .toList();
    }

    private void awaitAddresses(String... expected) {
        await().untilAsserted(() -> assertThat(addresses(WEB)).containsExactly(expected));
    }

    @Test
    void podsComeChangeAndGo_endpointsFollow() {
        start();
        createService("web");
        awaitEndpointsExist();
        Pod first = createPod("a", "10.0.0.1", true);
        awaitAddresses("10.0.0.1");
        createPod("b", "10.0.0.2", false);
        awaitAddresses("10.0.0.1", "not ready 10.0.0.2");
        client.resource(ResourceTypes.PODS)
                .updateStatus(client.resource(ResourceTypes.PODS)
                        .get(first.objectName())
                        .withStatus(PodStatusBuilder.builder(first.status())
                                .conditions(List.of())
                                .build()));
        awaitAddresses("not ready 10.0.0.1", "not ready 10.0.0.2");
        client.resource(ResourceTypes.PODS).delete(first.objectName(), AT_ONCE);
        awaitAddresses("not ready 10.0.0.2");
    }

    private void awaitEndpointsExist() {
        await().until(() -> endpoints(WEB) != null);
    }

    @Test
    void podsLabelChanges_endpointsFollow() {
        start();
        createService("web");
        Pod pod = createPod("a", "10.0.0.1", true);
        awaitAddresses("10.0.0.1");
        client.resource(ResourceTypes.PODS)
                .update(pod.withMetadata(ObjectMetaBuilder.builder(pod.metadata())
                        .labels(Map.of("app", "other"))
                        .build()));
        awaitAddresses();
    }

    @Test
    void start_objectsThatExist_broughtIntoOrder() {
        createService("web");
        createPod("a", "10.0.0.1", true);
        Endpoints leftover = TestObjects.endpoints("gone", Map.of());
        client.resource(ResourceTypes.ENDPOINTS).create(leftover);
        Endpoints election =
                TestObjects.endpoints("election", Map.of(EndpointEventHandlers.LEADER_ELECTION_RECORD, "{}"));
        client.resource(ResourceTypes.ENDPOINTS).create(election);

        start();

        awaitAddresses("10.0.0.1");
        await().until(() -> endpoints(leftover.objectName()) == null);
        assertThat(endpoints(election.objectName())).isNotNull();
    }

    @Test
    void endpointsDeletedBySomebody_madeAgain() {
        start();
        createService("web");
        createPod("a", "10.0.0.1", true);
        awaitAddresses("10.0.0.1");
        for (int i = 0; i < 5; i++) {
            String uid = endpoints(WEB).metadata().uid();
            client.resource(ResourceTypes.ENDPOINTS).delete(WEB, DeleteOptions.DEFAULT);
            await().untilAsserted(() -> assertThat(endpoints(WEB))
                    .isNotNull()
                    .satisfies(e -> assertThat(e.metadata().uid()).isNotEqualTo(uid)));
            awaitAddresses("10.0.0.1");
        }
    }

    @Test
    void serviceDeleted_endpointsDeleted() {
        start();
        createService("web");
        awaitEndpointsExist();
        client.resource(ResourceTypes.SERVICES).delete(WEB, DeleteOptions.DEFAULT);
        await().until(() -> endpoints(WEB) == null);
    }

    @Test
    void serviceWithoutSelector_endpointsLeftAlone() {
        start();
        Service manual = TestObjects.service("manual")
                .withSpec(ServiceSpecBuilder.builder().clusterIP("None").build());
        client.resource(ResourceTypes.SERVICES).create(manual);
        Endpoints own = TestObjects.endpoints("manual", Map.of()).withSubsets(List.of(TestObjects.subset("192.0.2.1")));
        client.resource(ResourceTypes.ENDPOINTS).create(own);
        createService("web");
        createPod("a", "10.0.0.1", true);
        awaitAddresses("10.0.0.1");
        assertThat(endpoints(manual.objectName()).subsets())
                .extracting(EndpointSubset::addresses)
                .isEqualTo(List.of(TestObjects.subset("192.0.2.1").addresses()));
    }

    @Test
    void start_twiceOrAfterShutDown_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> controller.start(0));
        controller.start(1);
        assertThatIllegalStateException().isThrownBy(() -> controller.start(1));
        controller.shutDown();
        assertThatIllegalStateException().isThrownBy(() -> controller.start(1));
    }

    @Test
    void shutDown_beforeTheCachesAreFilled_ends() {
        controller.start(3);
        controller.shutDown();
        assertThat(controller.awaitTermination(Duration.ofSeconds(10))).isTrue();
        assertThat(threads)
                .hasSize(1)
                .allSatisfy(thread -> assertThat(thread.getName()).isEqualTo("kubeloop-starter-endpoint"));
    }

    @Test
    void awaitTermination_neverStarted_returnsAtOnce() {
        controller.shutDown();
        controller.shutDown();
        assertThat(controller.awaitTermination(Duration.ZERO)).isTrue();
    }
}
