/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.policies;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.Expression.Outcome;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.apiserver.fieldmanager.ApplyException;
import io.kubeloop.apiserver.kinds.policies.BoundPolicies.Binding;
import io.kubeloop.apiserver.kinds.policies.BoundPolicies.Bound;
import io.kubeloop.apiserver.kinds.policies.CompiledPolicy.Change;
import io.kubeloop.apiserver.kinds.policies.PolicyParameters.ParameterException;
import io.kubeloop.apiserver.kinds.requests.MatchConditions.ConditionException;
import io.kubeloop.apiserver.kinds.requests.MutableView;
import io.kubeloop.apiserver.kinds.requests.RequestEvaluation;
import io.kubeloop.apiserver.kinds.requests.RequestEvaluation.BudgetException;
import io.kubeloop.apiserver.kinds.requests.RequestFacts;
import io.kubeloop.apiserver.kinds.requests.RequestMatcher;
import io.kubeloop.apiserver.patch.MergeSchema;
import io.kubeloop.apiserver.patch.Patches;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.FieldTracking;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets the policies that are bound change objects (upstream: the plug-in {@code MutatingAdmissionPolicy}). If one of
 * them changes the object, the plug-ins before this one run again, and then the policies whose {@code
 * reinvocationPolicy} is {@code IfNeeded} and that have not seen the change. Does nothing on a server without a
 * compiler of expressions. Thread-safe.
 */
public final class MutatingPolicies implements AdmissionPlugin {

    /** The start of the message about an operation {@code test} that is false: then the patch does not apply. */
    private static final String FAILED_TEST = "testing value ";

    private final ApiBackend backend;
    private final BoundPolicies policies;
    private final @Nullable RequestFacts facts;
    private final RequestMatcher matcher;
    private final PolicyParameters parameters;
    private final AdmissionPlugin others;

    /** A policy cannot change an object; the message is for the client. */
    private static final class ChangeException extends Exception {

        private static final long serialVersionUID = 1L;

        ChangeException(@Nullable String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Creates the plug-in.
     *
     * @param policies the store of the policies
     * @param bindings the store of their bindings
     * @param others the plug-ins that run before, and again after a change
     */
    public MutatingPolicies(
            ApiBackend backend, ResourceStore policies, ResourceStore bindings, AdmissionPlugin others) {
        this.policies = new BoundPolicies(policies, bindings);
        this.others = others;
        this.backend = backend;
        facts = RequestFacts.installed(backend);
        matcher = new RequestMatcher(backend);
        parameters = new PolicyParameters(backend);
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (facts == null || RequestMatcher.isExempt(request.store())) {
            return object;
        }
        List<Bound> all = policies.of(request, facts);
        List<JsonObject> seen = new ArrayList<>(all.size());
        JsonObject current = object;
        for (Bound bound : all) {
            current = changed(bound, request, current, facts);
            seen.add(current);
        }
        if (current.equals(object)) {
            return object;
        }
        current = others.mutate(request, current);
        for (int i = 0; i < all.size(); i++) {
            String reinvocation = all.get(i).policy().policy().string("spec", "reinvocationPolicy");
            if (reinvocation.equals("IfNeeded") && !seen.get(i).equals(current)) {
                current = changed(all.get(i), request, current, facts);
            }
        }
        return current;
    }

    private JsonObject changed(Bound bound, AdmissionRequest request, JsonObject object, RequestFacts known) {
        JsonObject current = object;
        CompiledPolicy policy = bound.policy();
        for (Binding binding : bound.bindings()) {
            JsonObject shown = MutableView.of(request, current);
            ResourceStore matched = matcher.match(policy.match(), request, shown);
            if (matched != null && binding.matches(matcher, request, shown)) {
                try {
                    current = changed(policy, binding.spec(), new Subject(request, matched, known), current);
                } catch (ChangeException e) {
                    if (!policy.ignoresFailures()) {
                        throw ValidatingPolicies.denied(
                                request,
                                "Forbidden",
                                "policy '" + policy.name() + "' with binding '" + binding.name() + "' denied request: "
                                        + e.getMessage());
                    }
                }
            }
        }
        return current;
    }

    /** A request, and the resource version in which a policy receives the objects. */
    private record Subject(AdmissionRequest request, ResourceStore matched, RequestFacts facts) {

        RequestEvaluation evaluation(CompiledPolicy policy, JsonObject object, @Nullable JsonObject params) {
            RequestEvaluation evaluation = facts.of(request, matched, MutableView.of(request, object), params)
                    .in(facts.namespace(request));
            evaluation.declare(policy.variables());
            return evaluation;
        }
    }

    private JsonObject changed(CompiledPolicy policy, JsonObject binding, Subject subject, JsonObject object)
            throws ChangeException {
        JsonObject current = object;
        try {
            List<@Nullable JsonObject> all =
                    parameters.of(subject.request(), policy.policy().object("spec"), binding);
            for (JsonObject params : all) {
                boolean matches = policy.conditions()
                        .match(subject.evaluation(policy, current, params), policy.ignoresFailures());
                for (Change change : matches ? policy.changes() : List.<Change>of()) {
                    Outcome outcome =
                            subject.evaluation(policy, current, params).evaluate(change.expression());
                    if (!(outcome.value() instanceof Expression.Change value)) {
                        throw new ChangeException(outcome.error());
                    }
                    current = applied(change, value.json(), subject, current);
                }
            }
        } catch (ParameterException e) {
            throw new ChangeException("failed to configure binding: " + e.getMessage());
        } catch (ConditionException | BudgetException | ExpressionException e) {
            throw new ChangeException(e.getMessage());
        }
        return current;
    }

    private JsonObject applied(Change change, JsonValue value, Subject subject, JsonObject object)
            throws ChangeException {
        AdmissionRequest request = subject.request();
        ResourceStore matched = subject.matched();
        JsonObject shown = MutableView.of(request, object);
        JsonObject form = MutableView.in(backend, matched, request, shown);
        try {
            JsonObject result = change.isPatch()
                    ? Patches.apply(Patch.Type.JSON, MergeSchema.NONE, form, value)
                    : merged(subject, form, value);
            JsonObject changed = MutableView.from(matched, request, shown, result);
            return changed.equals(shown) ? object : MutableView.completed(request, object, changed);
        } catch (PatchException | DecodeException e) {
            if (String.valueOf(e.getMessage()).startsWith(FAILED_TEST)) {
                return object;
            }
            throw new ChangeException(e.getMessage());
        }
    }

    private JsonObject merged(Subject subject, JsonObject form, JsonValue part) throws ChangeException {
        AdmissionRequest request = subject.request();
        if (!(part instanceof JsonObject object)) {
            throw new ChangeException("the result is not an object");
        }
        if (MutableView.isScale(request)) {
            // Upstream has no schema for it either.
            throw unappliable("failed to convert patch object to typed object: no corresponding type for "
                    + form.string("apiVersion") + ", Kind=" + form.string("kind"));
        }
        try {
            return new FieldTracking(backend, subject.matched(), "", request.options()).merged(form, object);
        } catch (ApplyException e) {
            throw unappliable(e.getMessage());
        }
    }

    private static ChangeException unappliable(@Nullable String message) {
        return new ChangeException("error applying patch: " + message);
    }
}
