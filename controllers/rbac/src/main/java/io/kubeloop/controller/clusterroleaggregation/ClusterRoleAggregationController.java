/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.clusterroleaggregation;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.tree.LabelSelectorTrees;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives each ClusterRole with an {@code aggregationRule} the rules of the roles that it selects (upstream: {@code
 * clusterroleaggregation.ClusterRoleAggregationController}). It writes by server-side apply and takes over the rules
 * from other managers.
 *
 * <p>Roles can select aggregated roles, so each change of a role brings all aggregated roles into the queue.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ClusterRoleAggregationController implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's workers. They share the queue and the
    // cache.

    private static final ResourceType<GenericObject> ROLES = ResourceTypes.generic(
            "rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", ResourceType.Scope.CLUSTER);

    private static final String NAME = "clusterroleaggregation";
    private static final String ACCOUNT = "clusterrole-aggregation-controller";

    private static final String RULE = "aggregationRule";

    /** The index of the aggregated roles, which all have the value of the same name. */
    private static final String AGGREGATED = "aggregated";

    private final Lister<GenericObject> roles;
    private final ResourceClient<GenericObject> client;
    private final ControllerLoop<ObjectName> loop;

    private ClusterRoleAggregationController(ControllerContext context) {
        SharedInformer<GenericObject> informer = context.informers().informer(ROLES);
        informer.addIndexers(Map.of(AGGREGATED, role -> role.value(RULE) == null ? List.of() : List.of(AGGREGATED)));
        roles = informer.lister();
        client = context.clients().apply(ACCOUNT).resource(ROLES);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("ClusterRoleAggregator"));
        ResourceEventHandler<KubeObject> changes = ResourceEventHandler.forKeys(
                ACCOUNT, any -> informer.byIndex(AGGREGATED, AGGREGATED).forEach(role -> queue.add(role.objectName())));
        loop = new ControllerLoop<>(
                NAME, queue, this::syncRole, List.of(informer.addHandler(changes)), context.threads());
    }

    /** Creates the controller ({@code clusterroleaggregation}), registered with its informer and not started. */
    public static ClusterRoleAggregationController of(ControllerContext context) {
        return new ClusterRoleAggregationController(context);
    }

    private void syncRole(ObjectName key) {
        GenericObject role = roles.get(key);
        if (role == null || role.value(RULE) == null) {
            return;
        }
        JsonArray rules = aggregated(role);
        if (!rules.equals(rules(role))) {
            JsonObject applied = JsonObject.EMPTY
                    .with("apiVersion", role.apiVersion())
                    .with("kind", role.kind())
                    .with("metadata", JsonObject.EMPTY.with("name", key.name()));
            applied = rules.isEmpty() ? applied : applied.with("rules", rules);
            client.patch(key, Patch.apply(applied.toString(), ACCOUNT, true));
        }
    }

    /**
     * Returns the rules of the roles that a role selects, itself excepted: by selector, then by name of the role, each
     * rule once.
     */
    private JsonArray aggregated(GenericObject role) {
        Set<JsonValue> rules = new LinkedHashSet<>();
        for (Selector selector : selectors(role)) {
            roles.list().stream()
                    .filter(other -> !other.objectName().equals(role.objectName())
                            && selector.matches(other.metadata().labels()))
                    .sorted(Comparator.comparing(GenericObject::objectName))
                    .forEach(other -> rules(other).forEach(rules::add));
        }
        return JsonArray.of(rules);
    }

    private static JsonArray rules(GenericObject role) {
        return JsonObject.of(role.unknownFields()).array("rules");
    }

    /** Returns the selectors of a role. */
    private static List<Selector> selectors(GenericObject role) {
        return JsonObject.of(role.unknownFields())
                .array(RULE, "clusterRoleSelectors")
                .objects()
                .map(LabelSelectorTrees::read)
                .toList();
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
