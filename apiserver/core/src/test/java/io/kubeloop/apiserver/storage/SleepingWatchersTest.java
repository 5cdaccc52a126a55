/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches of one node's pods, in a log that holds few events. */
@Timeout(60)
class SleepingWatchersTest {

    private static final int CAPACITY = 4;

    private final Storage storage = new Storage(CAPACITY, 1);
    private final Bucket pods = storage.bucket("pods");

    private static String node(StoredObject pod) {
        return pod.tree().string("node");
    }

    private void write(String key, String node) {
        StoredObject seen = storage.snapshot().get(pods, key);
        Objects.requireNonNull(storage.put(pods, key, seen, JsonObject.EMPTY.with("node", node), null));
    }

    private StorageWatcher watch(String node) {
        WatchTrigger trigger = new WatchTrigger("node", node, SleepingWatchersTest::node);
        WatchStart start =
                new WatchStart("", null, pod -> node(pod).equals(node), trigger, storage.revision(), false, null, null);
        return new StorageWatcher(storage, pods, start, new ManualScheduler());
    }

    /** Starts a reader of the next change, and waits until it sleeps. */
    private static FutureTask<WatchNotification> sleepingReader(StorageWatcher watcher) {
        FutureTask<WatchNotification> reader = new FutureTask<>(watcher::next);
        Thread thread = new Thread(reader, "reader");
        thread.setDaemon(true);
        thread.start();
        await().atMost(30, TimeUnit.SECONDS).until(() -> thread.getState() == Thread.State.WAITING);
        return reader;
    }

    private static String show(WatchNotification notification) {
        WatchNotification.Change change = (WatchNotification.Change) Objects.requireNonNull(notification);
        return change.type() + " " + change.object().key();
    }

    @Test
    void watcher_thatSleeps_outlivesTheEventsOfOthers() throws Exception {
        try (StorageWatcher watcher = watch("one")) {
            FutureTask<WatchNotification> reader = sleepingReader(watcher);
            for (int i = 0; i < 5 * CAPACITY; i++) {
                write("other-" + i, "two");
            }
            assertThat(reader.isDone()).isFalse();
            write("mine", "one");
            assertThat(show(reader.get(30, TimeUnit.SECONDS))).isEqualTo("ADDED mine");
        }
    }

    @Test
    void watcher_isWokenByAnObjectThatCeasesToMatch() throws Exception {
        write("mine", "one");
        try (StorageWatcher watcher = watch("one")) {
            FutureTask<WatchNotification> reader = sleepingReader(watcher);
            write("mine", "two");
            assertThat(show(reader.get(30, TimeUnit.SECONDS))).isEqualTo("DELETED mine");
        }
    }

    @Test
    void watcher_thatDoesNotRead_expires() {
        try (StorageWatcher watcher = watch("one")) {
            for (int i = 0; i <= CAPACITY; i++) {
                write("mine", "one");
                write("mine", "two");
            }
            assertThatExceptionOfType(ExpiredException.class).isThrownBy(watcher::next);
        }
    }

    @Test
    void watcher_thatDoesNotReadItsInitialState_releasesIt_andExpiresWithoutAnEnd() throws Exception {
        write("a", "one");
        write("b", "one");
        WatchStart start = new WatchStart("", null, pod -> true, null, null, true, null, null);
        try (StorageWatcher watcher = new StorageWatcher(storage, pods, start, new ManualScheduler())) {
            assertThat(show(watcher.next())).isEqualTo("ADDED a");
            for (int i = 0; i <= CAPACITY; i++) {
                write("b", "node-" + i);
            }
            assertThat(watcher.hasMore()).isFalse();
            assertThatExceptionOfType(ExpiredException.class).isThrownBy(watcher::next);
        }
    }

    @Test
    void watcher_withTheInitialStateOfTheLog_deliversItAndItsEnd() throws Exception {
        write("a", "one");
        WatchStart start = new WatchStart("", null, pod -> true, null, null, true, null, null);
        try (StorageWatcher watcher = new StorageWatcher(storage, pods, start, new ManualScheduler())) {
            for (int i = 0; i < CAPACITY; i++) {
                write("b", "node-" + i);
            }
            assertThat(show(watcher.next())).isEqualTo("ADDED a");
            assertThat(watcher.next()).isEqualTo(new WatchNotification.Bookmark(storage.revision() - CAPACITY, true));
            assertThat(show(watcher.next())).isEqualTo("ADDED b");
        }
    }

    @Test
    void hasMore_isTrueOnlyIfTheNextEventIsShown() throws Exception {
        try (StorageWatcher watcher = watch("one")) {
            write("a", "one");
            write("b", "one");
            write("c", "two");
            assertThat(show(watcher.next())).isEqualTo("ADDED a");
            assertThat(watcher.hasMore()).isTrue();
            assertThat(show(watcher.next())).isEqualTo("ADDED b");
            assertThat(watcher.hasMore()).isFalse();
        }
    }

    @Test
    void forms_ofAnEvent_areEncodedOnceForAllWatchers() throws Exception {
        try (StorageWatcher first = watch("one");
                StorageWatcher second = watch("one")) {
            write("mine", "one");
            AtomicInteger encoded = new AtomicInteger();
            byte[] bytes = ((WatchNotification.Change) Objects.requireNonNull(first.next()))
                    .forms()
                    .get("form", () -> new byte[] {(byte) encoded.incrementAndGet()});
            byte[] again = ((WatchNotification.Change) Objects.requireNonNull(second.next()))
                    .forms()
                    .get("form", () -> new byte[] {(byte) encoded.incrementAndGet()});
            assertThat(again).isSameAs(bytes);
            assertThat(encoded).hasValue(1);
        }
    }
}
