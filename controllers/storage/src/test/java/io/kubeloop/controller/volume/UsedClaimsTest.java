/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.volumes.PodVolumes;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UsedClaimsTest {

    private static final String VOLUMES = "{'name':'a','persistentVolumeClaim':{'claimName':'data'}},"
            + "{'name':'scratch','ephemeral':{'volumeClaimTemplate':{'spec':{}}}},{'name':'c','emptyDir':{}}";

    private static Pod pod(String metadata, String spec, String status) {
        String json = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'n','uid':'u'" + metadata
                + "},'spec':{'volumes':[" + VOLUMES + "]" + spec + "},'status':{" + status + "}}";
        return JsonCodec.standard().decode(ResourceTypes.PODS, stream(json));
    }

    private static PersistentVolumeClaim claim(String name, String metadata) {
        return JsonCodec.standard()
                .decode(
                        ResourceTypes.PERSISTENT_VOLUME_CLAIMS,
                        stream("{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'" + name
                                + "','namespace':'n'" + metadata + "}}"));
    }

    private static InputStream stream(String json) {
        return new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static String ownedBy(String uid) {
        return ",'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'" + uid + "','controller':true}]";
    }

    private static final String ON_NODE = ",'nodeName':'node'";
    private static final String TERMINATING =
            ",'deletionTimestamp':'2026-01-01T00:00:00Z','deletionGracePeriodSeconds':";

    @Test
    void of_namesTheClaimsOfAllVolumes() {
        assertThat(UsedClaims.of(pod("", "", "")))
                .containsExactly(new ObjectName("n", "data"), new ObjectName("n", "p-scratch"));
    }

    @Test
    void uses_needsANode() {
        assertThat(UsedClaims.uses(pod("", ON_NODE, ""), claim("data", ""))).isTrue();
        assertThat(UsedClaims.uses(pod("", ON_NODE, "'phase':'Succeeded'"), claim("data", "")))
                .isTrue();
        assertThat(UsedClaims.uses(pod("", "", ""), claim("data", ""))).isFalse();
        assertThat(UsedClaims.uses(pod("", ON_NODE, ""), claim("other", ""))).isFalse();
    }

    @Test
    void uses_ofAnEphemeralVolume_needsItsOwnClaim_andAPodThatIsNotShutDown() {
        PersistentVolumeClaim own = claim("p-scratch", ownedBy("u"));
        assertThat(UsedClaims.uses(pod("", ON_NODE, ""), own)).isTrue();
        assertThat(UsedClaims.uses(pod("", ON_NODE, ""), claim("p-scratch", ownedBy("other"))))
                .isFalse();
        assertThat(UsedClaims.uses(pod("", ON_NODE, ""), claim("p-scratch", "")))
                .isFalse();
        assertThat(UsedClaims.uses(pod(TERMINATING + "30", ON_NODE, ""), own)).isTrue();
        assertThat(UsedClaims.uses(pod(TERMINATING + "0", ON_NODE, ""), own)).isFalse();
        assertThat(UsedClaims.uses(pod(TERMINATING + "0", ON_NODE, ""), claim("data", "")))
                .isTrue();
    }

    @Test
    void isTerminated_whenNoContainerRuns() {
        String stopped = "'containerStatuses':[{'name':'c','state':{'terminated':{'exitCode':0}}},"
                + "{'name':'d','state':{'waiting':{}}}]";
        String running = "'containerStatuses':[{'name':'c','state':{'running':{}}}]";
        assertThat(PodVolumes.isTerminated(pod("", "", "'phase':'Failed'"))).isTrue();
        assertThat(PodVolumes.isTerminated(pod("", "", stopped))).isFalse();
        assertThat(PodVolumes.isTerminated(pod(TERMINATING + "30", "", stopped)))
                .isTrue();
        assertThat(PodVolumes.isTerminated(pod(TERMINATING + "30", "", running)))
                .isFalse();
        assertThat(PodVolumes.isTerminated(pod(TERMINATING + "30", "", ""))).isTrue();
        assertThat(PodVolumes.isTerminated(pod(TERMINATING + "30", "", "'containerStatuses':[{'name':'c'}]")))
                .isFalse();
    }
}
