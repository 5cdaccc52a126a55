/* SPDX-License-Identifier: Apache-2.0 */
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.*;

import io.fabric8.kubernetes.api.model.*;
import io.fabric8.kubernetes.api.model.apps.*;
import io.fabric8.kubernetes.api.model.authorization.v1.*;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.*;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.Watcher.Action;
import io.fabric8.kubernetes.client.dsl.base.*;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.*;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The fabric8 client, unmodified, against the server of KUBECONFIG. Watches run over WebSockets unless a test says
 * otherwise.
 */
class Fabric8Test {

    static final KubernetesClient client = new KubernetesClientBuilder().build();
    static String namespace;

    @BeforeAll
    static void begin() {
        namespace = "fabric8-" + UUID.randomUUID().toString().substring(0, 8);
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterAll
    static void end() {
        client.namespaces().withName(namespace).delete();
        client.namespaces().withName(namespace).waitUntilCondition(Objects::isNull, 120, SECONDS);
        client.close();
    }

    static KubernetesClient overHttp() {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withOnlyHttpWatches(true)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    static ConfigMap map(String name, String... pairs) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .addToLabels("suite", name.split("-")[0])
                .endMetadata()
                .addToData(pairs.length == 0 ? Map.of("a", "1") : Map.of(pairs[0], pairs[1]))
                .build();
    }

    static ConfigMap create(String name) {
        return client.resource(map(name)).create();
    }

    static KubernetesClientException refused(int code, org.junit.jupiter.api.function.Executable call) {
        KubernetesClientException e = assertThrows(KubernetesClientException.class, call);
        assertEquals(code, e.getCode(), e.getMessage());
        return e;
    }

    static void eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not reached within 60 s");
            Thread.sleep(50);
        }
    }

    static Deployment deployment(String name, int replicas) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("example.com/app:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("example.com/app:1")
                .endContainer()
                .endSpec()
                .build();
    }

    // --- discovery

    @Test
    void version() {
        assertEquals("1", client.getKubernetesVersion().getMajor());
        assertTrue(client.getKubernetesVersion().getGitVersion().startsWith("v1."));
        assertNotNull(client.getKubernetesVersion().getBuildDate());
    }

    @Test
    void groups() {
        assertTrue(client.hasApiGroup("apps", true));
        assertFalse(client.hasApiGroup("route.openshift.io", false));
        assertTrue(client.getApiGroups().getGroups().stream()
                .anyMatch(g -> g.getName().equals("batch")));
        assertTrue(client.getApiResources("apps/v1").getResources().stream()
                .anyMatch(r -> r.getName().equals("deployments/scale")));
        assertTrue(client.supports("v1", "Pod"));
        assertFalse(client.supports("example.com/v1", "Nothing"));
        assertNotNull(client.getApiGroup("rbac.authorization.k8s.io").getPreferredVersion());
    }

    @Test
    void rawRequests() {
        assertTrue(client.raw("/apis").contains("\"APIGroupList\""));
        assertNull(client.raw("/apis/nothing.example.com/v1"));
        assertTrue(client.raw("/openapi/v3").contains("apis/apps/v1"));
        assertEquals("ok", client.raw("/readyz"));
    }

    // --- objects

    @Test
    void createReadDelete() {
        ConfigMap made = create("crud");
        assertNotNull(made.getMetadata().getUid());
        assertEquals(
                "AlreadyExists", refused(409, () -> create("crud")).getStatus().getReason());
        assertEquals(
                made,
                client.configMaps().inNamespace(namespace).withName("crud").get());
        List<StatusDetails> details = client.resource(made).delete();
        assertEquals("configmaps", details.get(0).getKind());
        assertNull(client.resource(made).get());
        assertTrue(client.resource(made).delete().isEmpty());
    }

    @Test
    void updateAndReplace() {
        ConfigMap made = create("update");
        ConfigMap changed = new ConfigMapBuilder(made).addToData("b", "2").build();
        assertEquals("2", client.resource(changed).update().getData().get("b"));
        assertEquals(
                "Conflict",
                refused(
                                409,
                                () -> client.resource(changed)
                                        .lockResourceVersion(made.getMetadata().getResourceVersion())
                                        .update())
                        .getStatus()
                        .getReason());
        assertEquals(
                Map.of("c", "3"),
                client.resource(map("update", "c", "3")).update().getData());
    }

    @Test
    void edit() {
        create("edit");
        var edited = client.configMaps()
                .inNamespace(namespace)
                .withName("edit")
                .edit(m -> new ConfigMapBuilder(m).addToData("b", "2").build());
        assertEquals(Map.of("a", "1", "b", "2"), edited.getData());
    }

    @Test
    void patchKinds() {
        create("patch");
        var resource = client.configMaps().inNamespace(namespace).withName("patch");
        assertEquals(
                "2",
                resource.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":\"2\"}}")
                        .getData()
                        .get("a"));
        assertEquals(
                "3",
                resource.patch(
                                PatchContext.of(PatchType.JSON),
                                "[{\"op\":\"replace\",\"path\":\"/data/a\"," + "\"value\":\"3\"}]")
                        .getData()
                        .get("a"));
        assertEquals(
                "4",
                resource.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "data: {a: '4'}")
                        .getData()
                        .get("a"));
    }

    @Test
    void serverSideApply() {
        ConfigMap applied = client.resource(map("apply")).fieldManager("one").serverSideApply();
        assertEquals("Apply", applied.getMetadata().getManagedFields().get(0).getOperation());
        assertEquals("one", applied.getMetadata().getManagedFields().get(0).getManager());
        var conflict = refused(
                409,
                () -> client.resource(map("apply", "a", "2"))
                        .fieldManager("two")
                        .serverSideApply());
        assertEquals(
                "FieldManagerConflict",
                conflict.getStatus().getDetails().getCauses().get(0).getReason());
        assertEquals(
                "2",
                client.resource(map("apply", "a", "2"))
                        .fieldManager("two")
                        .forceConflicts()
                        .serverSideApply()
                        .getData()
                        .get("a"));
        assertEquals(
                applied.getMetadata().getUid(),
                client.resource(map("apply", "a", "2"))
                        .fieldManager("two")
                        .serverSideApply()
                        .getMetadata()
                        .getUid());
    }

    @Test
    void dryRun() {
        assertNotNull(
                client.resource(map("dry")).dryRun().create().getMetadata().getUid());
        assertNull(client.resource(map("dry")).get());
    }

    @Test
    void strictFieldValidation() {
        GenericKubernetesResource bad = Serialization.unmarshal(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + "strict}\ndaat: {}\n",
                GenericKubernetesResource.class);
        var e = refused(
                400,
                () -> client.genericKubernetesResources("v1", "ConfigMap")
                        .inNamespace(namespace)
                        .resource(bad)
                        .fieldValidation(io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation.STRICT)
                        .create());
        assertTrue(e.getMessage().contains("unknown field \"daat\""), e.getMessage());
    }

    @Test
    void invalidObjects() {
        var e = refused(422, () -> client.resource(map("Bad_Name")).create());
        assertEquals(
                "metadata.name", e.getStatus().getDetails().getCauses().get(0).getField());
    }

    @Test
    void listsWithSelectorsAndPages() {
        for (int i = 0; i < 5; i++) {
            create("page-" + i);
        }
        var maps = client.configMaps().inNamespace(namespace);
        assertEquals(5, maps.withLabel("suite", "page").list().getItems().size());
        ConfigMapList first = maps.withLabel("suite", "page")
                .list(new ListOptionsBuilder().withLimit(2L).build());
        assertEquals(2, first.getItems().size());
        var rest = maps.withLabel("suite", "page")
                .list(new ListOptionsBuilder()
                        .withContinue(first.getMetadata().getContinue())
                        .build());
        assertEquals(3, rest.getItems().size());
        assertEquals(
                1, maps.withField("metadata.name", "page-3").list().getItems().size());
        assertEquals(
                4,
                maps.withLabel("suite", "page")
                        .withoutField("metadata.name", "page-3")
                        .list()
                        .getItems()
                        .size());
        assertTrue(client.configMaps()
                        .inAnyNamespace()
                        .withLabelIn("suite", "page")
                        .list()
                        .getItems()
                        .size()
                >= 5);
        assertEquals(5, maps.withLabel("suite", "page").resources().count());
        assertEquals(5, maps.withLabel("suite", "page").delete().size());
        assertEquals(0, maps.withLabel("suite", "page").list().getItems().size());
    }

    @Test
    void generatedNames() {
        ConfigMap map = new ConfigMapBuilder(map("x"))
                .editMetadata()
                .withName(null)
                .withGenerateName("generated-")
                .endMetadata()
                .build();
        assertTrue(client.resource(map).create().getMetadata().getName().matches("generated-[a-z0-9]{5}"));
    }

    @Test
    void finalizersAndPropagation() throws Exception {
        ConfigMap owner = client.resource(new ConfigMapBuilder(map("owner"))
                        .editMetadata()
                        .addToFinalizers("example.com/hold")
                        .endMetadata()
                        .build())
                .create();
        ConfigMap child = new ConfigMapBuilder(map("child")).build();
        child.addOwnerReference(owner);
        client.resource(child).create();
        client.resource(owner)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
        assertTrue(client.resource(owner).get().isMarkedForDeletion());
        client.configMaps().inNamespace(namespace).withName("owner").edit(m -> {
            m.removeFinalizer("example.com/hold");
            return m;
        });
        assertNull(client.resource(owner).get());
        eventually(() -> client.resource(child).get() == null);
    }

    @Test
    void yamlManifests() {
        String text = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: loaded-1}
                data: {a: "1"}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: loaded-2}
                stringData: {k: v}
                """;
        var loaded =
                client.load(new java.io.ByteArrayInputStream(text.getBytes())).inNamespace(namespace);
        assertEquals(2, loaded.serverSideApply().size());
        assertEquals(
                "dg==",
                client.secrets()
                        .inNamespace(namespace)
                        .withName("loaded-2")
                        .get()
                        .getData()
                        .get("k"));
        assertEquals(2, loaded.delete().size());
    }

    // --- watches and informers

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void watch(boolean http) throws Exception {
        try (KubernetesClient own = http ? overHttp() : new KubernetesClientBuilder().build()) {
            BlockingQueue<String> seen = new LinkedBlockingQueue<>();
            CountDownLatch closed = new CountDownLatch(1);
            String name = "watched-" + http;
            var watch = own.configMaps().inNamespace(namespace).withName(name).watch(new Watcher<ConfigMap>() {
                @Override
                public void eventReceived(Action action, ConfigMap map) {
                    seen.add(action + map.getData().get("a"));
                }

                @Override
                public void onClose(WatcherException cause) {
                    closed.countDown();
                }

                @Override
                public void onClose() {
                    closed.countDown();
                }
            });
            create(name);
            assertEquals(Action.ADDED + "1", seen.poll(30, SECONDS));
            client.resource(map(name, "a", "2")).update();
            assertEquals(Action.MODIFIED + "2", seen.poll(30, SECONDS));
            client.resource(map(name)).delete();
            assertEquals(Action.DELETED + "2", seen.poll(30, SECONDS));
            watch.close();
            assertTrue(closed.await(30, SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void informer(boolean http) throws Exception {
        try (KubernetesClient own = http ? overHttp() : new KubernetesClientBuilder().build()) {
            String prefix = "informed" + http;
            create(prefix + "-0");
            BlockingQueue<String> seen = new LinkedBlockingQueue<>();
            try (SharedIndexInformer<ConfigMap> informer = own.configMaps()
                    .inNamespace(namespace)
                    .withLabel("suite", prefix)
                    .inform(new ResourceEventHandler<>() {
                        @Override
                        public void onAdd(ConfigMap map) {
                            seen.add("add " + map.getMetadata().getName());
                        }

                        @Override
                        public void onUpdate(ConfigMap before, ConfigMap map) {
                            seen.add("update " + map.getMetadata().getName()
                                    + before.getData().get("a") + map.getData().get("a"));
                        }

                        @Override
                        public void onDelete(ConfigMap map, boolean isUnknown) {
                            seen.add("delete " + map.getMetadata().getName() + isUnknown);
                        }
                    })) {
                assertTrue(informer.hasSynced());
                assertEquals("add " + prefix + "-0", seen.poll(30, SECONDS));
                create(prefix + "-1");
                assertEquals("add " + prefix + "-1", seen.poll(30, SECONDS));
                client.resource(map(prefix + "-1", "a", "2")).update();
                assertEquals("update " + prefix + "-112", seen.poll(30, SECONDS));
                client.resource(map(prefix + "-0")).delete();
                assertEquals("delete " + prefix + "-0false", seen.poll(30, SECONDS));
                assertEquals(1, informer.getStore().list().size());
                assertTrue(informer.isWatching());
            }
        }
    }

    @Test
    void informerInPages() {
        for (int i = 0; i < 5; i++) {
            create("paged-" + i);
        }
        try (var informer = client.configMaps()
                .inNamespace(namespace)
                .withLabel("suite", "paged")
                .withLimit(2L)
                .inform()) {
            assertEquals(5, informer.getStore().list().size());
        }
    }

    @Test
    void sharedInformersOfManyKinds() throws Exception {
        var factory = client.informers();
        var pods = factory.sharedIndexInformerFor(Pod.class, 0);
        var deployments = factory.sharedIndexInformerFor(Deployment.class, 0);
        var nodes = factory.sharedIndexInformerFor(Node.class, 0);
        factory.startAllRegisteredInformers().get(60, SECONDS);
        eventually(() -> pods.hasSynced()
                && deployments.hasSynced()
                && nodes.getStore().list().size() > 0);
        factory.stopAllRegisteredInformers();
    }

    @Test
    void listOfAFutureVersion() {
        var options =
                new ListOptionsBuilder().withResourceVersion("9999999999999999").build();
        refused(504, () -> client.configMaps().inNamespace(namespace).list(options));
    }

    // --- workloads

    @Test
    void waitUntilReadyRolloutAndScale() throws Exception {
        client.resource(deployment("web", 2)).create();
        var resource = client.apps().deployments().inNamespace(namespace).withName("web");
        Deployment ready = resource.waitUntilReady(60, SECONDS);
        assertEquals(2, ready.getStatus().getReadyReplicas());
        assertEquals(3, resource.scale(3).getSpec().getReplicas());
        resource.waitUntilCondition(
                d -> d.getStatus().getAvailableReplicas() != null
                        && d.getStatus().getAvailableReplicas() == 3,
                60,
                SECONDS);
        assertEquals(3, resource.scale().getSpec().getReplicas());
        resource.rolling().updateImage("example.com/app:2");
        resource.waitUntilCondition(
                d -> Integer.valueOf(3).equals(d.getStatus().getUpdatedReplicas())
                        && d.getStatus().getReplicas() == 3,
                60,
                SECONDS);
        assertEquals(
                2,
                client.apps()
                        .replicaSets()
                        .inNamespace(namespace)
                        .withLabel("app", "web")
                        .list()
                        .getItems()
                        .size());
        resource.rolling().restart();
        assertNotNull(resource.get()
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .get("kubectl.kubernetes." + "io/restartedAt"));
        resource.rolling().pause();
        assertTrue(resource.get().getSpec().getPaused());
        resource.rolling().resume();
        // An undo sends a version, so it conflicts with a controller that still reports the progress of the
        // rollout.
        resource.waitUntilCondition(
                d -> d.getMetadata().getGeneration().equals(d.getStatus().getObservedGeneration())
                        && Integer.valueOf(3).equals(d.getStatus().getUpdatedReplicas())
                        && d.getStatus().getReplicas() == 3
                        && Integer.valueOf(3).equals(d.getStatus().getAvailableReplicas()),
                60,
                SECONDS);
        resource.rolling().undo();
        eventually(() -> resource.get()
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getImage()
                .startsWith("example.com/app:"));
        resource.withTimeout(60, SECONDS).delete();
        assertNull(resource.get());
    }

    @Test
    void podsRunAndAreEvicted() {
        client.resource(pod("one")).create();
        Pod running = client.pods().inNamespace(namespace).withName("one").waitUntilReady(60, SECONDS);
        assertEquals("Running", running.getStatus().getPhase());
        assertTrue(client.pods().inNamespace(namespace).withName("one").evict());
        client.pods().inNamespace(namespace).withName("one").waitUntilCondition(Objects::isNull, 60, SECONDS);
        refused(404, () -> client.pods().inNamespace(namespace).withName("one").evict());
    }

    @Test
    void statefulSetAndJob() {
        StatefulSet set = new StatefulSetBuilder()
                .withNewMetadata()
                .withName("db")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withReplicas(2)
                .withServiceName("db")
                .withNewSelector()
                .addToMatchLabels("app", "db")
                .endSelector()
                .withTemplate(deployment("db", 1).getSpec().getTemplate())
                .endSpec()
                .build();
        client.resource(set).create();
        assertEquals(
                2,
                client.apps()
                        .statefulSets()
                        .inNamespace(namespace)
                        .withName("db")
                        .waitUntilReady(60, SECONDS)
                        .getStatus()
                        .getReadyReplicas());
        var job = new io.fabric8.kubernetes.api.model.batch.v1.JobBuilder()
                .withNewMetadata()
                .withName("once")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withSpec(new PodSpecBuilder(pod("j").getSpec())
                        .withRestartPolicy("Never")
                        .build())
                .endTemplate()
                .endSpec()
                .build();
        client.resource(job).create();
        client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName("once")
                .waitUntilCondition(j -> j.getStatus().getActive() != null, 60, SECONDS);
    }

    @Test
    void services() throws Exception {
        client.resource(pod("backend")).create();
        Service service = client.resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withName("backend")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addToSelector("app", "backend")
                        .addNewPort()
                        .withPort(80)
                        .withTargetPort(new IntOrString(8080))
                        .endPort()
                        .endSpec()
                        .build())
                .create();
        assertNotNull(service.getSpec().getClusterIP());
        eventually(() ->
                client.endpoints().inNamespace(namespace).withName("backend").isReady());
        Service edited = client.services()
                .inNamespace(namespace)
                .withName("backend")
                .edit(s -> new ServiceBuilder(s)
                        .editSpec()
                        .withType("NodePort")
                        .endSpec()
                        .build());
        assertTrue(edited.getSpec().getPorts().get(0).getNodePort() >= 30000);
    }

    // --- status, leases, reviews, events

    @Test
    void statusSubresource() {
        client.resource(deployment("status", 0)).create();
        var resource = client.apps().deployments().inNamespace(namespace).withName("status");
        resource.waitUntilCondition(
                d -> d.getStatus() != null && d.getStatus().getConditions().size() > 0, 60, SECONDS);
        Deployment patched = resource.editStatus(d -> new DeploymentBuilder(d)
                .editOrNewStatus()
                .addNewCondition()
                .withType("Mine")
                .withStatus("True")
                .withReason("R")
                .withMessage("m")
                .endCondition()
                .endStatus()
                .build());
        assertTrue(patched.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Mine")));
        assertEquals(0, patched.getSpec().getReplicas());
    }

    @Test
    void leases() {
        ZonedDateTime now = ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 678_901_000, ZoneOffset.UTC);
        var lease = new LeaseBuilder()
                .withNewMetadata()
                .withName("l")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("me")
                .withLeaseDurationSeconds(15)
                .withRenewTime(now)
                .endSpec()
                .build();
        assertEquals(
                now.toInstant(),
                client.resource(lease).create().getSpec().getRenewTime().toInstant());
    }

    @Test
    void leaderElection() throws Exception {
        CountDownLatch led = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        var config = new LeaderElectionConfigBuilder()
                .withName("suite")
                .withLeaseDuration(Duration.ofSeconds(5))
                .withRenewDeadline(Duration.ofSeconds(3))
                .withRetryPeriod(Duration.ofMillis(500))
                .withReleaseOnCancel(true)
                .withLock(new LeaseLock(namespace, "leader", "me"))
                .withLeaderCallbacks(new LeaderCallbacks(led::countDown, ended::countDown, who -> {}))
                .build();
        var running = client.leaderElector().withConfig(config).build().start();
        assertTrue(led.await(30, SECONDS));
        assertEquals(
                "me",
                client.leases()
                        .inNamespace(namespace)
                        .withName("leader")
                        .get()
                        .getSpec()
                        .getHolderIdentity());
        running.cancel(true);
        assertTrue(ended.await(30, SECONDS));
    }

    @Test
    void selfReviews() {
        var review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb("get")
                .withResource("pods")
                .endResourceAttributes()
                .endSpec()
                .build();
        assertTrue(client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed());
        var rules = new SelfSubjectRulesReviewBuilder()
                .withNewSpec()
                .withNamespace(namespace)
                .endSpec()
                .build();
        assertFalse(client.authorization()
                .v1()
                .selfSubjectRulesReview()
                .create(rules)
                .getStatus()
                .getResourceRules()
                .isEmpty());
    }

    @Test
    void serviceAccountTokens() {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("robot")
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        var request = new io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(600L)
                .endSpec()
                .build();
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName("robot")
                .tokenRequest(request)
                .getStatus()
                .getToken();
        var review = new io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder()
                .withNewSpec()
                .withToken(token)
                .endSpec()
                .build();
        assertEquals(
                "system:serviceaccount:" + namespace + ":robot",
                client.tokenReviews().create(review).getStatus().getUser().getUsername());
    }

    @Test
    void events() {
        Event event = new EventBuilder()
                .withNewMetadata()
                .withName("e")
                .withNamespace(namespace)
                .endMetadata()
                .withReason("R")
                .withMessage("m")
                .withType("Normal")
                .withInvolvedObject(new ObjectReferenceBuilder()
                        .withKind("ConfigMap")
                        .withName("x")
                        .withNamespace(namespace)
                        .build())
                .build();
        client.v1().events().inNamespace(namespace).resource(event).create();
        assertEquals(
                1,
                client.v1()
                        .events()
                        .inNamespace(namespace)
                        .withInvolvedObject(event.getInvolvedObject())
                        .list()
                        .getItems()
                        .size());
        assertEquals(
                "m",
                client.events()
                        .v1()
                        .events()
                        .inNamespace(namespace)
                        .withName("e")
                        .get()
                        .getNote());
    }

    // --- custom resources

    @Group("fabric8.example.com")
    @Version("v1")
    @Kind("Toy")
    @Plural("toys")
    @Singular("toy")
    public static class Toy extends CustomResource<Toy.Spec, Toy.Status> implements Namespaced {
        public static class Spec {
            public int size;
            public String color;
        }

        public static class Status {
            public boolean ready;
            public Integer replicas;
        }
    }

    static Toy toy(String name, int size) {
        Toy toy = new Toy();
        toy.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
        toy.setSpec(new Toy.Spec());
        toy.getSpec().size = size;
        return toy;
    }

    @Test
    void customResources() throws Exception {
        String definition = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: toys.fabric8.example.com}
                spec:
                  group: fabric8.example.com
                  scope: Namespaced
                  names: {plural: toys, singular: toy, kind: Toy, shortNames: [ty]}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: \
                .status.replicas}}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, properties: {size: {type: integer, minimum: 1}, color: {type: string, \
                default: red}}}
                          status: {type: object, properties: {ready: {type: boolean}, replicas: {type: integer}}}
                """;
        var crd = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .load(new java.io.ByteArrayInputStream(definition.getBytes()));
        crd.serverSideApply();
        crd.waitUntilCondition(
                c -> c != null
                        && c.getStatus() != null
                        && c.getStatus().getConditions() != null
                        && c.getStatus().getConditions().stream()
                                .anyMatch(s -> s.getType().equals("Established")
                                        && s.getStatus().equals("True")),
                60,
                SECONDS);
        eventually(() -> client.supports(Toy.class));
        var toys = client.resources(Toy.class).inNamespace(namespace);
        Toy made = toys.resource(toy("t", 2)).create();
        assertEquals("red", made.getSpec().color);
        assertEquals(1, made.getMetadata().getGeneration());
        assertTrue(refused(422, () -> toys.resource(toy("bad", 0)).create())
                .getMessage()
                .contains("spec.size"));
        made.setStatus(new Toy.Status());
        made.getStatus().ready = true;
        assertTrue(toys.resource(made).updateStatus().getStatus().ready);
        made.getMetadata().setResourceVersion(null);
        made.getMetadata().setManagedFields(null);
        assertTrue(toys.resource(made).patchStatus().getStatus().ready);
        assertEquals(
                2,
                toys.withName("t")
                        .edit(t -> {
                            t.getSpec().size = 5;
                            return t;
                        })
                        .getMetadata()
                        .getGeneration());
        assertEquals(4, toys.withName("t").scale(4).getSpec().size);
        Toy applied = toy("applied", 3);
        assertEquals(
                3,
                toys.resource(applied)
                        .fieldManager("suite")
                        .forceConflicts()
                        .serverSideApply()
                        .getSpec()
                        .size);
        applied.setStatus(new Toy.Status());
        toys.resource(applied).subresource("status").patch(PatchContext.of(PatchType.SERVER_SIDE_APPLY));
        assertFalse(toys.withName("applied").get().getStatus().ready);
        try (var informer = toys.inform()) {
            assertEquals(2, informer.getStore().list().size());
        }
        var generic = client.genericKubernetesResources("fabric8.example.com/v1", "Toy")
                .inNamespace(namespace);
        assertEquals(2, generic.list().getItems().size());
        crd.delete();
        eventually(() -> !client.supports(Toy.class));
    }

    @Test
    void namespaceDeletion() {
        String name = namespace + "-gone";
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        client.configMaps()
                .inNamespace(name)
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("x")
                        .endMetadata()
                        .build())
                .create();
        client.namespaces().withName(name).withTimeout(90, SECONDS).delete();
        assertNull(client.namespaces().withName(name).get());
        refused(
                404,
                () -> client.configMaps()
                        .inNamespace(name)
                        .resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("x")
                                .endMetadata()
                                .build())
                        .create());
    }
}
