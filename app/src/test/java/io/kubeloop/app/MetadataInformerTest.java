/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.ProtobufCodec;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An informer of metadata receives every change and no other content, over each transport. */
@Timeout(60)
class MetadataInformerTest {

    private static final ResourceType<PartialObjectMetadata> ACCOUNTS =
            ResourceTypes.metadataOf(ResourceTypes.SERVICE_ACCOUNTS);
    private static final ObjectName ROBOT = new ObjectName("default", "robot");

    enum Wire {
        HTTP,
        PROTOBUF;

        ObjectCodec codec() {
            return this == PROTOBUF ? ProtobufCodec.of(JsonCodec.standard()) : JsonCodec.standard();
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP,true", "HTTP,false", "PROTOBUF,true", "PROTOBUF,false"})
    void informer_ofMetadata_followsTheObjects(Wire wire, boolean streaming) throws Exception {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                HttpApiServer httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT);
                Recording transport = new Recording(
                        OkHttpTransport.create(ClientConfig.of(httpServer.uri().toString())));
                KubeClient client = KubeClient.of(transport, wire.codec());
                SharedInformerFactory informers =
                        SharedInformers.factory(client, InformerConfig.DEFAULT.withStreamingList(streaming))) {
            ResourceClient<ServiceAccount> writer = client.resource(ResourceTypes.SERVICE_ACCOUNTS);
            writer.create(ServiceAccount.of(ObjectMeta.named("default", "robot")));
            SharedInformer<PartialObjectMetadata> accounts = informers.informer(ACCOUNTS);
            assertThat(informers.informer(ResourceTypes.SERVICE_ACCOUNTS)).isNotSameAs(accounts);
            transport.accepts.clear();
            accounts.start();
            accounts.awaitSync(Duration.ofSeconds(20));
            assertThat(accounts.lister().get(ROBOT)).isNotNull();

            PartialObjectMetadata patched =
                    client.resource(ACCOUNTS).patch(ROBOT, Patch.merge("{\"metadata\":{\"labels\":{\"l\":\"v\"}}}"));
            accounts.awaitObserved(ROBOT, patched.metadata().resourceVersion(), Duration.ofSeconds(20));
            assertThat(accounts.lister().get(ROBOT).metadata().labels()).containsEntry("l", "v");

            assertThat(transport.accepts).allMatch(accept -> accept.contains(";as=PartialObjectMetadata"));

            writer.delete(ROBOT, DeleteOptions.DEFAULT);
            await().until(() -> accounts.lister().get(ROBOT) == null);
            assertThat(accounts.health().errors()).isZero();
        }
    }

    /** Remembers what is asked for. */
    private static final class Recording implements Transport {

        final Queue<String> accepts = new ConcurrentLinkedQueue<>();
        private final Transport transport;

        Recording(Transport transport) {
            this.transport = transport;
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            accepts.add(request.accept());
            return transport.execute(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            accepts.add(request.accept());
            return transport.stream(request);
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}
