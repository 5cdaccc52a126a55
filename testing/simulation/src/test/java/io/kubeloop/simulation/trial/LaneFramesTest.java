/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A watch delivers what no effect holds back, as a list would show it, and loses nothing when it ends. */
class LaneFramesTest {

    private static final Call PODS = new Call(Call.Verb.WATCH, "pods", "", "default", "");

    private final Deque<WatchFrame> server = new ArrayDeque<>();
    private final Set<String> holders = ConcurrentHashMap.newKeySet();
    private final Lane lane = new Lane(0);
    private boolean isClosed;
    private LaneFrames.@Nullable Verdict verdict;

    private final LaneFrames watch = lane.add(new LaneFrames(
            new ServerResponse.Frames() {
                @Override
                public @Nullable WatchFrame next() {
                    if (server.isEmpty() && !isClosed) {
                        throw new Waiting();
                    }
                    return isClosed ? null : server.remove();
                }

                @Override
                public boolean hasMore() {
                    return !server.isEmpty();
                }

                @Override
                public void close() {
                    isClosed = true;
                }
            },
            lane,
            PODS,
            Map.of("allowWatchBookmarks", "true"),
            new LaneFrames.Judge() {
                @Override
                public LaneFrames.Verdict judge(LaneFrames judged, WatchFrame frame) {
                    LaneFrames.Verdict special = verdict;
                    return special != null
                            ? special
                            : holders.isEmpty() ? LaneFrames.Verdict.PASS : LaneFrames.Verdict.HOLD;
                }

                @Override
                public boolean holds(LaneFrames judged) {
                    return !holders.isEmpty();
                }

                @Override
                public void delivered(LaneFrames from, WatchFrame frame) {}
            }));

    /** The reader would wait. */
    private static final class Waiting extends RuntimeException {}

    private void serve(String... frames) {
        for (String frame : frames) {
            String[] words = frame.split(" ", -1); // type, name, version
            server.add(WatchFrame.of(
                    words[0],
                    JsonObject.EMPTY.with(
                            "metadata", JsonObject.EMPTY.with("name", words[1]).with("resourceVersion", words[2]))));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LaneFrames.Verdict.class,
            names = {"END", "EXPIRE", "BOOKMARK"})
    void instance_isBlindUntilItWatchesAgain(LaneFrames.Verdict end) throws InterruptedException {
        assertThat(lane.isBlind()).isFalse();
        verdict = end;
        serve("ADDED a 5");
        assertThat(read()).doesNotContain("ADDED a 5");
        assertThat(lane.isBlind()).isTrue();
        lane.add(watch);
        assertThat(lane.isBlind()).isFalse();
    }

    /** Reads until the watch ends, or would wait. */
    private List<String> read() throws InterruptedException {
        List<String> read = new ArrayList<>();
        try {
            for (WatchFrame frame = watch.next(); frame != null; frame = watch.next()) {
                JsonObject metadata = frame.object().object("metadata");
                read.add((frame.type() + " " + metadata.string("name") + " " + metadata.string("resourceVersion"))
                        .strip());
            }
            read.add("end");
        } catch (Waiting e) {
            read.add("waits");
        }
        return read;
    }

    @Test
    void twoHolders_bothHaveToLetGo() throws Exception {
        holders.addAll(Set.of("one", "other"));
        serve("ADDED a 1", "ADDED b 2");
        assertThat(read()).containsExactly("waits");
        assertThat(watch.isHolding()).isTrue();
        holders.remove("one");
        watch.release();
        assertThat(read()).containsExactly("waits");
        holders.remove("other");
        watch.release();
        assertThat(read()).containsExactly("ADDED a 1", "ADDED b 2", "end");
        assertThat(watch.isHolding()).isFalse();
    }

    @Test
    void watchThatWasReleased_canBeHeldAgain() throws Exception {
        watch.release();
        holders.add("one");
        serve("ADDED a 1");
        assertThat(read()).containsExactly("waits");
        holders.clear();
        serve("MODIFIED b 2");
        assertThat(read()).containsExactly("ADDED a 1", "MODIFIED b 2", "waits");
    }

    /** What is held back is sent again to the client, which continues from the last version that it has seen. */
    @ParameterizedTest
    @CsvSource({"END, end", "EXPIRE, ERROR", "BOOKMARK, end"})
    void watchThatEndsWhileItIsHeld_showsNothingOfIt(LaneFrames.Verdict special, String first) throws Exception {
        holders.add("one");
        serve("ADDED a 5");
        assertThat(read()).containsExactly("waits");
        verdict = special;
        serve("ADDED b 6");
        assertThat(read().get(0)).isEqualTo(first);
        assertThat(watch.isHolding()).isFalse();
        assertThat(isClosed).isTrue();
    }

    @Test
    void bookmark_isOneVersionBehind() throws Exception {
        verdict = LaneFrames.Verdict.BOOKMARK;
        serve("ADDED b 6");
        assertThat(read()).containsExactly("BOOKMARK  5", "end");
    }

    @Test
    void endOfTheServer_dropsWhatIsHeld() throws Exception {
        holders.add("one");
        serve("ADDED a 5");
        assertThat(read()).containsExactly("waits");
        isClosed = true;
        assertThat(read()).containsExactly("end");
    }

    /** Of each object the client gets one event, which fits what it has seen before. */
    @ParameterizedTest
    @CsvSource({
        "ADDED, MODIFIED, ADDED a 2",
        "ADDED, DELETED, ''",
        "MODIFIED, MODIFIED, MODIFIED a 2",
        "MODIFIED, DELETED, DELETED a 2",
        "DELETED, ADDED, ADDED a 2"
    })
    void heldEvents_areJoined(String first, String second, String delivered) throws Exception {
        holders.add("one");
        serve(first + " a 1", second + " a 2");
        assertThat(read()).containsExactly("waits");
        holders.clear();
        serve("ADDED b 3");
        List<String> read = read();
        assertThat(read.subList(0, read.indexOf("ADDED b 3")))
                .isEqualTo(delivered.isEmpty() ? List.of() : List.of(delivered));
    }

    @Test
    void killedInstance_holdsNothing() throws Exception {
        holders.add("one");
        serve("ADDED a 1");
        assertThat(read()).containsExactly("waits");
        lane.kill();
        assertThat(watch.isHolding()).isFalse();
        assertThat(read()).containsExactly("end");
    }
}
