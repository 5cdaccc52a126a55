/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.policies;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.ReinvocablePlugin;
import io.kubeloop.apiserver.admission.SeenStates;
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
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets the policies that are bound change objects (upstream: the plug-in {@code MutatingAdmissionPolicy}). A change
 * requires that all plug-ins are called again, and then the policies whose {@code reinvocationPolicy} is {@code
 * IfNeeded}. Does nothing on a server without a compiler of expressions. Thread-safe.
 */
public final class MutatingPolicies implements ReinvocablePlugin {

    /** The start of the message about an operation {@code test} that is false: then the patch does not apply. */
    private static final String FAILED_TEST = "testing value ";

    private final ApiBackend backend;
    private final BoundPolicies policies;
    private final @Nullable RequestFacts facts;
    private final RequestMatcher matcher;
    private final PolicyParameters parameters;

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
     */
    public MutatingPolicies(ApiBackend backend, ResourceStore policies, ResourceStore bindings) {
        this.policies = new BoundPolicies(policies, bindings);
        this.backend = backend;
        facts = RequestFacts.installed(backend);
        matcher = new RequestMatcher(backend);
        parameters = new PolicyParameters(backend);
    }

    @Override
    public Round round(AdmissionRequest request) {
        return new Changes(request, RequestMatcher.isExempt(request.store()) ? null : facts);
    }

    /**
     * One application of a policy.
     *
     * @param matched the resource version in which the policy receives the object
     * @param params the parameters; null for none
     */
    private record Invocation(
            CompiledPolicy policy,
            Binding binding,
            ResourceStore matched,
            @Nullable JsonObject params) {

        /** Returns what identifies it in both rounds. */
        List<String> key() {
            JsonObject of = params == null ? JsonObject.EMPTY : params.object("metadata");
            return List.of(policy.name(), binding.name(), of.string("namespace"), of.string("name"));
        }
    }

    /** The changes of one write. */
    private final class Changes implements Round {

        private final AdmissionRequest request;
        private final @Nullable RequestFacts facts;
        private final SeenStates<List<String>> states = new SeenStates<>();
        private final List<String> errors = new ArrayList<>();
        private String reason = "";
        private JsonObject current = JsonObject.EMPTY;
        private boolean changed;

        Changes(AdmissionRequest request, @Nullable RequestFacts facts) {
            this.request = request;
            this.facts = facts;
        }

        @Override
        public boolean requiresAnother() {
            return changed;
        }

        @Override
        public JsonObject mutate(JsonObject object, boolean again) {
            if (facts == null) {
                return object;
            }
            if (again && !object.equals(current)) {
                states.changed();
            }
            current = object;
            for (Invocation invocation : invocations(facts)) {
                if (matches(invocation, facts) && (!again || states.isOutdated(invocation.key()))) {
                    invoke(invocation, facts);
                }
            }
            if (changed) {
                states.changed();
            }
            if (!errors.isEmpty()) {
                throw ValidatingPolicies.denied(request, 403, reason, errors.get(0), errors);
            }
            return current;
        }

        /** Returns the applications of the policies that match the object before any of them changes it. */
        private List<Invocation> invocations(RequestFacts facts) {
            JsonObject shown = MutableView.of(request, current);
            List<Invocation> invocations = new ArrayList<>();
            for (Bound bound : policies.of(request, facts)) {
                CompiledPolicy policy = bound.policy();
                ResourceStore matched = matcher.match(policy.match(), request, shown);
                if (matched != null) {
                    bound.bindings().stream()
                            .filter(binding -> binding.matches(matcher, request, shown))
                            .forEach(binding -> invocations.addAll(invocations(policy, binding, matched)));
                }
            }
            return invocations;
        }

        private List<Invocation> invocations(CompiledPolicy policy, Binding binding, ResourceStore matched) {
            List<Invocation> invocations = new ArrayList<>();
            try {
                for (JsonObject params : parameters.of(request, policy.policy().object("spec"), binding.spec())) {
                    invocations.add(new Invocation(policy, binding, matched, params));
                }
            } catch (ParameterException e) {
                failed("Forbidden", policy, binding, "failed to configure binding: " + e.getMessage());
            }
            return invocations;
        }

        private void failed(String kind, CompiledPolicy policy, Binding binding, @Nullable String message) {
            if (!policy.ignoresFailures()) {
                reason = errors.isEmpty() ? kind : reason;
                errors.add("policy '" + policy.name() + "' with binding '" + binding.name() + "' denied request: "
                        + message);
            }
        }

        private boolean matches(Invocation invocation, RequestFacts facts) {
            CompiledPolicy policy = invocation.policy();
            try {
                return policy.conditions().match(evaluation(invocation, facts), policy.ignoresFailures());
            } catch (ConditionException e) {
                failed("Invalid", policy, invocation.binding(), e.getMessage());
                return false;
            }
        }

        private void invoke(Invocation invocation, RequestFacts facts) {
            JsonObject before = current;
            for (Change change : invocation.policy().changes()) {
                try {
                    Outcome outcome = evaluation(invocation, facts).evaluate(change.expression());
                    if (!(outcome.value() instanceof Expression.Change value)) {
                        throw new ChangeException(outcome.error());
                    }
                    current = applied(change, value.json(), request, invocation.matched(), current);
                    changed = true;
                } catch (ChangeException | BudgetException | ExpressionException e) {
                    failed("Invalid", invocation.policy(), invocation.binding(), e.getMessage());
                }
            }
            if (!current.equals(before)) {
                states.changed();
            }
            if (invocation
                    .policy()
                    .policy()
                    .string("spec", "reinvocationPolicy")
                    .equals("IfNeeded")) {
                states.saw(invocation.key());
            }
        }

        private RequestEvaluation evaluation(Invocation invocation, RequestFacts facts) {
            JsonObject shown = MutableView.of(request, current);
            RequestEvaluation evaluation = facts.of(request, invocation.matched(), shown, invocation.params())
                    .in(facts.namespace(request));
            evaluation.declare(invocation.policy().variables());
            return evaluation;
        }
    }

    private JsonObject applied(
            Change change, JsonValue value, AdmissionRequest request, ResourceStore matched, JsonObject object)
            throws ChangeException {
        JsonObject shown = MutableView.of(request, object);
        JsonObject form = MutableView.in(backend, matched, request, shown);
        try {
            JsonObject result = change.isPatch()
                    ? Patches.apply(Patch.Type.JSON, MergeSchema.NONE, form, value)
                    : merged(request, matched, form, value);
            JsonObject changed = change.isPatch()
                    ? MutableView.strictlyFrom(matched, request, shown, result)
                    : MutableView.from(matched, request, shown, result);
            return changed.equals(shown) ? object : MutableView.completed(request, object, changed);
        } catch (PatchException e) {
            if (String.valueOf(e.getMessage()).startsWith(FAILED_TEST)) {
                return object;
            }
            throw new ChangeException("JSON Patch: " + e.getMessage());
        } catch (DecodeException e) {
            throw StatusException.internalError(String.valueOf(e.getMessage()));
        }
    }

    private JsonObject merged(AdmissionRequest request, ResourceStore matched, JsonObject form, JsonValue part)
            throws ChangeException {
        if (!(part instanceof JsonObject object)) {
            throw new ChangeException("the result is not an object");
        }
        if (MutableView.isScale(request)) {
            // Upstream has no schema for it either.
            throw unappliable("failed to convert patch object to typed object: no corresponding type for "
                    + form.string("apiVersion") + ", Kind=" + form.string("kind"));
        }
        try {
            return new FieldTracking(backend, matched, "", request.options()).merged(form, object);
        } catch (ApplyException e) {
            throw unappliable(e.getMessage());
        }
    }

    private static ChangeException unappliable(@Nullable String message) {
        return new ChangeException("error applying patch: " + message);
    }
}
