/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.policies;

import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.kinds.requests.MatchedRequests;
import io.kubeloop.apiserver.kinds.requests.RequestFacts;
import io.kubeloop.apiserver.kinds.requests.RequestMatcher;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.PersistentSortedMap;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policies that are bound, compiled when they or their bindings change. Thread-safe. */
final class BoundPolicies {

    private final ResourceStore policies;
    private final ResourceStore bindings;

    // Replaced when policies or bindings change. Threads that read them at the same time store equal ones.
    private volatile Read read = new Read(PersistentSortedMap.empty(), PersistentSortedMap.empty(), List.of());

    /** A policy with its bindings. */
    record Bound(CompiledPolicy policy, List<Binding> bindings) {}

    /**
     * A binding of a policy.
     *
     * @param resources the requests to which it limits the policy; null for all of the policy's
     */
    record Binding(String name, JsonObject spec, @Nullable MatchedRequests resources) {

        static Binding of(JsonObject binding) {
            JsonObject spec = binding.object("spec");
            return new Binding(
                    binding.string("metadata", "name"),
                    spec,
                    spec.get("matchResources") instanceof JsonObject resources
                            ? MatchedRequests.ofPolicy(resources)
                            : null);
        }

        /** Returns whether the binding applies to a request that its policy matches. */
        boolean matches(RequestMatcher matcher, AdmissionRequest request, @Nullable JsonObject object) {
            return resources == null || matcher.match(resources, request, object) != null;
        }
    }

    /** The policies of a state of the storage. */
    private record Read(
            PersistentSortedMap<StoredObject> policies,
            PersistentSortedMap<StoredObject> bindings,
            List<Bound> bound) {}

    BoundPolicies(ResourceStore policies, ResourceStore bindings) {
        this.policies = policies;
        this.bindings = bindings;
    }

    /** Returns the policies at the time of a request, by name. */
    List<Bound> of(AdmissionRequest request, RequestFacts facts) {
        PersistentSortedMap<StoredObject> allPolicies = request.now().of(policies.bucket());
        PersistentSortedMap<StoredObject> allBindings = request.now().of(bindings.bucket());
        Read current = read;
        if (current.policies() != allPolicies || current.bindings() != allBindings) {
            current = new Read(allPolicies, allBindings, compiled(request, facts, current));
            read = current;
        }
        return current.bound();
    }

    /** Compiles the policies that have bindings; those of the state before are compiled already. */
    private List<Bound> compiled(AdmissionRequest request, RequestFacts facts, Read before) {
        List<Binding> all = new ArrayList<>();
        bindings.objects(request.now(), "").forEach(binding -> all.add(Binding.of(binding.tree())));
        List<Bound> bound = new ArrayList<>();
        policies.objects(request.now(), "").forEach(stored -> {
            JsonObject tree = stored.tree();
            String name = tree.string("metadata", "name");
            List<Binding> own = all.stream()
                    .filter(binding -> binding.spec().string("policyName").equals(name))
                    .toList();
            if (!own.isEmpty()) {
                CompiledPolicy policy = before.bound().stream()
                        .map(Bound::policy)
                        .filter(old -> old.policy().object("spec").equals(tree.object("spec"))
                                && old.name().equals(name))
                        .findFirst()
                        .orElseGet(() -> CompiledPolicy.of(facts.variables(), tree));
                bound.add(new Bound(policy, own));
            }
        });
        return bound;
    }
}
