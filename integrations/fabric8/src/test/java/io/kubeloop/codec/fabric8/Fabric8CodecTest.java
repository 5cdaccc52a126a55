/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.json.ForeignCodec;
import io.kubeloop.json.ForeignObject;
import io.kubeloop.junit.KubeloopTest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

@KubeloopTest(nodes = 0)
class Fabric8CodecTest {

    private static final ForeignCodec CODEC = Fabric8Codec.of(Pod.class, Namespace.class, Gadget.class);
    private static final ResourceType<ForeignObject<Pod>> PODS = CODEC.type(Pod.class);

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx:1")
                .endContainer()
                .endSpec()
                .build();
    }

    private static String image(ForeignObject<Pod> pod) {
        return pod.value().getSpec().getContainers().get(0).getImage();
    }

    @Test
    void informer_podsOfTheOtherModel_followTheServer(ControlPlane plane, SimulatedClock clock) {
        try (KubeClient client = plane.client(CODEC);
                SharedInformerFactory informers = plane.informers(client)) {
            Lister<ForeignObject<Pod>> pods = informers.informer(PODS).lister();
            informers.start();

            ForeignObject<Pod> created = client.resource(PODS).create(CODEC.object(pod("web")));
            clock.awaitQuiet();
            assertThat(image(pods.get(created.objectName()))).isEqualTo("nginx:1");

            created.value().getSpec().getContainers().get(0).setImage("nginx:2");
            client.resource(PODS).update(CODEC.object(created.value()));
            clock.awaitQuiet();
            assertThat(image(pods.get(created.objectName()))).isEqualTo("nginx:2");

            client.resource(PODS).delete(created.objectName(), DeleteOptions.DEFAULT);
            clock.awaitQuiet();
            assertThat(pods.get(created.objectName())).isNull();
        }
    }

    @Test
    void of_annotatedClass_knowsItsResource() {
        assertThat(CODEC.type(Gadget.class))
                .hasToString("gadgets.example.com")
                .extracting(ResourceType::apiVersion, ResourceType::kind, ResourceType::isNamespaced)
                .containsExactly("example.com/v1", "Gadget", true);
        assertThat(CODEC.type(Namespace.class).isNamespaced()).isFalse();
    }

    @Test
    void decode_unknownMember_survives() {
        String json =
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"later\":{\"a\":1}}}";

        ForeignObject<Pod> pod = CODEC.decode(PODS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));

        assertThat(pod.value().getSpec().getAdditionalProperties()).isEqualTo(Map.of("later", Map.of("a", 1)));
        assertThat(CODEC.encode(PODS, pod)).asString().contains("\"later\":{\"a\":1}");
    }

    /** A custom resource as users of fabric8 write it. */
    @Group("example.com")
    @Version("v1")
    public static final class Gadget extends CustomResource<Map<String, String>, Void> implements Namespaced {

        private static final long serialVersionUID = 1L;
    }
}
