/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.DeviceClaims;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cached objects on which the usage of device claims depends; nothing of kinds that the server does not serve.
 *
 * @param monitored the caches
 * @param namespace the namespace of the claims and pods
 */
record CachedDevices(List<Monitored> monitored, String namespace) implements DeviceClaims.Source {

    static final String CLASSES = "deviceclasses.resource.k8s.io";
    static final String CLAIMS = "resourceclaims.resource.k8s.io";
    private static final String PODS = "pods";

    @Override
    public Stream<JsonObject> classes() {
        return of(CLASSES).flatMap(kind -> kind.lister().list().stream().map(object -> Trees.of(kind.type(), object)));
    }

    @Override
    public Stream<JsonObject> claims() {
        return of(CLAIMS)
                .flatMap(kind -> kind.lister().list(namespace).stream().map(object -> Trees.of(kind.type(), object)));
    }

    @Override
    public @Nullable JsonObject pod(String name) {
        Monitored pods = of(PODS).findFirst().orElse(null);
        KubeObject pod = pods == null ? null : pods.lister().get(new ObjectName(namespace, name));
        return pods == null || pod == null ? null : Trees.of(pods.type(), pod);
    }

    private Stream<Monitored> of(String kind) {
        return monitored.stream().filter(resource -> resource.type().toString().equals(kind));
    }
}
