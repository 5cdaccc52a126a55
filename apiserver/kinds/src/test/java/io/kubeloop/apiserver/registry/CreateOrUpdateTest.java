/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another client writes between the read and the write. */
class CreateOrUpdateTest {

    private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    /**
     * The server requests a UID after the read and before the write; at that moment this generator performs the
     * other client's write.
     */
    private final class InterferingGenerator implements RandomGenerator {

        private final Random random = new Random(1);

        @Override
        public long nextLong() {
            Runnable once = inBetween;
            inBetween = () -> {};
            once.run();
            return random.nextLong();
        }
    }

    private Runnable inBetween = () -> {};
    private final Scheduler scheduler = Scheduler.system(Thread::new);
    private final ApiBackend backend = new ApiBackend(
            new Storage(8, 1),
            BuiltInKinds.create(),
            Clock.systemUTC(),
            scheduler,
            Duration.ofMinutes(1),
            new InterferingGenerator(),
            List.of());
    private final ApiHandler handler = new ApiHandler(backend);

    @BeforeEach
    void createNamespace() {
        assertThat(send("POST", "/api/v1/namespaces", ApiRequest.JSON, "{'metadata':{'name':'default'}}"))
                .isEqualTo(201);
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private int send(String method, String path, String type, String body) {
        byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        Map<String, String> query = Map.of("fieldManager", "test");
        ApiRequest request = ApiRequest.of(method, path, query, new ApiRequest.Body(type, bytes));
        return ((ServerResponse.Document) handler.handle(request)).code();
    }

    private ResourceStore store(String kind) {
        return Objects.requireNonNull(backend.storeOfKind("v1", kind));
    }

    private JsonObject stored(String kind) {
        StoredObject found = backend.storage().snapshot().get(store(kind).bucket(), "default/a");
        return Objects.requireNonNull(found).tree();
    }

    private static String object(String annotation) {
        return "{'metadata':{'name':'a','annotations':{'" + annotation + "':'1'}}}";
    }

    @Test
    void put_namespaceOfClusterWideObject_isIgnored() {
        assertThat(send(
                        "PUT",
                        "/api/v1/namespaces/default",
                        ApiRequest.JSON,
                        "{'metadata':{'name':'default','namespace':'other'}}"))
                .isEqualTo(200);
    }

    @Test
    void put_createdInBetween_updates() {
        inBetween = () -> assertThat(send("POST", ENDPOINTS, ApiRequest.JSON, object("other")))
                .isEqualTo(201);

        assertThat(send("PUT", ENDPOINTS + "/a", ApiRequest.JSON, object("ours")))
                .isEqualTo(200);

        assertThat(stored("Endpoints").object("metadata", "annotations").members())
                .containsOnlyKeys("ours");
    }

    @Test
    void apply_createdInBetween_updates() {
        inBetween = () -> assertThat(send("POST", CONFIG_MAPS, ApiRequest.JSON, object("other")))
                .isEqualTo(201);

        assertThat(send(
                        "PATCH",
                        CONFIG_MAPS + "/a",
                        "application/apply-patch+yaml",
                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {ours: ''}}"))
                .isEqualTo(200);

        assertThat(stored("ConfigMap").object("metadata", "annotations").members())
                .containsOnlyKeys("other", "ours");
    }

    /** A deletion with a grace period of 0 marks the pod first; a kubelet that sees the mark may be faster. */
    @Test
    void delete_completedByAnotherClient_succeeds() {
        String pods = "/api/v1/namespaces/default/pods";
        String pod = "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i'}]}}";
        assertThat(send("POST", pods, ApiRequest.JSON, pod)).isEqualTo(201);
        ResourceStore store = store("Pod");
        Storage storage = backend.storage();
        storage.onWrite(store.bucket(), () -> {
            StoredObject now = storage.snapshot().get(store.bucket(), "default/a");
            if (now != null && Meta.isDeleting(now.tree())) {
                storage.remove(store.bucket(), now);
            }
        });

        assertThat(send("DELETE", pods + "/a", ApiRequest.JSON, "{'gracePeriodSeconds':0}"))
                .isEqualTo(200);
        assertThat(send("DELETE", pods + "/a", ApiRequest.JSON, "{'gracePeriodSeconds':0}"))
                .isEqualTo(404);
    }

    private ServerResponse createOrUpdate(Supplier<StoredObject> create, Supplier<StoredObject> update) {
        RequestInfo info = RequestInfo.parse(CONFIG_MAPS + "/a");
        return new CreateOrUpdate(backend, new ObjectCreator(backend), new ObjectUpdater(backend))
                .execute(store("ConfigMap"), info, UserInfo.ADMIN, create, update);
    }

    private StoredObject create() {
        JsonObject body = JsonObject.parse(object("ours").replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return new ObjectCreator(backend)
                .create(store("ConfigMap"), "default", body, UnaryOperator.identity(), WriteOptions.ofServer());
    }

    private StoredObject update() {
        return new ObjectUpdater(backend)
                .update(
                        store("ConfigMap"),
                        "default",
                        "a",
                        RestStrategy.Part.MAIN,
                        current -> current,
                        WriteOptions.ofServer());
    }

    @Test
    void update_deletedInBetween_creates() {
        assertThat(send("POST", CONFIG_MAPS, ApiRequest.JSON, object("other"))).isEqualTo(201);

        ServerResponse execute = createOrUpdate(this::create, () -> {
            assertThat(send("DELETE", CONFIG_MAPS + "/a", ApiRequest.JSON, "{}"))
                    .isEqualTo(200);
            return update();
        });

        assertThat(((ServerResponse.Document) execute).code()).isEqualTo(201);
        assertThat(stored("ConfigMap").object("metadata", "annotations").members())
                .containsOnlyKeys("ours");
    }

    @Test
    void create_overtakenEachTime_givesUp() {
        StatusException taken = StatusException.alreadyExists(store("ConfigMap").resource(), "a", false);

        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> createOrUpdate(
                        () -> {
                            throw taken;
                        },
                        this::update))
                .satisfies(e -> assertThat(e).isSameAs(taken));
    }
}
