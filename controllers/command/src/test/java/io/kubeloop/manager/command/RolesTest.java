/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.manager.ClientBuilder;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/rbac.yaml has a role and a binding for the service account of every controller of the manager. */
class RolesTest {

    private static final String PREFIX = "kubeloop:controller:";

    @Test
    void everyAccountThatAControllerUses_hasARole_boundToIt() {
        Set<String> roles = new TreeSet<>();
        Set<String> bound = new TreeSet<>();
        for (JsonObject object : Manifests.read(Path.of("../../docs/rbac.yaml"))) {
            String name = object.string("metadata", "name");
            if (name.startsWith(PREFIX) && object.string("kind").equals("ClusterRole")) {
                assertThat(object.array("rules").isEmpty()).as(name).isFalse();
                roles.add(name.substring(PREFIX.length()));
            } else if (name.startsWith(PREFIX)) {
                assertThat(object.string("roleRef", "name")).isEqualTo(name);
                bound.addAll(object.array("subjects")
                        .objects()
                        .filter(subject -> subject.string("namespace").equals("kube-system"))
                        .map(subject -> subject.string("name"))
                        .collect(Collectors.toSet()));
            }
        }
        assertThat(accounts()).hasSizeGreaterThan(15).isSubsetOf(roles);
        assertThat(bound).isEqualTo(roles);
    }

    /**
     * Starts every controller, also those that are off by default, and returns the names for which they request a
     * client.
     */
    private static Set<String> accounts() {
        Set<String> names = new ConcurrentSkipListSet<>();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
            KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
            ClientBuilder recording = new ClientBuilder() {
                @Override
                public KubeClient client(String name) {
                    names.add(name);
                    return client;
                }

                @Override
                public void close() {
                    // The server closes the transport.
                }
            };
            try (ControllerManager run = ControllerManager.builder(client)
                    .clients(mayWrite -> recording)
                    .controllers(new ControllerSelection(ControllerTable.BUILT_IN.names()))
                    .start()) {
                assertThat(run.controllers()).hasSizeGreaterThan(20);
            }
        }
        return names;
    }
}
