package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The README's example, run. {@link DocsTest} compares the two. */
@Timeout(30)
class ReadmeExampleTest {

    private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();

    private void println(String line) {
        printed.add(line);
    }

    @Test
    void example_objectCreated_isSynced() throws Exception {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
                SharedInformerFactory informers = SharedInformers.factory(client)) {
            SharedInformer<ServiceAccount> accounts = informers.informer(ResourceTypes.SERVICE_ACCOUNTS);
            RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting("accounts");
            accounts.addHandler(ResourceEventHandler.forKeys(queue::add));
            Worker.start(
                    queue,
                    2,
                    Thread::new,
                    key -> println(key + " is now " + accounts.lister().get(key)));
            informers.start();
            client.resource(ResourceTypes.SERVICE_ACCOUNTS)
                    .create(ServiceAccount.of(ObjectMeta.named("default", "robot")));
            assertThat(printed.poll(20, TimeUnit.SECONDS)).startsWith("default/robot is now ServiceAccount[");
            queue.shutDown();
        }
    }
}
