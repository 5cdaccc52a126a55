/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodIP;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeQueue;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndpointsSyncTest {

    private static final ObjectName WEB = new ObjectName("shop", "web");

    private final ReplaceableLister<Service> services = new ReplaceableLister<>();
    private final ReplaceableLister<Pod> pods = new ReplaceableLister<>();
    private final ReplaceableLister<Endpoints> endpoints = new ReplaceableLister<>();
    private final FakeTransport server = new FakeTransport();
    private final RecorderSwitch recorder = new RecorderSwitch();
    private final KubeClient client = KubeClient.of(server, EndpointVectorObjects.CODEC);
    private final FakeQueue<ObjectName> queue = new FakeQueue<>();

    /** What the caches of services and Endpoints have processed: everything, until a test states otherwise. */
    private final FakeLister<Service> seenServices = new FakeLister<>();

    private final FakeLister<Endpoints> seenEndpoints = new FakeLister<>();
    private final WriteBarrier barrier = new WriteBarrier(new ManualClock(Instant.EPOCH), queue::add)
            .follow(ResourceTypes.SERVICES, seenServices)
            .follow(ResourceTypes.ENDPOINTS, seenEndpoints);
    private final EndpointsSync sync =
            new EndpointsSync(new EndpointCaches(services, pods, endpoints), client, recorder, barrier);

    /** Syncs, and returns the one object that was written; its next version is not shown in the cache. */
    private Endpoints written(String verb) {
        sync.syncService(WEB);
        assertThat(server.actions()).hasSize(1);
        Action action = server.actions().get(0);
        assertThat(action.verb()).isEqualTo(verb);
        server.clearActions();
        return EndpointVectorObjects.read(ResourceTypes.ENDPOINTS, action.object());
    }

    private void syncsWithoutWriting() {
        sync.syncService(WEB);
        assertThat(server.actions()).isEmpty();
    }

    private void stored(Endpoints written, String version) {
        endpoints.put(written.withMetadata(ObjectMetaBuilder.builder(written.metadata())
                .resourceVersion(version)
                .build()));
    }

    private static List<String> ready(Endpoints endpoints) {
        return endpoints.subsets().stream()
                .flatMap(subset -> subset.addresses().stream())
                .map(EndpointAddress::ip)
                .toList();
    }

    private static Pod versioned(Pod pod, String version) {
        return pod.withMetadata(ObjectMetaBuilder.builder(pod.metadata())
                .resourceVersion(version)
                .build());
    }

    @Test
    void sync_externalName_leftAlone() {
        Service service = TestObjects.service("web");
        services.put(service.withSpec(ServiceSpecBuilder.builder(service.spec())
                .type("ExternalName")
                .externalName("example.com")
                .build()));
        syncsWithoutWriting();
    }

    @Test
    void sync_podsVersionChanges_noWrite() {
        services.put(TestObjects.service("web"));
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        stored(written("create"), "1");
        pods.put(versioned(TestObjects.pod("a", "10.0.0.1", true), "77"));
        syncsWithoutWriting();
    }

    @Test
    void sync_otherOrderOrUnknownFieldsOnTheServer_noWrite() {
        services.put(TestObjects.service("web"));
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        pods.put(TestObjects.pod("b", "10.0.0.2", true));
        Endpoints written = written("create");
        EndpointSubset subset = written.subsets().get(0);
        List<EndpointAddress> reversed = new ArrayList<>(subset.addresses());
        Collections.reverse(reversed);
        UnknownFields future = UnknownFields.ofMembers("\"future\":true");
        stored(written.withSubsets(List.of(new EndpointSubset(reversed, List.of(), subset.ports(), future))), "1");
        syncsWithoutWriting();
    }

    @Test
    void sync_cacheLagsBehindOwnWrite_isPutOffUntilItShowsTheWrite() {
        services.put(TestObjects.service("web"));
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        seenEndpoints.observed("1");
        Endpoints first = written("create");
        pods.put(TestObjects.pod("b", "10.0.0.2", true));
        syncsWithoutWriting();
        assertThat(queue.takeAdded()).isEmpty();

        stored(first, "2000");
        seenEndpoints.observed("2000");

        assertThat(queue.takeAdded()).containsExactly("shop/web");
        assertThat(ready(written("update"))).containsExactly("10.0.0.1", "10.0.0.2");
    }

    @Test
    void sync_serviceGone_deletesWhatIsThereOrWasJustWritten() {
        syncsWithoutWriting();
        stored(TestObjects.endpoints("web", Map.of()), "5");
        assertThat(verbOf(WEB)).isEqualTo("delete");
        endpoints.remove(WEB);
        syncsWithoutWriting();
        services.put(TestObjects.service("web"));
        written("create");
        services.remove(WEB);
        assertThat(verbOf(WEB)).as("the cache does not show it yet").isEqualTo("delete");
        syncsWithoutWriting();
    }

    private String verbOf(ObjectName name) {
        sync.syncService(name);
        List<Action> writes = server.actions().stream().filter(Action::isWrite).toList();
        server.clearActions();
        assertThat(writes).hasSize(1);
        return writes.get(0).verb();
    }

    @Test
    void sync_cacheOfServicesIsBehind_endpointsStay() {
        // A user created them for a service without a selector, just before this controller started; no controller
        // would create them again.
        stored(TestObjects.endpoints("web", Map.of()), "5");
        Service service = TestObjects.service("web");
        Service versioned = service.withMetadata(ObjectMetaBuilder.builder(service.metadata())
                .resourceVersion("7")
                .build());
        server.with("services", EndpointVectorObjects.write(ResourceTypes.SERVICES, versioned));
        seenServices.observed("6");
        sync.syncService(WEB);
        assertThat(server.actions()).noneMatch(Action::isWrite);
        assertThat(queue.takeAdded()).isEmpty();
        seenServices.observed("7");
        assertThat(queue.takeAdded()).as("it may go unseen").containsExactly("shop/web");
        server.remove("services", WEB);
        server.clearActions();
        assertThat(verbOf(WEB)).isEqualTo("delete");
    }

    @Test
    void sync_creationWasCarriedOutButItsAnswerLost_isDeletedWithItsService() {
        services.put(TestObjects.service("web"));
        server.with(Fault.lostAnswer("create", "endpoints"));
        assertThatExceptionOfType(TransportException.class).isThrownBy(() -> sync.syncService(WEB));
        server.clearActions();
        services.remove(WEB);
        assertThat(verbOf(WEB)).as("though the cache shows none").isEqualTo("delete");
        syncsWithoutWriting();
    }

    @Test
    void sync_afterAWrite_comesBackWhenTheCacheShowsIt() {
        services.put(TestObjects.service("web"));
        seenEndpoints.observed("1");
        written("create");
        assertThat(queue.takeAdded()).isEmpty();
        seenEndpoints.observed("2000");
        assertThat(queue.takeAdded()).as("they may have gone unseen").containsExactly("shop/web");
        assertThat(verbOf(WEB)).isEqualTo("create");
    }

    @Test
    void sync_endpoints_carryTheLabelOfTheirController() {
        services.put(TestObjects.service("web"));
        Endpoints written = written("create");
        assertThat(written.metadata().labels()).containsEntry(EndpointsSync.MANAGED_BY, "endpoint-controller");
        stored(written, "1");
        syncsWithoutWriting();
        stored(
                written.withMetadata(ObjectMetaBuilder.builder(written.metadata())
                        .labels(Map.of())
                        .build()),
                "2");
        assertThat(written("update").metadata().labels()).containsKey(EndpointsSync.MANAGED_BY);
    }

    @Test
    void sync_refused_peopleHearOfIt() {
        assertReported(Fault.of("create", "endpoints", 403, "Forbidden", "no"), ApiException.class, "no");
    }

    @Test
    void sync_otherErrorThatNamesTheTerminatingNamespace_isTriedAgain() {
        Fault slow = new Fault(
                "create", "endpoints", "", "", 429, "TooManyRequests", "slow", "NamespaceTerminating", 1, 1, null);
        assertReported(slow, ApiException.class, "slow");
    }

    @Test
    void sync_requestNotSent_peopleHearOfIt() {
        Fault refused = Fault.fromVector(
                Map.of("verb", "create", "resource", "endpoints", "name", "web", "plain", "connection refused"));
        assertReported(refused, TransportException.class, "connection refused");
    }

    private void assertReported(Fault fault, Class<? extends Exception> failure, String reason) {
        services.put(TestObjects.service("web"));
        server.with(fault);
        assertThatExceptionOfType(failure).isThrownBy(() -> sync.syncService(WEB));
        assertThat(recorder.texts())
                .containsExactly(
                        "Warning FailedToCreateEndpoint Failed to create endpoint for service shop/web: " + reason);
    }

    @Test
    void sync_emptyCollectionsOnTheServer_areNotWrittenBack() {
        services.put(TestObjects.service("web"));
        endpoints.put(EndpointVectorObjects.read(ResourceTypes.ENDPOINTS, Json.parse("""
                {"metadata":{"name":"web","namespace":"shop","resourceVersion":"5","labels":{"a":"b"},"annotations":{},
                             "ownerReferences":[],"creationTimestamp":null},
                 "subsets":[]}""")));
        sync.syncService(WEB);
        Map<String, Object> sent = server.actions().get(0).object();
        assertThat(sent).containsOnlyKeys("kind", "apiVersion", "metadata");
        assertThat(sent.get("metadata"))
                .isEqualTo(Map.of(
                        "name",
                        "web",
                        "namespace",
                        "shop",
                        "resourceVersion",
                        "5",
                        "labels",
                        Map.of(EndpointsSync.MANAGED_BY, "endpoint-controller")));
    }

    @Test
    void sync_conflict_nextTryStartsFromTheCache() {
        services.put(TestObjects.service("web"));
        stored(TestObjects.endpoints("web", Map.of()), "5");
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        server.with(Fault.of("update", "endpoints", 409, "Conflict", "stale"));
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> sync.syncService(WEB))
                .matches(ApiException::isConflict);
        assertThat(recorder.texts()).as("a conflict is routine").isEmpty();
        server.clearFaults();
        server.clearActions();
        stored(TestObjects.endpoints("web", Map.of("other", "writer")), "6");
        Endpoints written = written("update");
        assertThat(written.metadata().resourceVersion()).isEqualTo("6");
        assertThat(written.metadata().annotations()).containsEntry("other", "writer");
    }

    @Test
    void sync_headlessLabelAloneDiffers_writtenOnlyWithAnotherChange() {
        Service service = TestObjects.service("web");
        services.put(service);
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        stored(written("create"), "1");
        services.put(service.withSpec(
                ServiceSpecBuilder.builder(service.spec()).clusterIP("").build()));
        syncsWithoutWriting();
        pods.put(TestObjects.pod("b", "10.0.0.2", true));
        assertThat(written("update").metadata().labels()).containsEntry(EndpointsSync.HEADLESS, "");
    }

    @Test
    void sync_serviceCarriesTheHeadlessLabel_noWriteWhenUpToDate() {
        Service service = TestObjects.service("web");
        services.put(service.withMetadata(ObjectMetaBuilder.builder(service.metadata())
                        .labels(Map.of(EndpointsSync.HEADLESS, ""))
                        .build())
                .withSpec(ServiceSpecBuilder.builder(service.spec())
                        .clusterIP("None")
                        .build()));
        stored(written("create"), "1");
        syncsWithoutWriting();
    }

    @Test
    void sync_finishedPod_isNotListed() {
        services.put(TestObjects.service("web"));
        Pod pod = TestObjects.pod("a", "10.0.0.1", true);
        pods.put(pod.withStatus(
                PodStatusBuilder.builder(pod.status()).phase(PodStatus.FAILED).build()));
        assertThat(written("create").subsets()).isEmpty();
    }

    @Test
    void sync_ipV6Service_takesTheAddressOfThatFamily() {
        Service service = TestObjects.service("web");
        services.put(service.withSpec(
                ServiceSpecBuilder.builder(service.spec()).clusterIP("fd00::10").build()));
        Pod pod = TestObjects.pod("a", "10.0.0.1", true);
        pods.put(pod.withStatus(PodStatusBuilder.builder(pod.status())
                .podIPs(List.of(new PodIP("10.0.0.1", UnknownFields.NONE), new PodIP("fd00::1", UnknownFields.NONE)))
                .build()));
        pods.put(TestObjects.pod("b", "10.0.0.2", true));
        pods.put(TestObjects.pod("c", "::ffff:10.0.0.3", true));
        assertThat(ready(written("create"))).containsExactly("fd00::1");
    }

    private void podWithAddress(String ip) {
        pods.put(TestObjects.pod("a", ip, true));
    }

    @Test
    void sync_addressesInOtherSpellings_writtenInTheCanonicalOne() {
        services.put(TestObjects.service("web"));
        podWithAddress("::ffff:10.0.0.3");
        assertThat(ready(written("create"))).containsExactly("10.0.0.3");
        podWithAddress("010.001.0.4");
        assertThat(ready(written("create"))).containsExactly("10.1.0.4");
        servesIpV6();
        podWithAddress("2001:DB8:0:0::1");
        assertThat(ready(written("create"))).containsExactly("2001:db8::1");
    }

    private void servesIpV6() {
        Service service = TestObjects.service("web");
        services.put(service.withSpec(
                ServiceSpecBuilder.builder(service.spec()).clusterIP("fd00::10").build()));
    }

    @Test
    void sync_subsetsThatAUserSplit_left() {
        services.put(TestObjects.service("web"));
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        pods.put(TestObjects.pod("b", "10.0.0.2", false));
        Endpoints written = written("create");
        EndpointSubset whole = written.subsets().get(0);
        stored(
                new Endpoints(
                        written.metadata(),
                        List.of(
                                new EndpointSubset(whole.addresses(), List.of(), whole.ports(), UnknownFields.NONE),
                                new EndpointSubset(
                                        List.of(), whole.notReadyAddresses(), whole.ports(), UnknownFields.NONE)),
                        UnknownFields.NONE),
                "1");
        syncsWithoutWriting();
    }

    @Test
    void sync_annotatedAsOverCapacityButIsNot_annotationRemovedWhateverItSays() {
        services.put(TestObjects.service("web"));
        pods.put(TestObjects.pod("a", "10.0.0.1", true));
        Endpoints written = written("create");
        stored(
                written.withMetadata(ObjectMetaBuilder.builder(written.metadata())
                        .annotations(Map.of(OverCapacity.ANNOTATION, "warning"))
                        .build()),
                "1");
        assertThat(written("update").metadata().annotations()).doesNotContainKey(OverCapacity.ANNOTATION);
    }

    @Test
    void sync_firstAddressOfTheFamilyIsEmpty_podIsNotListed() {
        services.put(TestObjects.service("web"));
        Pod pod = TestObjects.pod("a", "10.0.0.1", true);
        pods.put(pod.withStatus(PodStatusBuilder.builder(pod.status())
                .podIPs(List.of(new PodIP("", UnknownFields.NONE), new PodIP("10.0.0.1", UnknownFields.NONE)))
                .build()));
        assertThat(written("create").subsets()).isEmpty();
    }

    @Test
    void sync_moreThanAThousandAddresses_truncatedAndAnnotatedOnce() {
        services.put(TestObjects.service("web"));
        for (int i = 0; i < 1001; i++) {
            pods.put(TestObjects.pod("p" + i, "10.0." + i / 250 + "." + (i % 250 + 1), true));
        }
        Endpoints truncated = written("create");
        assertThat(ready(truncated)).hasSize(1000);
        assertThat(truncated.metadata().annotations()).containsEntry(OverCapacity.ANNOTATION, OverCapacity.TRUNCATED);
        stored(truncated, "1");
        syncsWithoutWriting();
        pods.remove(new ObjectName("shop", "p1000"));
        pods.remove(new ObjectName("shop", "p999"));
        Endpoints whole = written("update");
        assertThat(ready(whole)).hasSize(999);
        assertThat(whole.metadata().annotations()).doesNotContainKey(OverCapacity.ANNOTATION);
    }

    @Test
    void sync_randomPods_equalsANaiveRecomputation() {
        Random random = new Random(11);
        services.put(TestObjects.service("web"));
        Map<String, Pod> world = new LinkedHashMap<>();
        Set<String> known = new HashSet<>();
        for (int step = 0; step < 300; step++) {
            String name = "p" + random.nextInt(8);
            if (random.nextInt(3) == 0) {
                world.remove(name);
                pods.remove(new ObjectName("shop", name));
            } else {
                Pod pod = TestObjects.pod(name, "10.0.0." + random.nextInt(5), random.nextBoolean());
                world.put(name, pod);
                pods.put(pod);
            }
            server.clearActions();
            sync.syncService(WEB);
            for (Action action : server.actions()) {
                known = pairs(EndpointVectorObjects.read(ResourceTypes.ENDPOINTS, action.object()));
            }
            assertThat(known).as("after step %d", step).isEqualTo(naive(world));
        }
    }

    private static Set<String> pairs(Endpoints endpoints) {
        Set<String> pairs = new HashSet<>();
        for (EndpointSubset subset : endpoints.subsets()) {
            subset.addresses()
                    .forEach(a -> pairs.add(a.ip() + " " + a.targetRef().name() + " ready"));
            subset.notReadyAddresses()
                    .forEach(a -> pairs.add(a.ip() + " " + a.targetRef().name() + " not ready"));
        }
        return pairs;
    }

    private static Set<String> naive(Map<String, Pod> world) {
        Set<String> pairs = new HashSet<>();
        world.forEach((name, pod) ->
                pairs.add(pod.status().podIP() + " " + name + (pod.isReady() ? " ready" : " not ready")));
        return pairs;
    }
}
