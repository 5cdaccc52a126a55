/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.demo.live.LiveFeed;
import io.kubeloop.demo.live.LivePage;
import io.kubeloop.demo.live.LiveView;
import io.kubeloop.demo.live.PageKey;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A loop under load: an informer with four handlers, a work queue and a worker, behind a live page that only reads. The
 * source of the events is this program, because an API server and a simulated kubelet would need most of the machine
 * for as many events.
 *
 * <p>Usage: {@code LoadedLoop PODS EVENTS_PER_SECOND}. Prints the address of the page, and the reached rate every
 * second. Runs until the process is ended.
 */
final class LoadedLoop {

    private static final int HANDLERS = 4;

    private LoadedLoop() {}

    public static void main(String[] args) throws InterruptedException {
        Source source = new Source(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        JsonObject about = JsonObject.EMPTY.with("state", args[0] + " pods, " + args[1] + " events/s wanted");
        List<SharedInformer<Pod>> cache = new ArrayList<>();
        LiveView view = new LiveView(
                new LiveFeed(LiveFeed.Gate.OPEN),
                LiveView.Metrics.NONE,
                () -> about,
                name -> name.equals("pods") ? cache.get(0) : null);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(
                WorkQueueConfig.<ObjectName>named("load").withMetrics(view.queues()));
        SharedInformer<Pod> informer = SharedInformers.informer(
                ResourceTypes.PODS,
                source,
                InformerConfig.DEFAULT.withStreamingList(false).withMetrics(view.informers()));
        cache.add(informer);
        informer.addHandler(ResourceEventHandler.forKeys("load", queue::add));
        for (int i = 1; i < HANDLERS; i++) {
            informer.addHandler(new ResourceEventHandler<KubeObject>() {});
        }
        ManagerHttp http = ManagerHttp.bind("127.0.0.1", 0);
        PageKey key = PageKey.random();
        LivePage.addTo(http, view, true, key);
        http.start();
        informer.start();
        System.out.println("load: page " + key.address(URI.create("http://127.0.0.1:" + http.port() + "/")));
        Thread worker = new Thread(() -> work(queue), "load-worker");
        worker.setDaemon(true);
        worker.start();
        for (long before = 0; ; before = source.events.sum()) {
            long start = System.nanoTime();
            TimeUnit.SECONDS.sleep(1);
            System.out.println("load: "
                    + (source.events.sum() - before) * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start)
                    + " events/s");
        }
    }

    private static void work(RateLimitingQueue<ObjectName> queue) {
        try {
            for (ObjectName key = queue.get(); key != null; key = queue.get()) {
                queue.done(key);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Delivers the list at once, and changes of its pods in turn at a rate. */
    private static final class Source implements ListerWatcher<Pod> {

        private final List<Pod> pods = new ArrayList<>();
        private final int rate;
        private final LongAdder events = new LongAdder();

        Source(int count, int rate) {
            this.rate = rate;
            for (int i = 0; i < count; i++) {
                String json = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"default\","
                        + "\"name\":\"load-"
                        + i
                        + "\",\"resourceVersion\":\"1\"},\"spec\":{\"containers\":[{\"name\":\"a\","
                        + "\"image\":\"example.com/a:1\"}]}}";
                pods.add(JsonCodec.standard()
                        .decode(ResourceTypes.PODS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
            }
        }

        @Override
        public KubeList<Pod> list(ListOptions options) {
            return new KubeList<>(new ListMeta("1", "", null, UnknownFields.NONE), pods);
        }

        @Override
        public WatchStream<Pod> watch(ListOptions options) {
            return new Changes();
        }

        private final class Changes implements WatchStream<Pod> {

            private final long start = System.nanoTime();
            private long number;
            private volatile boolean closed;

            @Override
            public @Nullable WatchEvent<Pod> next() {
                long due = start + number * TimeUnit.SECONDS.toNanos(1) / rate;
                if (due - System.nanoTime() > TimeUnit.MILLISECONDS.toNanos(2)) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                if (closed || Thread.currentThread().isInterrupted()) {
                    return null;
                }
                events.increment();
                Pod pod = pods.get((int) (number % pods.size()));
                number++;
                return new WatchEvent.Modified<>(pod.withMetadata(ObjectMetaBuilder.builder(pod.metadata())
                        .resourceVersion(Long.toString(number + 1))
                        .build()));
            }

            @Override
            public void close() {
                closed = true;
            }
        }
    }
}
