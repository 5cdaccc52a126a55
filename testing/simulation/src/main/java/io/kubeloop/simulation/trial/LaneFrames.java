/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.storage.SleepObserver;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A watch of an operator, which a disturbance may hold back. Frames that were held back are delivered as a list
 * would show them: the newest state of each object.
 */
public final class LaneFrames implements ServerResponse.Frames {

    /** The treatment of a frame. */
    public enum Verdict {
        /** Deliver it. */
        PASS,
        /** Keep it, and what follows, until no effect holds the watch back. */
        HOLD,
        /** End the watch before it; the client continues from there. */
        END,
        /** Report that the version is too old instead of it. */
        EXPIRE,
        /** Deliver a bookmark of the version before it, and end the watch. */
        BOOKMARK
    }

    /** Decides about the frames of a watch, on the thread that reads it. */
    interface Judge {
        Verdict judge(LaneFrames watch, WatchFrame frame);

        /** Returns whether the watch is held back at this moment; for any thread. */
        boolean holds(LaneFrames watch);

        /** Notes that the watch delivers a frame. */
        void delivered(LaneFrames watch, WatchFrame frame);
    }

    /*
     * Invariants
     *   W1  Held frames are in the order of the server. None of them is lost: a watch that ends while it is held back
     *       drops them, and the client continues from the last version that it has seen.
     *   W2  Nothing is held once no effect holds the watch. The reader looks after each frame that it keeps; if it
     *       waits by then, release() closes the inner watch so that it wakes up.
     * Threads: one reader; any thread releases and closes.
     */

    private static final String ADDED = "ADDED";
    private static final String DELETED = "DELETED";

    private final ServerResponse.Frames inner;
    private final Lane lane;
    private final Judge judge;
    private final Call call;

    /** Confined to the reader. */
    private final ArrayDeque<WatchFrame> held = new ArrayDeque<>();

    /** Confined to the reader. */
    private final ArrayDeque<WatchFrame> ready = new ArrayDeque<>();

    private final boolean hasBookmarks;

    /** Confined to the reader: whether the frames are those of the list with which a streaming list begins. */
    private boolean isListing;

    /** Confined to the reader. */
    private boolean ended;

    /** Written by the reader. */
    private volatile boolean holding;

    /**
     * Creates a watch.
     *
     * @param query the parameters of the request: {@code sendInitialEvents} for a watch that begins with a list, which
     *     passes independently of the judge, and {@code allowWatchBookmarks}
     */
    LaneFrames(ServerResponse.Frames inner, Lane lane, Call call, Map<String, String> query, Judge judge) {
        isListing = query.getOrDefault("sendInitialEvents", "").equals("true");
        hasBookmarks = query.getOrDefault("allowWatchBookmarks", "").equals("true");
        this.inner = inner;
        this.lane = lane;
        this.call = call;
        this.judge = judge;
    }

    /** Returns the connection of its instance. */
    Lane lane() {
        return lane;
    }

    /** Returns the request of the watch. */
    public Call call() {
        return call;
    }

    /** Returns whether the frames are those of a list. For the thread that reads. */
    boolean isListing() {
        return isListing;
    }

    /** Returns whether frames are held back from an instance that waits for them. */
    public boolean isHolding() {
        return holding && lane.watches().contains(this);
    }

    @Override
    public @Nullable WatchFrame next() throws InterruptedException {
        while (!lane.isDead()) {
            WatchFrame first = ready.poll();
            if (first != null) {
                judge.delivered(this, first);
                return first;
            }
            if (ended) {
                return null;
            }
            take(inner.next());
        }
        return null;
    }

    private void take(@Nullable WatchFrame frame) {
        if (frame == null) {
            ended = true;
            if (judge.holds(this)) {
                drop();
            } else {
                flush();
            }
            return;
        }
        Verdict verdict = judge.judge(this, frame);
        isListing &= !frame.type().equals(WatchFrame.BOOKMARK);
        switch (verdict) {
            case HOLD -> {
                held.add(frame);
                holding = true;
                if (!judge.holds(this)) {
                    flush(); // the release came before this frame counted as held
                }
            }
            case END -> end();
            case EXPIRE -> {
                ready.add(WatchFrame.of(WatchFrame.ERROR, expired()));
                end();
            }
            case BOOKMARK -> {
                if (hasBookmarks && held.isEmpty()) {
                    ready.add(WatchFrame.of(WatchFrame.BOOKMARK, bookmarkBefore(frame.object())));
                }
                end();
            }
            case PASS -> {
                held.add(frame);
                flush();
            }
        }
    }

    private void end() {
        drop();
        ended = true;
        lane.end(this);
        inner.close();
    }

    private void drop() {
        held.clear();
        holding = false;
    }

    private static JsonObject bookmarkBefore(JsonObject object) {
        long version = Long.parseLong(object.string("metadata", "resourceVersion"));
        return JsonObject.EMPTY
                .with("kind", object.string("kind"))
                .with("apiVersion", object.string("apiVersion"))
                .with("metadata", JsonObject.EMPTY.with("resourceVersion", Long.toString(version - 1)));
    }

    private static JsonObject expired() {
        return JsonObject.EMPTY
                .with("kind", "Status")
                .with("apiVersion", "v1")
                .with("metadata", JsonObject.EMPTY)
                .with("status", "Failure")
                .with("message", "too old resource version")
                .with("reason", "Expired")
                .with("code", 410);
    }

    private void flush() {
        if (held.size() == 1) {
            ready.add(held.remove());
        } else {
            ready.addAll(newest(List.copyOf(held)));
            held.clear();
        }
        holding = false;
    }

    /**
     * Keeps the last frame of each object, at the place of the last one. An object that the client has never seen is
     * added, whatever happened to it since, and no word is lost about one that is gone again.
     */
    private static List<WatchFrame> newest(List<WatchFrame> frames) {
        Map<String, WatchFrame> last = new LinkedHashMap<>();
        for (WatchFrame frame : frames) {
            String object =
                    frame.type().equals(WatchFrame.BOOKMARK) || frame.type().equals(WatchFrame.ERROR)
                            ? frame.type()
                            : objectOf(frame);
            WatchFrame before = last.remove(object);
            boolean isNew = before != null && before.type().equals(ADDED);
            if (!isNew || !frame.type().equals(DELETED)) {
                last.put(object, isNew ? frame.as(ADDED) : frame);
            }
        }
        return List.copyOf(last.values());
    }

    private static String objectOf(WatchFrame frame) {
        JsonObject metadata = frame.object().object("metadata");
        return metadata.string("namespace") + "/" + metadata.string("name");
    }

    /** Delivers what no effect holds back any more. The watch ends if it held something. */
    void release() {
        if (holding && !judge.holds(this)) {
            inner.close();
        }
    }

    @Override
    public boolean hasMore() {
        return !ready.isEmpty();
    }

    @Override
    public List<String> warnings() {
        return inner.warnings();
    }

    @Override
    public void observe(SleepObserver observer) {
        inner.observe(observer);
    }

    @Override
    public void close() {
        inner.close();
        lane.remove(this);
    }
}
