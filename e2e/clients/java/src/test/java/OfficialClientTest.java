/* SPDX-License-Identifier: Apache-2.0 */
import static org.junit.jupiter.api.Assertions.*;

import com.google.gson.JsonObject;
import io.kubernetes.client.Discovery;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.leaderelection.*;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.*;
import io.kubernetes.client.openapi.apis.*;
import io.kubernetes.client.openapi.models.*;
import io.kubernetes.client.util.*;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.*;
import io.kubernetes.client.util.generic.options.*;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;

/** The official Java client, unmodified, against the server of KUBECONFIG. */
class OfficialClientTest {

    static ApiClient client;
    static CoreV1Api core;
    static AppsV1Api apps;
    static String namespace;
    static GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> maps;

    @BeforeAll
    static void begin() throws Exception {
        client = ClientBuilder.defaultClient();
        client.setReadTimeout(0);
        core = new CoreV1Api(client);
        apps = new AppsV1Api(client);
        maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
        namespace = "java-" + UUID.randomUUID().toString().substring(0, 8);
        core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace)))
                .execute();
    }

    @AfterAll
    static void end() throws Exception {
        core.deleteNamespace(namespace).execute();
    }

    static V1ConfigMap map(String name) {
        return new V1ConfigMap()
                .apiVersion("v1")
                .kind("ConfigMap")
                .data(Map.of("a", "1"))
                .metadata(
                        new V1ObjectMeta().name(name).namespace(namespace).putLabelsItem("suite", name.split("-")[0]));
    }

    static V1ConfigMap create(String name) throws ApiException {
        return core.createNamespacedConfigMap(namespace, map(name)).execute();
    }

    static String refused(int code, org.junit.jupiter.api.function.Executable call) {
        ApiException e = assertThrows(ApiException.class, call);
        assertEquals(code, e.getCode(), e.getResponseBody());
        return e.getResponseBody();
    }

    static void eventually(Callable<Boolean> condition) throws Exception {
        for (long end = System.nanoTime() + 60_000_000_000L; !condition.call(); Thread.sleep(50)) {
            assertTrue(System.nanoTime() < end, "not reached within 60 s");
        }
    }

    static V1PodTemplateSpec template(String name) {
        return new V1PodTemplateSpec()
                .metadata(new V1ObjectMeta().putLabelsItem("app", name))
                .spec(new V1PodSpec()
                        .overhead(null)
                        .addContainersItem(new V1Container().name("main").image("example.com/app:1")));
    }

    @Test
    void versionAndDiscovery() throws Exception {
        assertEquals("1", new VersionApi(client).getCode().execute().getMajor());
        Set<Discovery.APIResource> all = new Discovery(client).findAll();
        assertTrue(all.stream()
                .anyMatch(r -> r.getKind().equals("Deployment")
                        && r.getResourcePlural().equals("deployments")));
        assertTrue(all.stream()
                .anyMatch(r -> r.getKind().equals("Pod")
                        && r.getSubResources().stream().anyMatch(n -> n.endsWith("status"))));
    }

    @Test
    void createReadReplaceDelete() throws Exception {
        V1ConfigMap made = create("crud");
        assertNotNull(made.getMetadata().getUid());
        assertTrue(refused(409, () -> create("crud")).contains("\"AlreadyExists\""));
        V1ConfigMap replaced = core.replaceNamespacedConfigMap("crud", namespace, made.putDataItem("b", "2"))
                .execute();
        assertEquals("2", replaced.getData().get("b"));
        assertTrue(refused(
                        409,
                        () -> core.replaceNamespacedConfigMap("crud", namespace, made)
                                .execute())
                .contains("\"Conflict\""));
        assertEquals(
                "Success",
                core.deleteNamespacedConfigMap("crud", namespace).execute().getStatus());
        assertTrue(refused(
                        404,
                        () -> core.readNamespacedConfigMap("crud", namespace).execute())
                .contains("\"NotFound\""));
    }

    @Test
    void patchKinds() throws Exception {
        create("patch");
        Map<String, String> patches = new LinkedHashMap<>();
        patches.put(V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"2\"}]");
        patches.put(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"a\":\"2\"}}");
        patches.put(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"a\":\"2\"}}");
        for (var patch : patches.entrySet()) {
            V1ConfigMap patched = PatchUtils.patch(
                    V1ConfigMap.class,
                    () -> core.patchNamespacedConfigMap("patch", namespace, new V1Patch(patch.getValue()))
                            .buildCall(null),
                    patch.getKey(),
                    client);
            assertEquals("2", patched.getData().get("a"), patch.getKey());
        }
        V1ConfigMap applied = PatchUtils.patch(
                V1ConfigMap.class,
                () -> core.patchNamespacedConfigMap(
                                "applied",
                                namespace,
                                new V1Patch("{\"apiVersion\":\"v1\","
                                        + "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"},"
                                        + "\"data\":{\"a\":\"3\"}}"))
                        .fieldManager("suite")
                        .force(true)
                        .buildCall(null),
                V1Patch.PATCH_FORMAT_APPLY_YAML,
                client);
        assertEquals("3", applied.getData().get("a"));
        refused(
                409,
                () -> PatchUtils.patch(
                        V1ConfigMap.class,
                        () -> core.patchNamespacedConfigMap(
                                        "applied",
                                        namespace,
                                        new V1Patch("{\"apiVersion\":\"v1\","
                                                + "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"},"
                                                + "\"data\":{\"a\":\"4\"}}"))
                                .fieldManager("other")
                                .buildCall(null),
                        V1Patch.PATCH_FORMAT_APPLY_YAML,
                        client));
    }

    @Test
    void listsAndDeletesCollections() throws Exception {
        for (int i = 0; i < 5; i++) {
            create("page-" + i);
        }
        V1ConfigMapList first = core.listNamespacedConfigMap(namespace)
                .labelSelector("suite=page")
                .limit(2)
                .execute();
        assertEquals(2, first.getItems().size());
        assertEquals(
                3,
                core.listNamespacedConfigMap(namespace)
                        .labelSelector("suite=page")
                        ._continue(first.getMetadata().getContinue())
                        .execute()
                        .getItems()
                        .size());
        assertEquals(
                1,
                core.listNamespacedConfigMap(namespace)
                        .fieldSelector("metadata.name=page-3")
                        .execute()
                        .getItems()
                        .size());
        assertEquals(
                5,
                core.listNamespacedConfigMap(namespace)
                        .labelSelector("suite=page")
                        .resourceVersion("0")
                        .resourceVersionMatch("NotOlderThan")
                        .execute()
                        .getItems()
                        .size());
        core.deleteCollectionNamespacedConfigMap(namespace)
                .labelSelector("suite=page")
                .execute();
        assertEquals(
                0,
                core.listNamespacedConfigMap(namespace)
                        .labelSelector("suite=page")
                        .execute()
                        .getItems()
                        .size());
    }

    @Test
    void dryRunAndFieldValidation() throws Exception {
        core.createNamespacedConfigMap(namespace, map("dry"))
                .dryRun("All")
                .pretty("true")
                .fieldValidation("Strict")
                .execute();
        refused(404, () -> core.readNamespacedConfigMap("dry", namespace).execute());
    }

    @Test
    void watch() throws Exception {
        String version =
                core.listNamespacedConfigMap(namespace).execute().getMetadata().getResourceVersion();
        List<String> seen = new ArrayList<>();
        try (Watch<V1ConfigMap> watch = Watch.createWatch(
                client,
                core.listNamespacedConfigMap(namespace)
                        .labelSelector("suite=watched")
                        .resourceVersion(version)
                        .watch(true)
                        .timeoutSeconds(30)
                        .buildCall(null),
                new com.google.gson.reflect.TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
            V1ConfigMap made = create("watched");
            core.replaceNamespacedConfigMap("watched", namespace, made.putDataItem("b", "2"))
                    .execute();
            core.deleteNamespacedConfigMap("watched", namespace).execute();
            while (seen.size() < 3 && watch.hasNext()) {
                seen.add(watch.next().type);
            }
        }
        assertEquals(List.of("ADDED", "MODIFIED", "DELETED"), seen);
    }

    @Test
    void informer() throws Exception {
        create("informed-0");
        SharedInformerFactory factory = new SharedInformerFactory(client);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        var informer = factory.sharedIndexInformerFor(
                parameters -> core.listNamespacedConfigMap(namespace)
                        .labelSelector("suite=informed")
                        .resourceVersion(parameters.resourceVersion)
                        .timeoutSeconds(parameters.timeoutSeconds)
                        .watch(parameters.watch)
                        .buildCall(null),
                V1ConfigMap.class,
                V1ConfigMapList.class);
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1ConfigMap map) {
                seen.add("add " + map.getMetadata().getName());
            }

            @Override
            public void onUpdate(V1ConfigMap before, V1ConfigMap map) {
                seen.add("update " + map.getMetadata().getName());
            }

            @Override
            public void onDelete(V1ConfigMap map, boolean isUnknown) {
                seen.add("delete " + map.getMetadata().getName());
            }
        });
        factory.startAllRegisteredInformers();
        assertEquals("add informed-0", seen.poll(30, TimeUnit.SECONDS));
        V1ConfigMap made = create("informed-1");
        assertEquals("add informed-1", seen.poll(30, TimeUnit.SECONDS));
        core.replaceNamespacedConfigMap("informed-1", namespace, made.putDataItem("b", "2"))
                .execute();
        assertEquals("update informed-1", seen.poll(30, TimeUnit.SECONDS));
        core.deleteNamespacedConfigMap("informed-1", namespace).execute();
        assertEquals("delete informed-1", seen.poll(30, TimeUnit.SECONDS));
        factory.stopAllRegisteredInformers();
    }

    @Test
    void genericApi() throws Exception {
        V1ConfigMap made = maps.create(map("generic")).throwsApiException().getObject();
        assertEquals(409, maps.create(map("generic")).getHttpStatusCode());
        assertEquals(
                "x",
                maps.update(made.putDataItem("b", "x"))
                        .throwsApiException()
                        .getObject()
                        .getData()
                        .get("b"));
        assertEquals(
                "3",
                maps.patch(
                                namespace,
                                "generic",
                                V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
                                new V1Patch("{\"data\":{\"a\":\"3\"}}"))
                        .throwsApiException()
                        .getObject()
                        .getData()
                        .get("a"));
        assertTrue(
                maps.list(namespace).throwsApiException().getObject().getItems().size() > 0);
        assertTrue(maps.delete(namespace, "generic").isSuccess());
        assertEquals("NotFound", maps.get(namespace, "generic").getStatus().getReason());
    }

    /** A schema without the empty members that the client sends by itself. */
    private static V1JSONSchemaProps schema(String type) {
        return new V1JSONSchemaProps()
                .dependencies(null)
                .definitions(null)
                .patternProperties(null)
                .properties(null)
                .allOf(null)
                .anyOf(null)
                .oneOf(null)
                ._enum(null)
                .required(null)
                .xKubernetesListMapKeys(null)
                .xKubernetesValidations(null)
                .type(type);
    }

    private static V1CustomResourceDefinition definition(String group, V1JSONSchemaProps schema) {
        var version = new V1CustomResourceDefinitionVersion()
                .name("v1")
                .served(true)
                .storage(true)
                .schema(new V1CustomResourceValidation().openAPIV3Schema(schema))
                .subresources(new V1CustomResourceSubresources().status(new Object()));
        return new V1CustomResourceDefinition()
                .metadata(new V1ObjectMeta().name("toys." + group))
                .spec(new V1CustomResourceDefinitionSpec()
                        .group(group)
                        .scope("Namespaced")
                        .addVersionsItem(version)
                        .names(new V1CustomResourceDefinitionNames()
                                .plural("toys")
                                .singular("toy")
                                .kind("Toy")));
    }

    @Test
    void dynamicApiAndCustomResources() throws Exception {
        var extensions = new ApiextensionsV1Api(client);
        String group = namespace + ".example.com";
        var rejected = assertThrows(
                ApiException.class,
                () -> extensions
                        .createCustomResourceDefinition(definition(
                                group,
                                new V1JSONSchemaProps().dependencies(null).type("object")))
                        .execute());
        assertEquals(
                422,
                rejected.getCode(),
                "the client sends empty members, which the root of this schema must not " + "have");
        var schema = schema("object")
                .properties(Map.of(
                        "spec",
                                schema("object")
                                        .properties(
                                                Map.of("size", schema("integer").minimum(1.0))),
                        "status", schema("object").properties(Map.of("ready", schema("boolean")))));
        extensions.createCustomResourceDefinition(definition(group, schema)).execute();
        DynamicKubernetesApi toys = new DynamicKubernetesApi(group, "v1", "toys", client);
        JsonObject raw = com.google.gson.JsonParser.parseString("{\"apiVersion\":\"" + group + "/v1\",\"kind\":"
                        + "\"Toy\",\"metadata\":{\"name\":\"t\",\"namespace\":\""
                        + namespace + "\"},\"spec\":{\"size\":2}}")
                .getAsJsonObject();
        eventually(() -> toys.create(new DynamicKubernetesObject(raw)).isSuccess());
        DynamicKubernetesObject read =
                toys.get(namespace, "t").throwsApiException().getObject();
        assertEquals(1, read.getMetadata().getGeneration());
        assertTrue(toys.updateStatus(read, o -> com.google.gson.JsonParser.parseString("{\"ready\":true}"))
                .isSuccess());
        assertTrue(toys.get(namespace, "t")
                .getObject()
                .getRaw()
                .getAsJsonObject("status")
                .get("ready")
                .getAsBoolean());
        raw.getAsJsonObject("spec").addProperty("size", 0);
        raw.getAsJsonObject("metadata").addProperty("name", "bad");
        assertEquals(422, toys.create(new DynamicKubernetesObject(raw)).getHttpStatusCode());
        Object listed = new CustomObjectsApi(client)
                .listNamespacedCustomObject(group, "v1", namespace, "toys")
                .execute();
        assertEquals(1, ((Map<?, ?>) listed).get("items") instanceof List<?> items ? items.size() : -1);
        extensions.deleteCustomResourceDefinition("toys." + group).execute();
    }

    @Test
    void deploymentRollsOutAndScales() throws Exception {
        apps.createNamespacedDeployment(
                        namespace,
                        new V1Deployment()
                                .metadata(new V1ObjectMeta().name("web"))
                                .spec(new V1DeploymentSpec()
                                        .replicas(2)
                                        .selector(new V1LabelSelector().putMatchLabelsItem("app", "web"))
                                        .template(template("web"))))
                .execute();
        eventually(() -> Integer.valueOf(2)
                .equals(apps.readNamespacedDeploymentStatus("web", namespace)
                        .execute()
                        .getStatus()
                        .getAvailableReplicas()));
        for (String type : List.of(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, V1Patch.PATCH_FORMAT_APPLY_YAML)) {
            var patch = new V1Patch(
                    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"," + "\"spec\":{\"minReadySeconds\":1.0}}");
            var request =
                    apps.patchNamespacedDeployment("web", namespace, patch).fieldManager("suite");
            assertEquals(
                    1,
                    PatchUtils.patch(V1Deployment.class, () -> request.buildCall(null), type, client)
                            .getSpec()
                            .getMinReadySeconds(),
                    type);
        }
        V1Scale scale = apps.readNamespacedDeploymentScale("web", namespace).execute();
        assertEquals("app=web", scale.getStatus().getSelector());
        scale.getMetadata().setResourceVersion(null);
        scale.getSpec().setReplicas(1);
        assertEquals(
                1,
                apps.replaceNamespacedDeploymentScale("web", namespace, scale)
                        .execute()
                        .getSpec()
                        .getReplicas());
        eventually(() -> Integer.valueOf(1)
                .equals(apps.readNamespacedDeployment("web", namespace)
                        .execute()
                        .getStatus()
                        .getReplicas()));
    }

    @Test
    void podRunsAndIsEvicted() throws Exception {
        core.createNamespacedPod(
                        namespace,
                        new V1Pod()
                                .metadata(new V1ObjectMeta().name("one"))
                                .spec(template("one").getSpec()))
                .execute();
        eventually(() -> "Running"
                .equals(core.readNamespacedPod("one", namespace)
                        .execute()
                        .getStatus()
                        .getPhase()));
        core.createNamespacedPodEviction(
                        "one",
                        namespace,
                        new V1Eviction().metadata(new V1ObjectMeta().name("one").namespace(namespace)))
                .buildCall(null)
                .execute()
                .close(); // the answer is a Status, which the typed method cannot read
        eventually(() -> core.listNamespacedPod(namespace)
                .fieldSelector("metadata.name=one")
                .execute()
                .getItems()
                .isEmpty());
    }

    @Test
    void leaseIsTakenOnce() throws Exception {
        OffsetDateTime now = OffsetDateTime.parse("2026-01-02T03:04:05.678901Z");
        var leases = new CoordinationV1Api(client);
        leases.createNamespacedLease(
                        namespace,
                        new V1Lease().metadata(new V1ObjectMeta().name("l")).spec(new V1LeaseSpec().renewTime(now)))
                .execute();
        assertEquals(
                now.toInstant(),
                leases.readNamespacedLease("l", namespace)
                        .execute()
                        .getSpec()
                        .getRenewTime()
                        .toInstant());
        V1Lease mine = leases.readNamespacedLease("l", namespace).execute();
        V1Lease other = leases.readNamespacedLease("l", namespace).execute();
        mine.getSpec().setHolderIdentity("me");
        leases.replaceNamespacedLease("l", namespace, mine).execute();
        other.getSpec().setHolderIdentity("other");
        refused(409, () -> leases.replaceNamespacedLease("l", namespace, other).execute());
    }

    @Test
    void reviews() throws Exception {
        var spec = new V1SelfSubjectAccessReviewSpec()
                .resourceAttributes(new V1ResourceAttributes().verb("get").resource("pods"));
        assertTrue(new AuthorizationV1Api(client)
                .createSelfSubjectAccessReview(new V1SelfSubjectAccessReview().spec(spec))
                .execute()
                .getStatus()
                .getAllowed());
        assertNotNull(new AuthenticationV1Api(client)
                .createSelfSubjectReview(new V1SelfSubjectReview())
                .execute()
                .getStatus()
                .getUserInfo()
                .getUsername());
        core.createNamespacedServiceAccount(
                        namespace, new V1ServiceAccount().metadata(new V1ObjectMeta().name("robot")))
                .execute();
        var request = new AuthenticationV1TokenRequest()
                .spec(new V1TokenRequestSpec().audiences(List.of()).expirationSeconds(600L));
        assertNotNull(core.createNamespacedServiceAccountToken("robot", namespace, request)
                .execute()
                .getStatus()
                .getToken());
    }

    @Test
    void events() throws Exception {
        var event = new EventsV1Event()
                .metadata(new V1ObjectMeta().name("e"))
                .eventTime(OffsetDateTime.parse("2026-01-02T03:04:05.678901Z"))
                .action("A")
                .reason("R")
                .type("Normal")
                .reportingController("example.com/c")
                .reportingInstance("i")
                .regarding(new V1ObjectReference().kind("ConfigMap").name("x").namespace(namespace));
        assertEquals(
                "R",
                new EventsV1Api(client)
                        .createNamespacedEvent(namespace, event)
                        .execute()
                        .getReason());
        assertEquals(
                1,
                core.listNamespacedEvent(namespace)
                        .fieldSelector("reason=R")
                        .execute()
                        .getItems()
                        .size());
    }

    @Test
    void finalizers() throws Exception {
        V1ConfigMap held = map("held");
        held.getMetadata().addFinalizersItem("example.com/hold");
        core.createNamespacedConfigMap(namespace, held).execute();
        core.deleteNamespacedConfigMap("held", namespace).execute();
        V1ConfigMap dying = core.readNamespacedConfigMap("held", namespace).execute();
        assertNotNull(dying.getMetadata().getDeletionTimestamp());
        dying.getMetadata().setFinalizers(null);
        core.replaceNamespacedConfigMap("held", namespace, dying).execute();
        refused(404, () -> core.readNamespacedConfigMap("held", namespace).execute());
    }

    @Test
    void leaderElection() throws Exception {
        var config = Map.of("first", elector("first"), "second", elector("second"));
        var leaders = new LinkedBlockingQueue<String>();
        var stopped = new CountDownLatch(1);
        var threads = Executors.newCachedThreadPool();
        try {
            threads.submit(() -> config.get("first").run(() -> leaders.add("first"), stopped::countDown));
            assertEquals("first", leaders.poll(30, TimeUnit.SECONDS));
            threads.submit(() -> config.get("second").run(() -> leaders.add("second"), () -> {}));
            assertEquals("first", holder());
            assertNull(leaders.poll(3, TimeUnit.SECONDS));
            config.get("first").close();
            assertTrue(stopped.await(30, TimeUnit.SECONDS));
            assertEquals("second", leaders.poll(30, TimeUnit.SECONDS));
            assertEquals("second", holder());
        } finally {
            config.values().forEach(LeaderElector::close);
            threads.shutdownNow();
        }
    }

    static LeaderElector elector(String identity) {
        return new LeaderElector(new LeaderElectionConfig(
                new LeaseLock(namespace, "leader", identity, client),
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                Duration.ofMillis(500)));
    }

    static String holder() throws ApiException {
        return new CoordinationV1Api(client)
                .readNamespacedLease("leader", namespace)
                .execute()
                .getSpec()
                .getHolderIdentity();
    }

    @Test
    void permissions() throws Exception {
        ApiClient other = ClientBuilder.defaultClient().addDefaultHeader("Impersonate-User", namespace);
        CoreV1Api asOther = new CoreV1Api(other);
        assertTrue(refused(403, () -> asOther.listNamespacedConfigMap(namespace).execute())
                .contains("User \\\"" + namespace + "\\\" cannot list resource \\\"configmaps\\\" in API group "
                        + "\\\"\\\" in the namespace"));
        new RbacAuthorizationV1Api(client)
                .createNamespacedRoleBinding(
                        namespace,
                        new V1RoleBinding()
                                .metadata(new V1ObjectMeta().name("view"))
                                .roleRef(new V1RoleRef()
                                        .apiGroup("rbac.authorization.k8s.io")
                                        .kind("ClusterRole")
                                        .name("view"))
                                .addSubjectsItem(new RbacV1Subject()
                                        .apiGroup("rbac.authorization.k8s.io")
                                        .kind("User")
                                        .name(namespace)))
                .execute();
        eventually(() -> {
            try {
                asOther.listNamespacedConfigMap(namespace).execute();
                return true;
            } catch (ApiException e) {
                return false; // the roles reach the authorizer, and the aggregated role its rules, a moment later
            }
        });
        refused(
                403,
                () -> asOther.createNamespacedConfigMap(namespace, map("permissions"))
                        .execute());
        var review = new AuthorizationV1Api(other)
                .createSelfSubjectAccessReview(new V1SelfSubjectAccessReview()
                        .spec(new V1SelfSubjectAccessReviewSpec()
                                .resourceAttributes(new V1ResourceAttributes()
                                        .verb("create")
                                        .resource("configmaps")
                                        .namespace(namespace))))
                .execute();
        assertFalse(review.getStatus().getAllowed());
    }

    @Test
    void emptyMembersThatCount() {
        var pod = new V1Pod()
                .metadata(new V1ObjectMeta().name("p"))
                .spec(new V1PodSpec()
                        .overhead(Map.of())
                        .addContainersItem(new V1Container().name("c").image("i")));
        assertTrue(refused(403, () -> core.createNamespacedPod(namespace, pod).execute())
                .contains("Pod Overhead set " + "without"));
    }
}
