package io.kubeloop.codec.clientjava;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.ForeignCodec;
import io.kubeloop.json.ForeignObject;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientJavaCodecTest {

    private static final ForeignCodec CODEC = ClientJavaCodec.empty().with(ResourceTypes.PODS, V1Pod.class);
    private static final ResourceType<ForeignObject<V1Pod>> PODS = CODEC.type(V1Pod.class);

    private static V1Pod pod(String name) {
        return new V1Pod()
                .apiVersion("v1")
                .kind("Pod")
                .metadata(new V1ObjectMeta().namespace("default").name(name))
                .spec(new V1PodSpec()
                        .addContainersItem(new V1Container().name("main").image("nginx:1")));
    }

    @Test
    void informer_podsOfTheOtherModel_followTheServer() throws InterruptedException {
        try (ControlPlane plane = ControlPlane.builder().kubelet(false).start();
                KubeClient client = plane.client(CODEC);
                SharedInformerFactory informers = plane.informers(client)) {
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            SharedInformer<ForeignObject<V1Pod>> informer = informers.informer(PODS);
            informer.addHandler(ResourceEventHandler.forKeys(name -> {
                ForeignObject<V1Pod> cached = informer.lister().get(name);
                events.add(
                        cached == null
                                ? name + " gone"
                                : name + " "
                                        + cached.value()
                                                .getSpec()
                                                .getContainers()
                                                .get(0)
                                                .getImage());
            }));
            informers.start();

            ForeignObject<V1Pod> created = client.resource(PODS).create(CODEC.object(pod("web")));
            assertThat(events.poll(30, SECONDS)).isEqualTo("default/web nginx:1");

            created.value().getSpec().getContainers().get(0).setImage("nginx:2");
            client.resource(PODS).update(CODEC.object(created.value()));
            assertThat(events.poll(30, SECONDS)).isEqualTo("default/web nginx:2");

            client.resource(PODS).delete(created.objectName(), DeleteOptions.DEFAULT);
            String event = events.poll(30, SECONDS);
            while ("default/web nginx:2".equals(event)) { // the mark of the deletion
                event = events.poll(30, SECONDS);
            }
            assertThat(event).isEqualTo("default/web gone");
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
