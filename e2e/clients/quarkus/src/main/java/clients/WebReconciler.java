/* SPDX-License-Identifier: Apache-2.0 */
package clients;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import jakarta.inject.Inject;
import java.util.Map;

/** Runs a deployment for each web, reports the ready pods, and leaves a note when a web is gone. */
@Workflow(dependents = @Dependent(type = WebDeployment.class))
public class WebReconciler implements Reconciler<Web>, Cleaner<Web> {

    @Inject
    KubernetesClient client;

    @Override
    public UpdateControl<Web> reconcile(Web web, Context<Web> context) {
        Web.Status status = new Web.Status();
        status.ready = context.getSecondaryResource(Deployment.class)
                .map(deployment -> deployment.getStatus().getReadyReplicas())
                .orElse(0);
        status.generation = web.getMetadata().getGeneration();
        web.setStatus(status);
        return UpdateControl.patchStatus(web);
    }

    @Override
    public DeleteControl cleanup(Web web, Context<Web> context) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("gone-" + web.getMetadata().getName())
                        .withNamespace(web.getMetadata().getNamespace())
                        .endMetadata()
                        .withData(Map.of("page", web.getSpec().page))
                        .build())
                .serverSideApply();
        return DeleteControl.defaultDelete();
    }
}
