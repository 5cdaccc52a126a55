/* SPDX-License-Identifier: Apache-2.0 */
package clients;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.Map;

@KubernetesDependent
public class WebDeployment extends CRUDKubernetesDependentResource<Deployment, Web> {

    @Override
    protected Deployment desired(Web web, Context<Web> context) {
        Map<String, String> labels = Map.of("web", web.getMetadata().getName());
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(web.getMetadata().getName())
                .withNamespace(web.getMetadata().getNamespace())
                .endMetadata()
                .withNewSpec()
                .withReplicas(web.getSpec().replicas)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:" + web.getSpec().page)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
