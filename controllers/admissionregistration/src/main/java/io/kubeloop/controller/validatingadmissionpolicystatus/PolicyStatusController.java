/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * Checks the expressions of each ValidatingAdmissionPolicy against the types of the objects that the policy is about,
 * and writes the errors into the status of the policy (upstream: {@code validatingadmissionpolicystatus.Controller}).
 * Each generation of a policy is checked once.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class PolicyStatusController implements SingleLoopController {

    static final String NAME = "validatingadmissionpolicy-status-controller";
    private static final String MANAGER = "validatingadmissionpolicy-status";

    private static final ResourceType<GenericObject> POLICIES = ResourceTypes.generic(
            "admissionregistration.k8s.io",
            "v1",
            "validatingadmissionpolicies",
            "ValidatingAdmissionPolicy",
            ResourceType.Scope.CLUSTER);

    private final Lister<GenericObject> policies;
    private final ResourceClient<GenericObject> client;
    private final PolicyTypeChecker checker;
    private final ControllerLoop<ObjectName> loop;

    private PolicyStatusController(ControllerContext context, ExpressionCompiler compiler) {
        KubeClient clients = context.clients().apply(NAME);
        SharedInformer<GenericObject> informer = context.informers().informer(POLICIES);
        policies = informer.lister();
        client = clients.resource(POLICIES);
        checker = new PolicyTypeChecker(compiler, new ServedKinds(clients.transport()));
        loop = ControllerLoop.forKeys(MANAGER, context, this::sync, informer);
    }

    /**
     * Creates the controller ({@code validatingadmissionpolicy-status-controller}), registered with its informer and
     * not started.
     *
     * @throws IllegalStateException if no compiler of expressions is present
     */
    public static PolicyStatusController of(ControllerContext context) {
        return new PolicyStatusController(
                context,
                ExpressionCompiler.installed()
                        .orElseThrow(() -> new IllegalStateException(
                                "cannot check types of expressions: add the module kubeloop-apiserver-cel")));
    }

    private void sync(ObjectName name) {
        GenericObject policy = policies.get(name);
        if (policy == null) {
            return;
        }
        Long observed = policy.integer("status", "observedGeneration");
        long generation = policy.metadata().generation();
        if (observed != null && generation <= observed) {
            return;
        }
        List<JsonObject> warnings =
                checker.check(JsonObject.of(policy.unknownFields()).object("spec"));
        JsonObject types =
                warnings.isEmpty() ? JsonObject.EMPTY : JsonObject.of("expressionWarnings", JsonArray.of(warnings));
        JsonObject applied = JsonObject.builder()
                .put("apiVersion", POLICIES.apiVersion())
                .put("kind", POLICIES.kind())
                .put("metadata", JsonObject.EMPTY.with("name", name.name()))
                .put(
                        "status",
                        JsonObject.EMPTY.with("observedGeneration", generation).with("typeChecking", types))
                .build();
        client.patch(name, Patch.apply(applied.toString(), MANAGER, true), "status");
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
