/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The status of the drivers of a node, as kube-apiserver 1.37.2 with its default flags: its only field belongs to a
 * feature that is off, and the rest of the object cannot be written through it.
 */
class NodeDriversTest extends ServerFixture {

    private static final String NODES = "/apis/storage.k8s.io/v1/csinodes";
    private static final String MERGE = "application/merge-patch+json";

    @BeforeEach
    void createNode() {
        requests.post(NODES, "{'metadata':{'name':'n'},'spec':{'drivers':[{'name':'d.example.com','nodeID':'i'}]}}")
                .ok();
    }

    @Test
    void status_isStoredWithoutTheHealth_whichHasAnOwner() {
        JsonObject written = requests.send(
                        "PATCH",
                        NODES + "/n/status",
                        MERGE,
                        "{'status':{'storageHealth':[{'name':'d.example.com','healthConditions':[{'status':"
                                + "'StorageDegraded'}]}]}}")
                .ok()
                .body();

        assertThat(written.get("status")).isEqualTo(JsonObject.EMPTY);
        assertThat(written.array("metadata", "managedFields").objects()).anySatisfy(entry -> {
            assertThat(entry.string("subresource")).isEqualTo("status");
            assertThat(entry.object("fieldsV1", "f:status").has("f:storageHealth"))
                    .isTrue();
        });
    }

    @Test
    void status_keepsLabelsAndDrivers() {
        JsonObject before = requests.get(NODES + "/n").body();
        JsonObject written = requests.send(
                        "PATCH",
                        NODES + "/n/status",
                        MERGE,
                        "{'metadata':{'labels':{'a':'b'}},'spec':{'drivers':[]},'status':{}}")
                .ok()
                .body();

        assertThat(written.object("metadata").has("labels")).isFalse();
        assertThat(written.object("spec")).isEqualTo(before.object("spec"));
    }

    @Test
    void object_isWrittenWithoutItsStatus() {
        JsonObject written = requests.send(
                        "PATCH", NODES + "/n", MERGE, "{'status':{'storageHealth':[{'name':'d.example.com'}]}}")
                .ok()
                .body();

        assertThat(written.get("status")).isEqualTo(JsonObject.EMPTY);
    }
}
