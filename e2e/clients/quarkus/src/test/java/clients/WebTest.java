/* SPDX-License-Identifier: Apache-2.0 */
package clients;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The test style of the Quarkus extension: the application runs in the test, and the client is injected. */
@QuarkusTest
class WebTest {

    @Inject
    KubernetesClient client;

    @Inject
    Operator operator;

    private String namespace;

    @BeforeEach
    void create() {
        Namespace made = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("quarkus-")
                        .endMetadata()
                        .build())
                .create();
        namespace = made.getMetadata().getName();
    }

    @AfterEach
    void delete() {
        client.namespaces().withName(namespace).delete();
    }

    private static void eventually(ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(check);
    }

    private Web web(String page, int replicas) {
        Web web = new Web();
        web.getMetadata().setName("w");
        web.getMetadata().setNamespace(namespace);
        web.setSpec(new Web.Spec());
        web.getSpec().page = page;
        web.getSpec().replicas = replicas;
        return client.resource(web).create();
    }

    private Web current() {
        return client.resources(Web.class).inNamespace(namespace).withName("w").get();
    }

    private Deployment deployment() {
        return client.apps().deployments().inNamespace(namespace).withName("w").get();
    }

    private int ready() {
        Web.Status status = current().getStatus();
        return status == null ? -1 : status.ready;
    }

    @Test
    void startedOperatorHasAppliedItsDefinition() {
        assertTrue(operator.getRegisteredControllersNumber() > 0);
        assertNotNull(client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("webs.quarkus.example.com")
                .get());
    }

    @Test
    void dependentDeploymentBecomesReady() {
        web("a", 2);
        eventually(() -> assertEquals(2, ready()));
    }

    @Test
    void changedSpecReachesTheDeployment() {
        web("a", 1);
        eventually(() -> assertEquals(1, ready()));
        client.resources(Web.class).inNamespace(namespace).withName("w").edit(web -> {
            web.getSpec().page = "b";
            web.getSpec().replicas = 3;
            return web;
        });
        eventually(() -> {
            assertEquals(3, ready());
            assertEquals(2, current().getStatus().generation);
            assertEquals(
                    "web:b",
                    deployment()
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .get(0)
                            .getImage());
        });
    }

    @Test
    void deletedDeploymentComesBack() {
        web("a", 1);
        eventually(() -> assertEquals(1, ready()));
        String first = deployment().getMetadata().getUid();
        client.resource(deployment()).delete();
        eventually(() -> {
            Deployment second = deployment();
            assertNotNull(second);
            assertNotEquals(first, second.getMetadata().getUid());
        });
    }

    @Test
    void deletionRunsTheCleanerAndRemovesTheDeployment() {
        web("last", 1);
        eventually(() -> assertEquals(1, current().getFinalizers().size()));
        client.resources(Web.class).inNamespace(namespace).withName("w").delete();
        eventually(() -> assertNull(current()));
        assertEquals(
                "last",
                client.configMaps()
                        .inNamespace(namespace)
                        .withName("gone-w")
                        .get()
                        .getData()
                        .get("page"));
        eventually(() -> assertNull(deployment()));
    }
}
