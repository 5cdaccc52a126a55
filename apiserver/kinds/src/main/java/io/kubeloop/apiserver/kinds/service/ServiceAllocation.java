/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The addresses and ports that one write of a service allocates (upstream: {@code
 * registry/core/service/storage/alloc.go}).
 *
 * <p>Confined to the writing thread. A dry run allocates nothing; it shows addresses and ports that are outside the
 * pools.
 */
final class ServiceAllocation {

    private static final long FIRST_DRY_RUN_PORT = NodePortAllocator.LAST + 2;

    private final ServicePools pools;
    private final String name;
    private final ServiceFamilies families;
    private final boolean dryRun;
    private final List<String> addresses = new ArrayList<>();
    private final NavigableSet<Long> ports = new TreeSet<>();

    ServiceAllocation(ServicePools pools, String name, boolean dryRun) {
        this.pools = pools;
        this.name = name;
        families = new ServiceFamilies(pools.families(), name);
        this.dryRun = dryRun;
    }

    /** Releases everything that this write has allocated. */
    void undo() {
        if (!dryRun) {
            addresses.forEach(pools::releaseAddress);
            ports.forEach(pools.nodePorts()::release);
        }
    }

    /** Allocates the addresses and ports of a new service. */
    JsonObject create(JsonObject wanted) {
        JsonObject spec = addresses(families.create(wanted));
        if (ServiceSpecs.hasNodePorts(spec)) {
            spec = newNodePorts(spec);
        }
        return ServiceSpecs.hasHealthCheckPort(spec) ? healthCheckPort(spec) : spec;
    }

    /** Allocates the addresses and ports that a service needs in addition to its old ones. */
    JsonObject update(JsonObject wanted, JsonObject old) {
        JsonObject spec = families.update(wanted, old);
        if (!ServiceSpecs.hasAddress(old)) {
            spec = addresses(spec);
        } else if (ServiceSpecs.hasAddress(spec) && !ServiceSpecs.isHeadless(old)) {
            spec = secondAddress(spec, old);
        }
        if (ServiceSpecs.hasNodePorts(spec)) {
            spec = moreNodePorts(spec, old);
        }
        return ServiceSpecs.hasHealthCheckPort(spec) && !ServiceSpecs.hasHealthCheckPort(old)
                ? healthCheckPort(spec)
                : spec;
    }

    /** Allocates one address for each family. */
    private JsonObject addresses(JsonObject spec) {
        if (!ServiceSpecs.hasAddress(spec) || ServiceSpecs.isHeadless(spec)) {
            return spec;
        }
        List<String> requested = padded(spec);
        List<String> given = new ArrayList<>();
        for (int i = 0; i < requested.size(); i++) {
            given.add(address(spec, requested, i));
        }
        return ServiceSpecs.with(spec.with("clusterIP", given.get(0)), "clusterIPs", given);
    }

    /** Allocates the second address of a service that changes from one family to two. */
    private JsonObject secondAddress(JsonObject spec, JsonObject old) {
        List<String> requested = padded(spec);
        if (ServiceSpecs.families(old).size() != 1
                || ServiceSpecs.families(spec).size() != 2) {
            return spec;
        }
        // A service that becomes headless is rejected later; its second family may be one that the cluster does not
        // serve.
        if (!pools.families().contains(ServiceSpecs.families(spec).get(1))) {
            return spec;
        }
        String second = address(spec, requested, 1);
        return ServiceSpecs.with(spec, "clusterIPs", List.of(requested.get(0), second));
    }

    /** Returns the requested addresses; empty for each family without a requested address. */
    private static List<String> padded(JsonObject spec) {
        List<String> requested = new ArrayList<>(ServiceSpecs.addresses(spec));
        while (requested.size() < ServiceSpecs.families(spec).size()) {
            requested.add("");
        }
        return requested;
    }

    private String address(JsonObject spec, List<String> requested, int index) {
        String family = ServiceSpecs.families(spec).get(index);
        ClusterIpAllocator pool = Objects.requireNonNull(pools.addresses().get(family), family);
        String wanted = requested.get(index);
        if (wanted.isEmpty()) {
            return anyAddress(pool);
        }
        String problem = dryRun ? pool.rangeProblem(wanted) : pool.take(wanted);
        if (!problem.isEmpty()) {
            FieldErrors errors = new FieldErrors();
            errors.invalid(
                    "spec.clusterIPs",
                    JsonArray.ofStrings(requested),
                    "failed to allocate IP " + wanted + ": " + problem);
            throw invalid(errors);
        }
        addresses.add(wanted);
        return wanted;
    }

    private String anyAddress(ClusterIpAllocator pool) {
        String address = dryRun ? pool.network() : pool.allocate();
        if (address.isEmpty()) {
            throw StatusException.internalError(
                    "failed to allocate a serviceIP for Service \"" + name + "\": range is full");
        }
        addresses.add(address);
        return address;
    }

    /**
     * Service ports with the same number and different protocols share one node port, unless the client requests
     * several.
     */
    private JsonObject newNodePorts(JsonObject spec) {
        List<JsonObject> result = new ArrayList<>(ServiceSpecs.ports(spec));
        Map<Long, Long> given = new HashMap<>();
        Map<Long, Long> requests = new HashMap<>();
        for (JsonObject port : result) {
            long requested = ServiceSpecs.number(port, "nodePort");
            if (requested != 0) {
                requests.putIfAbsent(ServiceSpecs.number(port, "port"), requested);
            }
        }
        for (int i = 0; i < result.size(); i++) {
            JsonObject port = result.get(i);
            long requested = ServiceSpecs.number(port, "nodePort");
            if (requested == 0 && !ServiceSpecs.allocatesNodePorts(spec)) {
                continue;
            }
            long number = ServiceSpecs.number(port, "port");
            Long shared = given.get(number);
            if (shared == null) {
                Long first = requests.get(number);
                long taken = first == null ? anyPort() : nodePort(i, first);
                given.put(number, taken);
                result.set(i, port.with("nodePort", taken));
            } else if (requested == 0) {
                result.set(i, port.with("nodePort", shared));
            } else if (requested != shared) {
                nodePort(i, requested);
            }
        }
        return ServiceSpecs.withPorts(spec, result);
    }

    private JsonObject moreNodePorts(JsonObject spec, JsonObject old) {
        List<JsonObject> result = new ArrayList<>(ServiceSpecs.ports(spec));
        Set<Long> held = new HashSet<>(ServiceSpecs.nodePorts(old));
        Set<String> uses = new HashSet<>();
        for (int i = 0; i < result.size(); i++) {
            JsonObject port = result.get(i);
            long number = ServiceSpecs.number(port, "nodePort");
            if (number == 0) {
                if (!ServiceSpecs.allocatesNodePorts(spec)) {
                    continue;
                }
                number = anyPort();
                result.set(i, port.with("nodePort", number));
            } else if (held.add(number)) {
                nodePort(i, number);
            }
            String use = "{" + port.string("protocol") + " " + number + "}";
            if (!uses.add(use)) {
                throw StatusException.unclassified("duplicate nodePort: " + use);
            }
        }
        return ServiceSpecs.withPorts(spec, result);
    }

    private JsonObject healthCheckPort(JsonObject spec) {
        long requested = ServiceSpecs.number(spec, "healthCheckNodePort");
        if (requested == 0) {
            return spec.with("healthCheckNodePort", anyPort());
        }
        String problem = take(requested);
        if (!problem.isEmpty()) {
            throw StatusException.internalError(
                    "failed to allocate requested HealthCheck NodePort " + requested + ": " + problem);
        }
        return spec;
    }

    private long nodePort(int index, long port) {
        String problem = take(port);
        if (!problem.isEmpty()) {
            FieldErrors errors = new FieldErrors();
            errors.invalid("spec.ports[" + index + "].nodePort", JsonNumber.of(port), problem);
            throw invalid(errors);
        }
        return port;
    }

    private String take(long port) {
        boolean used = pools.nodePorts().isTaken(port) || ports.contains(port);
        String dryProblem = used ? "provided port is already allocated" : "";
        String problem = dryRun ? dryProblem : pools.nodePorts().take(port);
        if (problem.isEmpty()) {
            ports.add(port);
        }
        return problem;
    }

    private long anyPort() {
        long highest = ports.isEmpty() ? FIRST_DRY_RUN_PORT - 1 : Math.max(0, ports.last());
        long port = dryRun ? highest + 1 : pools.nodePorts().allocate();
        if (port == 0) {
            throw StatusException.internalError("failed to allocate a nodePort: range is full");
        }
        ports.add(port);
        return port;
    }

    private StatusException invalid(FieldErrors errors) {
        return StatusException.invalid("", "Service", name, errors);
    }
}
