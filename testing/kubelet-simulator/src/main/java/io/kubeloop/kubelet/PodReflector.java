/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.EmptyPages;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.WorkCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small reflector that follows all pods of a server: it lists, watches, and relists when necessary. It exists
 * because this module must not depend on {@code cache}, which has the full reflector.
 */
final class PodReflector implements Runnable {

    /*
     * run() has its own thread, on which everything except stop() happens. stop() uses stream to end a blocked
     * next(). run() sets stream before it reads stopped, and stop() sets stopped before it reads stream. Therefore
     * at least one of them sees the other's write.
     */
    private static final Logger LOG = LoggerFactory.getLogger(PodReflector.class);

    private static final long MIN_BACKOFF_MILLIS = 100;
    private static final long MAX_BACKOFF_MILLIS = 5_000;

    /** Receives the pods on the reflector's thread. */
    interface Listener {

        /** The complete list of pods; every other pod is gone. */
        void onList(List<JsonObject> pods);

        /** A pod was created or changed. */
        void onChange(JsonObject pod);

        /** A pod was deleted. */
        void onDelete(JsonObject pod);
    }

    private final KubeletApi api;
    private final Runnable beforeList;
    private final Listener listener;
    private final @Nullable WorkCounter counter;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicReference<@Nullable ApiStream> stream = new AtomicReference<>();

    /**
     * Creates a reflector.
     *
     * @param beforeList runs before each list; if it fails, the list is retried later
     * @param counter counts the thread as busy; the caller has counted its begin. Null if nobody counts
     */
    PodReflector(KubeletApi api, Runnable beforeList, Listener listener, @Nullable WorkCounter counter) {
        this.api = api;
        this.beforeList = beforeList;
        this.listener = listener;
        this.counter = counter;
    }

    @Override
    public void run() {
        try {
            listAndWatchUntilStopped();
        } finally {
            idle();
        }
    }

    private void idle() {
        if (counter != null) {
            counter.end();
        }
    }

    private void listAndWatchUntilStopped() {
        long backoff = MIN_BACKOFF_MILLIS;
        while (!isStopped()) {
            try {
                beforeList.run();
                String version = list();
                backoff = MIN_BACKOFF_MILLIS;
                watchWhileValid(version);
            } catch (ApiException | TransportException | DecodeException e) {
                if (!isStopped()) {
                    LOG.warn("Cannot list or watch pods; retrying: error={} backoff={}ms", e.getMessage(), backoff);
                    sleep(backoff);
                    backoff = Math.min(MAX_BACKOFF_MILLIS, backoff * 2);
                }
            }
        }
    }

    private String list() {
        List<JsonObject> pods = new ArrayList<>();
        EmptyPages empty = new EmptyPages();
        String token = "";
        JsonObject page;
        do {
            page = api.listPods(token);
            page.array("items").objects().forEach(pods::add);
            token = page.string("metadata", "continue");
            empty.count(page.array("items").isEmpty(), token);
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
                sleep(MIN_BACKOFF_MILLIS); // avoids a hot loop with a server that ends every watch at once
            }
        }
    }

    /** Returns the version at which to continue; null if a relist is necessary. */
    private @Nullable String watch(String from) {
        String version = from;
        try (ApiStream open = api.watchPods(from)) {
            stream.set(open);
            if (isStopped()) {
                return null;
            }
            for (byte[] frame = next(open); frame != null; frame = next(open)) {
                JsonObject event = JsonObject.parse(frame);
                JsonObject object = event.object("object");
                switch (event.string("type")) {
                    case "ADDED", "MODIFIED" -> listener.onChange(object);
                    case "DELETED" -> listener.onDelete(object);
                    case "BOOKMARK" -> LOG.trace("Bookmark: event={}", event);
                    default -> {
                        return null; // an error event: the version is too old
                    }
                }
                version = object.string("metadata", "resourceVersion");
            }
            return version;
        } finally {
            stream.set(null);
        }
    }

    /** Waits for a frame. The transport counts the frames to come, so this thread is idle meanwhile. */
    private byte @Nullable [] next(ApiStream open) {
        idle();
        try {
            return open.next();
        } finally {
            if (counter != null) {
                counter.begin();
            }
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /**
     * Waits for this time, or until {@link #stop()}. An interrupt stops the reflector, and the interrupt flag stays
     * set.
     */
    private void sleep(long millis) {
        try {
            if (stopped.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.trace("Stopped during a backoff");
            }
        } catch (InterruptedException e) {
            stopped.countDown();
            Thread.currentThread().interrupt();
        }
    }

    /** Requests the end of {@link #run()} without waiting for it; any thread. */
    void stop() {
        stopped.countDown();
        ApiStream open = stream.get();
        if (open != null) {
            open.close();
        }
    }
}
