/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.clientjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.json.ForeignCodec;
import io.kubeloop.json.ForeignObject;
import io.kubeloop.junit.KubeloopTest;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

@KubeloopTest(nodes = 0)
class ClientJavaCodecTest {

    private static final ForeignCodec CODEC = ClientJavaCodec.empty().with(ResourceTypes.PODS, V1Pod.class);
    private static final ResourceType<ForeignObject<V1Pod>> PODS = CODEC.type(V1Pod.class);

    private static V1Pod pod(String name) {
        return new V1Pod()
                .apiVersion("v1")
                .kind("Pod")
                .metadata(new V1ObjectMeta().namespace("default").name(name))
                .spec(new V1PodSpec()
                        .overhead(null) // an API server rejects the empty map that the model sends by default
                        .addContainersItem(new V1Container().name("main").image("nginx:1")));
    }

    private static String image(ForeignObject<V1Pod> pod) {
        return pod.value().getSpec().getContainers().get(0).getImage();
    }

    @Test
    void informer_podsOfTheOtherModel_followTheServer(ControlPlane plane, SimulatedClock clock) {
        try (KubeClient client = plane.client(CODEC);
                SharedInformerFactory informers = plane.informers(client)) {
            Lister<ForeignObject<V1Pod>> pods = informers.informer(PODS).lister();
            informers.start();

            ForeignObject<V1Pod> created = client.resource(PODS).create(CODEC.object(pod("web")));
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
    void decode_unknownMember_isNamed() {
        String json = "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[],\"later\":1}}";

        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> CODEC.decode(PODS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))))
                .withMessageContaining("V1Pod")
                .withMessageContaining("later");
    }
}
