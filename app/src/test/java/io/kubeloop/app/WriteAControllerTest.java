package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServicePortBuilder;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ThreadLeakCheck;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The controller of docs/write-a-controller.md, run. {@link DocsTest} compares the two. */
@Timeout(60)
@ExtendWith(ThreadLeakCheck.class)
class WriteAControllerTest {

    private static final ObjectName WEB = new ObjectName("default", "web");

    private static Service labelled() {
        ObjectMeta metadata = ObjectMetaBuilder.builder(ObjectMeta.named("default", "web"))
                .labels(Map.of("card", "yes"))
                .build();
        return Service.of(
                metadata,
                ServiceSpecBuilder.builder()
                        .ports(List.of(ServicePortBuilder.builder().port(80).build()))
                        .build());
    }

    private static String address(GenericObject card) {
        return JsonObject.parse(card.unknownFields().toString()).string("data", "address");
    }

    private static boolean isGone(KubeClient client) {
        try {
            client.resource(ServiceCards.CONFIG_MAPS).get(WEB);
            return false;
        } catch (ApiException e) {
            return e.isNotFound();
        }
    }

    @Test
    void cards_followTheirServices() {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                CardsProcess process = new CardsProcess(server.transport(), "me")) {
            await().until(process::isLeading);
            KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
            Service web = client.resource(ResourceTypes.SERVICES).create(labelled());
            await().until(() -> !isGone(client));
            GenericObject card = client.resource(ServiceCards.CONFIG_MAPS).get(WEB);
            assertThat(address(card)).isEqualTo(web.spec().clusterIP());
            assertThat(card.metadata().controller().uid())
                    .isEqualTo(web.metadata().uid());

            client.resource(ServiceCards.CONFIG_MAPS).patch(WEB, Patch.merge("{\"data\":{\"address\":\"?\"}}"));
            await().until(() -> address(
                            client.resource(ServiceCards.CONFIG_MAPS).get(WEB))
                    .equals(web.spec().clusterIP()));

            client.resource(ResourceTypes.SERVICES).delete(WEB, DeleteOptions.DEFAULT);
            await().until(() -> isGone(client));
            await().until(() -> !client.resource(ResourceTypes.EVENTS)
                    .list("default", ListOptions.NONE)
                    .items()
                    .isEmpty());
        }
    }

    @Test
    void close_ofTheLeader_letsTheNextOneLead() {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
            CardsProcess first = new CardsProcess(server.transport(), "first");
            await().until(first::isLeading);
            try (CardsProcess second = new CardsProcess(server.transport(), "second")) {
                assertThat(second.isLeading()).isFalse();
                first.close();
                await().until(second::isLeading);
                KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
                client.resource(ResourceTypes.SERVICES).create(labelled());
                await().until(() -> !isGone(client));
            }
        }
    }
}
