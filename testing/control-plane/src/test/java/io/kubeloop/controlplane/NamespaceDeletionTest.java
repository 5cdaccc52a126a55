/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.transport.memory.Requests.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamespaceDeletionTest extends ControlPlaneFixture {

    private static final String SHOP = "/api/v1/namespaces/shop";

    @BeforeEach
    void createNamespace() {
        requests.post("/api/v1/namespaces", "{'metadata':{'name':'shop'}}").ok();
    }

    private void awaitGone() {
        await().untilAsserted(() -> assertThat(requests.get(SHOP).code()).isEqualTo(404));
    }

    @Test
    void delete_namespaceWithContent_removesTheContentThenTheNamespace() {
        requests.post(SHOP + "/configmaps", "{'metadata':{'name':'a'}}").ok();
        requests.post(SHOP + "/services", "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}")
                .ok();

        Reply deleted = requests.delete(SHOP).ok();

        assertThat(deleted.body().string("status", "phase")).isEqualTo("Terminating");
        awaitGone();
        assertThat(requests.get(SHOP + "/configmaps/a").code()).isEqualTo(404);
    }

    @Test
    void delete_namespaceWithAClaim_leavesNoFinalizerThatNobodyRemoves() {
        String spec = "{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}";
        requests.post(SHOP + "/persistentvolumeclaims", "{'metadata':{'name':'c'},'spec':" + spec + "}")
                .ok();

        requests.delete(SHOP).ok();

        awaitGone();
    }

    @Test
    void delete_namespaceWithARunningPod_waitsForIt() {
        String pod = "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}";
        requests.post(SHOP + "/pods", pod).ok();

        requests.delete(SHOP).ok();

        await().untilAsserted(
                        () -> assertThat(requests.get(SHOP + "/pods/p").body().string("metadata", "deletionTimestamp"))
                                .isNotEmpty());
        Reply refused = requests.post(SHOP + "/configmaps", "{'metadata':{'name':'late'}}");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("configmaps \"late\" is forbidden: unable to create new content in namespace shop because it"
                        + " is being terminated");
        assertThat(requests.get(SHOP).code()).isEqualTo(200);

        requests.delete(SHOP + "/pods/p", "{'gracePeriodSeconds':0}").ok();
        awaitGone();
    }

    @Test
    void finalize_removesTheLastFinalizerAndTheNamespace() {
        requests.send("PATCH", SHOP, "application/merge-patch+json", "{'metadata':{'finalizers':['example.com/hold']}}")
                .ok();
        requests.delete(SHOP).ok();
        await().untilAsserted(() -> assertThat(
                        requests.get(SHOP).body().array("spec", "finalizers").isEmpty())
                .isTrue());

        requests.send("PATCH", SHOP, "application/merge-patch+json", "{'metadata':{'finalizers':null}}")
                .ok();

        assertThat(requests.get(SHOP).code()).isEqualTo(404);
    }

    @Test
    void delete_systemNamespace_isForbidden() {
        Reply refused = requests.delete("/api/v1/namespaces/default");

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
    }

    @Test
    void create_inMissingNamespace_isNotFound() {
        Reply refused = requests.post("/api/v1/namespaces/none/configmaps", "{'metadata':{'name':'a'}}");

        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.message()).isEqualTo("namespaces \"none\" not found");
    }
}
