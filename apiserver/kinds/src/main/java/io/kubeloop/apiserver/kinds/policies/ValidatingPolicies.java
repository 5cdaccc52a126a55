/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.policies;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.kinds.policies.BoundPolicies.Binding;
import io.kubeloop.apiserver.kinds.policies.BoundPolicies.Bound;
import io.kubeloop.apiserver.kinds.policies.CompiledPolicy.Denial;
import io.kubeloop.apiserver.kinds.policies.PolicyParameters.ParameterException;
import io.kubeloop.apiserver.kinds.requests.RequestEvaluation;
import io.kubeloop.apiserver.kinds.requests.RequestFacts;
import io.kubeloop.apiserver.kinds.requests.RequestMatcher;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks writes against the policies that are bound (upstream: the plug-in {@code ValidatingAdmissionPolicy}). Does
 * nothing on a server without a compiler of expressions.
 *
 * <p>Thread-safe. Expressions are evaluated on the thread of the request without a lock.
 */
public final class ValidatingPolicies implements AdmissionPlugin {

    private final BoundPolicies policies;
    private final @Nullable RequestFacts facts;
    private final RequestMatcher matcher;
    private final PolicyParameters parameters;

    /** A denial, with the names of the policy and the binding. */
    private record Verdict(String reason, String message) {}

    /**
     * Creates the plug-in.
     *
     * @param policies the store of the policies
     * @param bindings the store of their bindings
     */
    public ValidatingPolicies(ApiBackend backend, ResourceStore policies, ResourceStore bindings) {
        this.policies = new BoundPolicies(policies, bindings);
        facts = RequestFacts.installed(backend);
        matcher = new RequestMatcher(backend);
        parameters = new PolicyParameters(backend);
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        check(request, object);
    }

    @Override
    public void validateDelete(AdmissionRequest request, JsonObject object) {
        check(request, null);
    }

    @Override
    public void validateConnect(AdmissionRequest request, JsonObject options) {
        check(request, options);
    }

    private void check(AdmissionRequest request, @Nullable JsonObject object) {
        if (facts == null || RequestMatcher.isExempt(request.store())) {
            return;
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (Bound bound : policies.of(request, facts)) {
            ResourceStore matched = matcher.match(bound.policy().match(), request, object);
            if (matched != null) {
                for (Binding binding : bound.bindings()) {
                    check(new Subject(request, matched, object), bound.policy(), binding, facts, verdicts);
                }
            }
        }
        if (!verdicts.isEmpty()) {
            throw denied(request, verdicts.get(0));
        }
    }

    /** The input of a policy: a request, and the resource version in which the policy receives the objects. */
    private record Subject(
            AdmissionRequest request,
            ResourceStore matched,
            @Nullable JsonObject object) {}

    private void check(
            Subject subject, CompiledPolicy policy, Binding binding, RequestFacts known, List<Verdict> verdicts) {
        AdmissionRequest request = subject.request();
        if (!binding.matches(matcher, request, subject.object())) {
            return;
        }
        JsonObject spec = binding.spec();
        String prefix = "ValidatingAdmissionPolicy '" + policy.name() + "' with binding '" + binding.name() + "'";
        List<@Nullable JsonObject> all;
        try {
            all = parameters.of(request, policy.policy().object("spec"), spec);
        } catch (ParameterException e) {
            policy.failed("failed to configure binding: " + e.getMessage())
                    .forEach(denial -> verdicts.add(new Verdict("", prefix + " denied request: " + denial.message())));
            return;
        }
        for (JsonObject params : all) {
            RequestEvaluation evaluation = known.of(request, subject.matched(), subject.object(), params)
                    .in(known.namespace(request));
            for (Denial denial : policy.validate(evaluation)) {
                act(spec.array("validationActions"), denial, prefix, request, verdicts);
            }
        }
    }

    private static void act(
            JsonArray actions, Denial denial, String prefix, AdmissionRequest request, List<Verdict> verdicts) {
        Verdict verdict = new Verdict(denial.reason(), prefix + " denied request: " + denial.message());
        if (denial.always()) {
            verdicts.add(verdict);
            return;
        }
        actions.strings().forEach(action -> {
            if (action.equals("Deny")) {
                verdicts.add(verdict);
            } else if (action.equals("Warn")) {
                request.options().warnings().add("Validation failed for " + prefix + ": " + denial.message());
            }
        });
    }

    private static StatusException denied(AdmissionRequest request, Verdict verdict) {
        String reason = verdict.reason().isEmpty() ? "Invalid" : verdict.reason();
        int code = switch (reason) {
            case "Forbidden" -> 403;
            case "Unauthorized" -> 401;
            case "RequestEntityTooLarge" -> 413;
            default -> 422;
        };
        String text =
                String.valueOf(StatusException.forbidden(request.store().resource(), request.name(), verdict.message())
                        .getMessage());
        return denied(request, code, reason, text, List.of(verdict.message()));
    }

    /**
     * Returns the failure of a request that policies deny.
     *
     * @param causes the messages of the policies
     */
    static StatusException denied(
            AdmissionRequest request, int code, String reason, String message, List<String> causes) {
        JsonArray all = JsonArray.of(causes.stream()
                .map(cause -> JsonObject.EMPTY.with("message", cause))
                .toList());
        JsonObject details = StatusException.details(request.store().resource(), request.name())
                .with("causes", all);
        return StatusException.denied(code, reason, message, details);
    }
}
