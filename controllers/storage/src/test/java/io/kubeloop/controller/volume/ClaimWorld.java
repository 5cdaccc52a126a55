/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A server with pods and claims, and the sync of the claim protection behind two lagging caches. For one thread. */
final class ClaimWorld implements AutoCloseable {

    static final String PODS = "/api/v1/namespaces/default/pods";
    static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

    final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    final Requests requests = new Requests(server.transport());
    final LaggingCache<Pod> cachedPods = new LaggingCache<>();
    final LaggingCache<PersistentVolumeClaim> cachedClaims = new LaggingCache<>();
    private final ResourceClient<Pod> pods;
    private final ResourceClient<PersistentVolumeClaim> claims;
    private final ClaimProtectionController.Sync sync;
    private final Deque<String> queue = new ArrayDeque<>();

    ClaimWorld() {
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        pods = client.resource(ResourceTypes.PODS);
        claims = client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        sync = new ClaimProtectionController.Sync(
                new ProtectedObjects<>(
                        cachedClaims, claims, new Protection(ClaimProtectionController.FINALIZER), "test"),
                new UnusedCondition(claims, clock),
                key -> cachedPods.list().stream()
                        .filter(pod -> UsedClaims.of(pod).contains(key))
                        .toList(),
                pods,
                new ClaimsByNamespace(queue::add));
        cachedPods.start(List.of(), sync.podHandler());
        cachedClaims.start(List.of(), sync.claimHandler());
    }

    void createClaim(String name) {
        requests.post(
                        CLAIMS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],"
                                + "'resources':{'requests':{'storage':'1Gi'}}}}")
                .ok();
    }

    void bindClaim(String name) {
        requests.send(
                        "PATCH",
                        CLAIMS + "/" + name + "/status",
                        "application/merge-patch+json",
                        "{'status':{'phase':'Bound'}}")
                .ok();
    }

    /** Creates a pod with a claim; on a node if it has a name. */
    void createPod(String name, String claim, String node) {
        requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'nodeName':'" + node
                                + "','containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v',"
                                + "'persistentVolumeClaim':{'claimName':'" + claim + "'}}]}}")
                .ok();
    }

    void deletePod(String name) {
        pods.delete(new ObjectName("default", name), new DeleteOptions(0L, null, null, null));
    }

    void deleteClaim(String name) {
        requests.delete(CLAIMS + "/" + name);
    }

    void finish(String pod) {
        pods.patch(new ObjectName("default", pod), Patch.merge("{\"status\":{\"phase\":\"Succeeded\"}}"), "status");
    }

    List<Pod> pods() {
        return pods.list("default", ListOptions.NONE).items();
    }

    List<PersistentVolumeClaim> claims() {
        return claims.list("default", ListOptions.NONE).items();
    }

    /** Lets the caches learn what the server has, which they show later. */
    void watch() {
        cachedPods.serverHas(pods());
        cachedClaims.serverHas(claims());
    }

    /** Syncs the oldest namespace of the queue; returns false if there is none. A failure brings it back. */
    boolean sync() {
        String namespace = queue.poll();
        if (namespace == null) {
            return false;
        }
        try {
            sync.syncNamespace(namespace);
        } catch (ApiException | ControllerException e) {
            queue.add(namespace);
        }
        return true;
    }

    /** Delivers all events and syncs until nothing is left to do. */
    void settle() {
        boolean busy = true;
        while (busy) {
            watch();
            boolean podSeen = cachedPods.deliver();
            boolean claimSeen = cachedClaims.deliver();
            boolean synced = sync();
            busy = podSeen || claimSeen || synced;
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
