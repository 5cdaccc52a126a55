/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("try") // the runner only has to be open
class StorageVersionMigratorTest {

    private static final String MIGRATIONS = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String GADGETS = "/apis/example.com/v1/namespaces/default/gadgets";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());
    private final ManualClock clock = new ManualClock(Instant.now());
    private final Sieve sieve = new Sieve();

    /** Records the patches of objects, and answers some with an error. */
    private final class Sieve implements Transport {

        private final Queue<String> patches = new ConcurrentLinkedQueue<>();
        private final Queue<Integer> failures = new ConcurrentLinkedQueue<>();
        private volatile Predicate<String> fails = path -> false;

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (request.method().equals("PATCH") && !request.path().endsWith("/status")) {
                patches.add(request.path());
                Integer code = fails.test(request.path()) ? failures.poll() : null;
                if (code != null) {
                    String body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"no "
                            + code + "\",\"code\":" + code + "}";
                    return new ApiResponse(
                            code,
                            Map.of("content-type", List.of(ApiRequest.JSON)),
                            new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
                }
            }
            return server.transport().execute(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return server.transport().stream(request);
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run() {
        ControllerTime time = ControllerTime.system();
        return ControllerRunner.builder(KubeClient.of(sieve, JsonCodec.standard()))
                .time(new ControllerTime(clock, time.monotonic(), time.random()))
                .controller(StorageVersionMigratorController::of)
                .start();
    }

    private void migrate(String name, String group, String resource) {
        requests.post(
                        MIGRATIONS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'resource':{'group':'" + group + "','resource':'"
                                + resource + "'}}}")
                .ok();
    }

    private JsonObject migration(String name) {
        return requests.get(MIGRATIONS + "/" + name).body();
    }

    private String conditions(String name) {
        return migration(name)
                .array("status", "conditions")
                .objects()
                .map(condition -> condition.string("type") + "=" + condition.string("status") + " "
                        + condition.string("reason") + ": " + condition.string("message"))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    private void awaitConditions(String name, String expected) {
        await().untilAsserted(() -> assertThat(conditions(name)).isEqualTo(expected));
    }

    private static final String DONE = "Running=False MigrationCompleted: Migration completed; Succeeded=True"
            + " StorageVersionMigrationSucceeded: Migration completed";

    private void define(String storage) {
        String schema = "'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}";
        String versions = "'versions':[{'name':'v1','served':true,'storage':" + storage.equals("v1") + "," + schema
                + "},{'name':'v2','served':true,'storage':" + storage.equals("v2") + "," + schema + "}]";
        String spec = "'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'gadgets','kind':'Gadget'},"
                + versions + "}";
        if (storage.equals("v1")) {
            requests.post(DEFINITIONS, "{'metadata':{'name':'gadgets.example.com'}," + spec + "}")
                    .ok();
        } else {
            requests.send(
                            "PATCH",
                            DEFINITIONS + "/gadgets.example.com",
                            "application/merge-patch+json",
                            "{" + spec + "}")
                    .ok();
        }
    }

    private JsonObject definition() {
        return requests.get(DEFINITIONS + "/gadgets.example.com").body();
    }

    @Test
    void customObjects_areWrittenOnce_andTheDefinitionKeepsTheNewVersionOnly() {
        define("v1");
        for (String name : List.of("a", "b", "c")) {
            await().until(() -> requests.post(
                                    GADGETS,
                                    "{'apiVersion':'example.com/v1','kind':'Gadget','metadata':{'name':'" + name
                                            + "'},'x':1}")
                            .code()
                    < 300);
        }
        define("v2");
        assertThat(definition().array("status", "storedVersions").strings()).containsExactly("v1", "v2");
        migrate("gadgets", "example.com", "gadgets");

        try (ControllerRunner ignored = run()) {
            awaitConditions("gadgets", DONE);
            await().until(() -> definition()
                    .array("status", "storedVersions")
                    .strings()
                    .toList()
                    .equals(List.of("v2")));
        }

        assertThat(sieve.patches.stream().map(path -> path.substring(path.lastIndexOf('/') + 1)))
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(definition().array("status", "conditions").objects())
                .filteredOn(condition -> condition.string("type").equals("StorageMigrating"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.string("status")).isEqualTo("False");
                    assertThat(condition.string("reason")).isEqualTo("MigrationSucceeded");
                    assertThat(condition.string("message"))
                            .isEqualTo("The migration has succeeded and the stored versions have been updated");
                });
        assertThat(requests.get(GADGETS + "/a").body().number("x")).isEqualTo(1);
    }

    @Test
    void migrationsOfOneResource_takeTurns_andOthersDoNotWait() {
        migrate("first", "", "configmaps");
        migrate("second", "", "configmaps");
        migrate("other", "", "secrets");

        try (ControllerRunner ignored = run()) {
            awaitConditions("first", DONE);
            awaitConditions("second", DONE);
            awaitConditions("other", DONE);
        }
        assertThat(migration("second").string("status", "resourceVersion")).isNotEmpty();
    }

    @Test
    void resourceThatIsMissing_failsAfterAMinute_andOneWithoutTheVerbsAtOnce() {
        migrate("reviews", "authentication.k8s.io", "tokenreviews");
        migrate("missing", "example.com", "missing");
        try (ControllerRunner ignored = run()) {
            awaitConditions(
                    "reviews",
                    "Failed=True StorageVersionMigrationFailed: resource \"authentication.k8s.io/v1, "
                            + "Resource=tokenreviews\" does"
                            + " not support discovery operations: [update patch list]; Running=False "
                            + "MigrationCompleted:"
                            + " Migration completed");
            awaitConditions("missing", "Running=True MigrationRunning: The migration is running");

            clock.advance(Duration.ofMinutes(2));
            awaitConditions(
                    "missing",
                    "Failed=True StorageVersionMigrationFailed: resource does not exist in discovery; Running=False"
                            + " MigrationCompleted: Migration completed");
        }
    }

    @Test
    void errorOfTheServer_isTriedAgain_anotherOneEndsTheMigration() {
        requests.post(MAPS, "{'metadata':{'name':'bad'}}").ok();
        sieve.fails = path -> path.endsWith("/bad");
        sieve.failures.addAll(List.of(409, 503));
        migrate("conflict", "", "configmaps");
        try (ControllerRunner ignored = run()) {
            awaitConditions("conflict", DONE);

            migrate("busy", "", "configmaps");
            awaitConditions("busy", DONE);
            assertThat(sieve.failures).isEmpty();

            sieve.failures.add(422);
            migrate("refused", "", "configmaps");
            await().untilAsserted(() -> assertThat(conditions("refused"))
                    .matches("Failed=True StorageVersionMigrationFailed: \\d+/\\d+ not yet migrated. "
                            + "migration encountered"
                            + " unhandled error: no 422; Running=False MigrationCompleted: "
                            + "Migration completed"));
        }
    }

    @Test
    void messages_tellHowManyObjectsAreLeft() {
        assertThat(ObjectMigration.message(0, 0, "")).isEqualTo("The migration is running");
        assertThat(ObjectMigration.message(2, 3, ""))
                .isEqualTo("The migration is running, 2/3 objects not yet migrated");
        assertThat(ObjectMigration.message(0, 3, ""))
                .isEqualTo("The migration is running, 3 objects verified migrated");
        assertThat(ObjectMigration.message(2, 3, "busy"))
                .isEqualTo("The migration is running, 2/3 objects not yet migrated; transient error: busy");
    }
}
