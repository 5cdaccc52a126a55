package io.kubeloop.transport.memory.kubelet;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all pods of a server: lists, watches, lists again when it has to. A reflector in small; the real one is in {@code
 * cache}, which an API server does not depend on.
 */
final class PodReflector implements Runnable {

    /*
     * run() has a thread of its own, and everything but stop() happens there. stream is how stop() reaches a blocked next():
     * it is set before the check of stopped, and stop() sets stopped before it looks at stream, so that one of the two sees
     * the other.
     */
    private static final Logger log = LoggerFactory.getLogger(PodReflector.class);

    private static final long MIN_BACKOFF_MILLIS = 100;
    private static final long MAX_BACKOFF_MILLIS = 5_000;

    /** Told what happens, on the feed's thread. */
    interface Listener {

        /** All pods there are; any other is gone. */
        void onList(List<JsonObject> pods);

        /** A pod is new or has changed. */
        void onChange(JsonObject pod);

        /** A pod is gone. */
        void onDelete(JsonObject pod);
    }

    private final KubeletApi api;
    private final Runnable beforeList;
    private final Listener listener;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicReference<@Nullable ApiStream> stream = new AtomicReference<>();

    /**
     * Makes a feed.
     *
     * @param beforeList done before each list; when it fails the list is put off
     */
    PodReflector(KubeletApi api, Runnable beforeList, Listener listener) {
        this.api = api;
        this.beforeList = beforeList;
        this.listener = listener;
    }

    @Override
    public void run() {
        long backoff = MIN_BACKOFF_MILLIS;
        while (!isStopped()) {
            try {
                beforeList.run();
                String version = list();
                backoff = MIN_BACKOFF_MILLIS;
                watchWhileValid(version);
            } catch (ApiException | TransportException | DecodeException e) {
                if (!isStopped()) {
                    log.warn("Cannot follow the pods; trying again: error={} after={}ms", e.getMessage(), backoff);
                    sleep(backoff);
                    backoff = Math.min(MAX_BACKOFF_MILLIS, backoff * 2);
                }
            }
        }
    }

    private String list() {
        List<JsonObject> pods = new ArrayList<>();
        String token = "";
        JsonObject page;
        do {
            page = api.listPods(token);
            page.array("items").objects().forEach(pods::add);
            token = page.string("metadata", "continue");
        } while (!token.isEmpty());
        listener.onList(pods);
        return page.string("metadata", "resourceVersion");
    }

    private void watchWhileValid(String listed) {
        String version = listed;
        while (!isStopped()) {
            String before = version;
            String after = watch(version);
            if (after == null) {
                return;
            }
            version = after;
            if (version.equals(before)) {
                sleep(MIN_BACKOFF_MILLIS); // a server that ends each watch at once is not to be flooded
            }
        }
    }

    /** Returns where to go on, or null if that is no longer possible. */
    private @Nullable String watch(String from) {
        String version = from;
        try (ApiStream open = api.watchPods(from)) {
            stream.set(open);
            if (isStopped()) {
                return null;
            }
            for (byte[] frame = open.next(); frame != null; frame = open.next()) {
                JsonObject event = JsonObject.parse(frame);
                JsonObject object = event.object("object");
                switch (event.string("type")) {
                    case "ADDED", "MODIFIED" -> listener.onChange(object);
                    case "DELETED" -> listener.onDelete(object);
                    case "BOOKMARK" -> log.trace("Bookmark: event={}", event);
                    default -> {
                        return null; // an error: the version is too old
                    }
                }
                version = object.string("metadata", "resourceVersion");
            }
            return version;
        } finally {
            stream.set(null);
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Waits, but not longer than until {@link #stop()}. */
    private void sleep(long millis) {
        try {
            if (stopped.await(millis, TimeUnit.MILLISECONDS)) {
                log.trace("Stopped while waiting");
            }
        } catch (InterruptedException e) {
            stopped.countDown();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends {@link #run()} soon; does not wait for it. Any thread. */
    void stop() {
        stopped.countDown();
        ApiStream open = stream.get();
        if (open != null) {
            open.close();
        }
    }
}
