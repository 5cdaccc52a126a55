package io.kubeloop.controlplane.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.storage.ThreadTimer;
import io.kubeloop.apiserver.storage.Timer;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The collector after its feed has lost events. Its thread never starts; the test runs the rounds. */
class CollectorLoopTest {

    private static final int CAPACITY = 4;
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String CONFIG_MAPS = NAMESPACES + "/shop/configmaps";

    private final Timer timer = new ThreadTimer(Thread::new);
    private final ApiBackend backend = new ApiBackend(
            new Storage(CAPACITY, 1),
            BuiltInKinds.create(),
            Clock.systemUTC(),
            timer,
            Duration.ofMinutes(1),
            new Random(1),
            List.of());
    private final ApiHandler handler = new ApiHandler(backend);
    private final CollectorLoop loop = new CollectorLoop(backend, Thread::new);

    @BeforeEach
    void createNamespaces() {
        create(NAMESPACES, "shop", "");
        create(NAMESPACES, "other", "");
    }

    @AfterEach
    void close() {
        loop.close();
        timer.close();
    }

    private ServerResponse.Document send(String method, String path, @Nullable String body) {
        ApiRequest.Body content = body == null
                ? null
                : ApiRequest.Body.json(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return (ServerResponse.Document) handler.handle(ApiRequest.of(method, path, Map.of(), content));
    }

    private void create(String path, String name, String metadata) {
        ServerResponse.Document created = send("POST", path, "{'metadata':{'name':'" + name + "'" + metadata + "}}");
        assertThat(created.code()).isEqualTo(201);
    }

    private void delete(String path) {
        assertThat(send("DELETE", path, null).code()).isEqualTo(200);
    }

    private @Nullable JsonObject find(String kind, String key) {
        ResourceStore store = Objects.requireNonNull(backend.storeOfKind("v1", kind));
        StoredObject found = backend.storage().snapshot().get(store.bucket(), key);
        return found == null ? null : found.tree();
    }

    private String ownedBy(String name) {
        String uid = Meta.uid(Objects.requireNonNull(find("ConfigMap", "shop/" + name)));
        return ",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'" + name + "','uid':'" + uid + "'}]";
    }

    /** Writes as many events as the log of a kind holds, so that it contains no earlier event. */
    private void loseEvents(String path, String name) {
        for (int i = 0; i < CAPACITY; i++) {
            replace(path + "/" + name, "{'metadata':{'name':'" + name + "','annotations':{'i':'" + i + "'}}}");
        }
    }

    private void replace(String path, String body) {
        assertThat(send("PUT", path, body).code()).isEqualTo(200);
    }

    @Test
    void round_ownerDeletedInAGap_collectsItsDependents() {
        create(CONFIG_MAPS, "bystander", "");
        create(CONFIG_MAPS, "owner", "");
        create(CONFIG_MAPS, "dependent", ownedBy("owner"));
        loop.round();
        assertThat(find("ConfigMap", "shop/dependent")).isNotNull();

        delete(CONFIG_MAPS + "/owner");
        loseEvents(CONFIG_MAPS, "bystander");
        loop.round();

        assertThat(find("ConfigMap", "shop/dependent")).isNull();
    }

    @Test
    void round_namespaceReplacedInAGap_isEmptiedAgain() {
        create(CONFIG_MAPS, "held", ",'finalizers':['example.com/hold']");
        delete(NAMESPACES + "/shop");
        loop.round();
        assertThat(find("Namespace", "shop")).as("not empty").isNotNull();

        replace(CONFIG_MAPS + "/held", "{'metadata':{'name':'held'}}");
        replace(NAMESPACES + "/shop/finalize", "{'metadata':{'name':'shop'},'spec':{'finalizers':[]}}");
        assertThat(find("Namespace", "shop")).isNull();
        create(NAMESPACES, "shop", "");
        create(CONFIG_MAPS, "new", "");
        delete(NAMESPACES + "/shop");
        loseEvents(NAMESPACES, "other");
        loop.round();

        assertThat(find("ConfigMap", "shop/new")).isNull();
        assertThat(find("Namespace", "shop")).isNull();
    }
}
