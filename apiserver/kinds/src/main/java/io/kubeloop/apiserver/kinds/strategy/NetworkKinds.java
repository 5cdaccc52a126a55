/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.network.AddressSpaceRules;
import io.kubeloop.apiserver.kinds.validation.network.EndpointsRules;
import io.kubeloop.apiserver.kinds.validation.network.IngressRules;
import io.kubeloop.apiserver.kinds.validation.network.NetworkPolicyRules;
import io.kubeloop.apiserver.kinds.validation.network.SliceRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** The kinds of networking.k8s.io and discovery.k8s.io, and Endpoints (upstream: {@code pkg/registry/networking}). */
final class NetworkKinds {

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "endpoints",
            KindStrategy.of("core.v1.Endpoints")
                    .storedAs("services/endpoints")
                    .updates(METADATA_CHANGE, METADATA, CHANGE)
                    .with(Trait.CREATES_ON_UPDATE)
                    .useWarning("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
                    .checkCreate(EndpointsRules::create)
                    .checkUpdate((object, old, part) -> EndpointsRules.update(object, old))
                    .warnings((object, old, part) -> EndpointsRules.warnings(object)),
            "endpointslices.discovery.k8s.io",
            KindStrategy.of("discovery.v1.EndpointSlice")
                    .updates(METADATA, CHANGE)
                    .generationOf("*", "metadata.labels")
                    .onCreate(NetworkKinds::withoutTopology)
                    .onUpdate((slice, old, part) -> withoutTopology(slice))
                    .checkCreate(SliceRules::create)
                    .checkUpdate((slice, old, part) -> SliceRules.update(slice, old))
                    .warnings((slice, old, part) -> SliceRules.warnings(slice, old == null)),
            "ingresses.networking.k8s.io",
            KindStrategy.of("networking.v1.Ingress")
                    .storedAs("ingress")
                    .updates(METADATA_CHANGE, METADATA, CHANGE)
                    .with(Trait.STATUS)
                    .generation()
                    .checkCreate(ingress -> {
                        IngressRules.ingress(ingress);
                        IngressRules.create(ingress);
                    })
                    .checkUpdate((ingress, old, part) -> {
                        if (part == Part.STATUS) {
                            IngressRules.status(ingress, old);
                        } else {
                            IngressRules.ingress(ingress);
                        }
                    })
                    .warnings((ingress, old, part) -> old == null
                            ? IngressRules.warnings(ingress)
                            : part == Part.STATUS ? IngressRules.statusWarnings(ingress) : List.of()),
            "ingressclasses.networking.k8s.io",
            KindStrategy.of("networking.v1.IngressClass")
                    .updates(METADATA_CHANGE, CHANGE, METADATA, OBJECT)
                    .generation()
                    .check(IngressRules::ingressClass)
                    .checkUpdate((object, old, part) -> IngressRules.ingressClassUpdate(object, old)),
            "networkpolicies.networking.k8s.io",
            KindStrategy.of("networking.v1.NetworkPolicy")
                    .generation()
                    .checkCreate(NetworkPolicyRules::create)
                    .checkUpdate((policy, old, part) -> NetworkPolicyRules.update(policy, old))
                    .warnings((policy, old, part) -> NetworkPolicyRules.warnings(policy)),
            "ipaddresses.networking.k8s.io",
            KindStrategy.of("networking.v1.IPAddress")
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .names((name, prefix) -> AddressRules.canonicalIp(name))
                    .with(Trait.KEEPS_GENERATED_NAMES)
                    .check(AddressSpaceRules::address)
                    .checkUpdate((address, old, part) -> AddressSpaceRules.addressUpdate(address, old)),
            "servicecidrs.networking.k8s.io",
            KindStrategy.of("networking.v1.ServiceCIDR")
                    .with(Trait.STATUS, Trait.KEEPS_METADATA_IN_STATUS)
                    .checkCreate(AddressSpaceRules::ranges)
                    .checkUpdate((object, old, part) -> {
                        if (part == Part.MAIN) {
                            AddressSpaceRules.rangesUpdate(object, old);
                        }
                    }));

    private NetworkKinds() {}

    /** Removes {@code deprecatedTopology}, which v1 no longer accepts. */
    private static JsonObject withoutTopology(JsonObject slice) {
        List<JsonObject> endpoints = slice.array("endpoints").objects().toList();
        return endpoints.stream().noneMatch(endpoint -> endpoint.has("deprecatedTopology"))
                ? slice
                : slice.with(
                        "endpoints",
                        JsonArray.of(endpoints.stream()
                                .map(endpoint -> endpoint.without("deprecatedTopology"))
                                .toList()));
    }
}
