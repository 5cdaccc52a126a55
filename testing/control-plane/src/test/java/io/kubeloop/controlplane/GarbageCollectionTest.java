/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageCollectionTest extends ControlPlaneFixture {

    private final SimulatedClock time = SimulatedClock.frozen(Instant.parse(NOW));

    @Override
    ControlPlane.Builder configure(ControlPlane.Builder builder) {
        return builder.clock(time);
    }

    @AfterEach
    @Override
    protected void stopServer() {
        super.stopServer();
        time.close();
    }

    private String owner(String name) {
        return createConfigMap(name, "").body().string("metadata", "uid");
    }

    private static String ownedBy(String name, String uid, String more) {
        return ",'ownerReferences':[" + reference(name, uid, more) + "]";
    }

    private static String reference(String name, String uid, String more) {
        return "{'apiVersion':'v1','kind':'ConfigMap','name':'" + name + "','uid':'" + uid + "'" + more + "}";
    }

    /**
     * Creates a pod and waits until the collector knows it. The collector watches pods and owners separately, as
     * upstream: an owner that is deleted at once may come first, and then has no dependents yet.
     */
    private void createKnownPod(String name, String metadata, String spec) {
        createPod(name, metadata, spec);
        createPod("later", ownedBy("absent", "nobody", ""), "");
        awaitGone(PODS + "/later");
    }

    /** Returns when the collector is idle. It repeats a check that failed after a pause, which passes here at once. */
    private void settle() {
        time.awaitQuiet();
        time.advance(Duration.ofSeconds(1));
    }

    private void awaitGone(String path) {
        settle();
        assertThat(requests.get(path).code()).isEqualTo(404);
    }

    @Test
    void background_deletesDependentsAfterTheOwner() {
        String uid = owner("a");
        createPod("p", ownedBy("a", uid, ""), "");
        createConfigMap(
                "grandchild",
                ",'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'"
                        + requests.get(PODS + "/p").body().string("metadata", "uid") + "'}]");

        requests.delete(CONFIG_MAPS + "/a").ok();

        awaitGone(PODS + "/p");
        awaitGone(CONFIG_MAPS + "/grandchild");
    }

    @Test
    void deployment_takesItsReplicaSetsAndTheirPodsWithIt() {
        String deployments = "/apis/apps/v1/namespaces/default/deployments";
        String deployed =
                requests.post(deployments, replicaSet("web", "")).ok().body().string("metadata", "uid");
        String set = requests.post(
                        REPLICA_SETS,
                        replicaSet("web-1", "")
                                .replace(
                                        "'name':'web-1'}",
                                        "'name':'web-1'" + ownedBy("apps/v1", "Deployment", "web", deployed) + "}"))
                .ok()
                .body()
                .string("metadata", "uid");
        createPod("p", ownedBy("apps/v1", "ReplicaSet", "web-1", set), "");

        requests.delete(deployments + "/web", "{'propagationPolicy':'Background'}")
                .ok();

        awaitGone(REPLICA_SETS + "/web-1");
        awaitGone(PODS + "/p");
    }

    private static String ownedBy(String apiVersion, String kind, String name, String uid) {
        return ",'ownerReferences':[{'apiVersion':'" + apiVersion + "','kind':'" + kind + "','name':'" + name
                + "','uid':'" + uid + "'}]";
    }

    @Test
    void ownerIsNamedInLowerCase_isFound() {
        String uid = owner("a");
        createConfigMap("kept", ownedBy("v1", "configmap", "a", uid));
        createConfigMap("orphan", ownedBy("v1", "configmap", "absent", "nobody"));
        awaitGone(CONFIG_MAPS + "/orphan");
        assertThat(requests.get(CONFIG_MAPS + "/kept").code()).isEqualTo(200);

        requests.delete(CONFIG_MAPS + "/a").ok();

        awaitGone(CONFIG_MAPS + "/kept");
    }

    /**
     * As upstream, which guesses a resource for the kind of a list: the read of an owner finds nothing, even if the UID
     * exists.
     */
    @Test
    void ownerIsNamedAsAList_isAbsent() {
        createConfigMap("listed", ownedBy("v1", "ConfigMapList", "a", owner("a")));
        createPod("items", ownedBy("v1", "List", "a", "nobody"), "");

        awaitGone(CONFIG_MAPS + "/listed");
        awaitGone(PODS + "/items");
    }

    @Test
    void orphan_releasesDependentsThenDeletesTheOwner() {
        String uid = owner("a");
        createKnownPod("p", ownedBy("a", uid, ""), "");

        Reply deleted = requests.delete(CONFIG_MAPS + "/a", "{'propagationPolicy':'Orphan'}")
                .ok();

        assertThat(deleted.body().array("metadata", "finalizers").strings()).containsExactly("orphan");
        awaitGone(CONFIG_MAPS + "/a");
        assertThat(requests.get(PODS + "/p").ok().body().object("metadata").has("ownerReferences"))
                .isFalse();
    }

    @Test
    void foreground_ownerGoesAfterItsBlockingDependents() {
        String uid = owner("a");
        createKnownPod("p", ownedBy("a", uid, ",'blockOwnerDeletion':true"), ",'nodeName':'n1'");

        Reply deleted = requests.delete(CONFIG_MAPS + "/a", "{'propagationPolicy':'Foreground'}")
                .ok();

        assertThat(deleted.body().array("metadata", "finalizers").strings()).containsExactly("foregroundDeletion");
        settle();
        assertThat(requests.get(PODS + "/p").body().string("metadata", "deletionTimestamp"))
                .isNotEmpty();
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);

        requests.delete(PODS + "/p", "{'gracePeriodSeconds':0}").ok();
        awaitGone(CONFIG_MAPS + "/a");
    }

    @Test
    void foreground_dependentThatIsReleased_blocksNoLonger() {
        String uid = owner("a");
        createKnownPod("p", ownedBy("a", uid, ",'blockOwnerDeletion':true"), ",'nodeName':'n1'");
        requests.delete(CONFIG_MAPS + "/a", "{'propagationPolicy':'Foreground'}")
                .ok();

        requests.send("PATCH", PODS + "/p", "application/merge-patch+json", "{'metadata':{'ownerReferences':null}}")
                .ok();

        awaitGone(CONFIG_MAPS + "/a");
        assertThat(requests.get(PODS + "/p").code()).isEqualTo(200);
    }

    @Test
    void dependent_withAnotherLivingOwner_losesOnlyTheReference() {
        String a = owner("a");
        String b = owner("b");
        createPod("p", ",'ownerReferences':[" + reference("a", a, "") + "," + reference("b", b, "") + "]", "");

        requests.delete(CONFIG_MAPS + "/a").ok();

        settle();
        List<JsonObject> owners = requests.get(PODS + "/p")
                .ok()
                .body()
                .array("metadata", "ownerReferences")
                .objects()
                .toList();
        assertThat(owners)
                .singleElement()
                .satisfies(owner -> assertThat(owner.string("uid")).isEqualTo(b));
    }

    @Test
    void owner_thatNeverWas_countsAsGone() {
        createPod("p", ownedBy("a", "11111111-2222-3333-4444-555555555555", ""), "");

        awaitGone(PODS + "/p");
    }

    @Test
    void owner_replacedUnderItsName_countsAsGone() {
        String uid = owner("a");
        requests.delete(CONFIG_MAPS + "/a").ok();
        owner("a");

        createPod("p", ownedBy("a", uid, ""), "");

        awaitGone(PODS + "/p");
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);
    }

    @Test
    void owner_ofAKindThatIsNotServed_isLeftAlone() {
        createPod("p", ",'ownerReferences':[{'apiVersion':'x/v1','kind':'X','name':'a','uid':'1'}]", "");
        createPod("q", ownedBy("a", "1", ""), "");

        awaitGone(PODS + "/q"); // the collector has processed p
        assertThat(requests.get(PODS + "/p").code()).isEqualTo(200);
    }

    @Test
    void replicationController_deletedWithoutPolicy_orphansItsPods() {
        String uid = requests.post(
                        CONTROLLERS,
                        "{'metadata':{'name':'rc'},'spec':{'template':{'metadata':{'labels':"
                                + "{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}")
                .ok()
                .body()
                .string("metadata", "uid");
        createKnownPod(
                "p",
                ",'ownerReferences':[{'apiVersion':'v1','kind':'ReplicationController','name':'rc','uid':'" + uid
                        + "'}]",
                "");

        requests.delete(CONTROLLERS + "/rc").ok();

        awaitGone(CONTROLLERS + "/rc");
        assertThat(requests.get(PODS + "/p").ok().body().object("metadata").has("ownerReferences"))
                .isFalse();
    }

    @Test
    void foreground_circleOfOwners_goesAsAWhole() {
        String blocks = ",'blockOwnerDeletion':true";
        String a = owner("a");
        String b = createConfigMap("b", ownedBy("a", a, blocks)).body().string("metadata", "uid");
        String c = createConfigMap("c", ownedBy("b", b, blocks)).body().string("metadata", "uid");
        patch(CONFIG_MAPS + "/a", "{'metadata':{'ownerReferences':[" + reference("c", c, blocks) + "]}}");

        requests.delete(CONFIG_MAPS + "/a", "{'propagationPolicy':'Foreground'}")
                .ok();

        awaitGone(CONFIG_MAPS + "/a");
        awaitGone(CONFIG_MAPS + "/b");
        awaitGone(CONFIG_MAPS + "/c");
    }

    @Test
    void foreground_dependentThatBlocksNoLonger_letsItsOwnerGo() {
        String uid = owner("a");
        createKnownPod("p", ownedBy("a", uid, ",'blockOwnerDeletion':true"), ",'nodeName':'n1'");
        requests.delete(CONFIG_MAPS + "/a", "{'propagationPolicy':'Foreground'}")
                .ok();
        settle();
        assertThat(requests.get(PODS + "/p").body().string("metadata", "deletionTimestamp"))
                .isNotEmpty();

        patch(PODS + "/p", "{'metadata':{'ownerReferences':[" + reference("a", uid, "") + "]}}");

        awaitGone(CONFIG_MAPS + "/a");
        assertThat(requests.get(PODS + "/p").code()).isEqualTo(200);
    }

    @Test
    void ownerInANamespace_ofAnObjectInNone_isNotLookedFor() {
        requests.post("/api/v1/nodes", "{'metadata':{'name':'n'" + ownedBy("absent", "nobody", "") + "}}")
                .ok();

        // The collector processes nodes before this object.
        createConfigMap("dependent", ownedBy("absent", "nobody", ""));
        awaitGone(CONFIG_MAPS + "/dependent");

        assertThat(requests.get("/api/v1/nodes/n").code()).isEqualTo(200);
    }

    private void patch(String path, String patch) {
        requests.send("PATCH", path, "application/merge-patch+json", patch).ok();
    }
}
