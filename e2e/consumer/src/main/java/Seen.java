/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Prints the objects that a handler receives: one that exists when the informer starts, and one that is created later.
 */
public final class Seen {

    private final BlockingQueue<ObjectName> told = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws InterruptedException {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build()) {
            System.out.println("in process: " + new Seen().through(server.transport()));
        }
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                HttpApiServer httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT)) {
            Transport http =
                    OkHttpTransport.create(ClientConfig.of(httpServer.uri().toString()));
            System.out.println("over HTTP: " + new Seen().through(http));
        }
    }

    private String through(Transport transport) throws InterruptedException {
        try (KubeClient client = KubeClient.of(transport, JsonCodec.standard());
                SharedInformerFactory informers = SharedInformers.factory(client)) {
            create(client, "listed");
            informers.informer(ResourceTypes.SERVICE_ACCOUNTS).addHandler(ResourceEventHandler.forKeys(told::add));
            informers.start();
            ObjectName first = told.poll(30, TimeUnit.SECONDS);
            create(client, "watched");
            return first + ", " + told.poll(30, TimeUnit.SECONDS);
        }
    }

    private static void create(KubeClient client, String name) {
        client.resource(ResourceTypes.SERVICE_ACCOUNTS).create(ServiceAccount.of(ObjectMeta.named("default", name)));
    }
}
