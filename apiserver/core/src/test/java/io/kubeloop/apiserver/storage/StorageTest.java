/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StorageTest {

    private static final int CAPACITY = 8;

    private final Storage storage = new Storage(CAPACITY, 1);
    private final Bucket pods = storage.bucket("pods");
    private final Bucket nodes = storage.bucket("nodes");
    private final ManualScheduler scheduler = new ManualScheduler();

    private StoredObject write(Bucket bucket, String key, String data) {
        StoredObject seen = storage.snapshot().get(bucket, key);
        return Objects.requireNonNull(storage.put(bucket, key, seen, JsonObject.EMPTY.with("d", data), null));
    }

    private StorageWatcher watch(Long after, Predicate<StoredObject> filter, Duration bookmarks, Duration timeout) {
        return new StorageWatcher(
                storage, pods, new WatchStart("", null, filter, null, after, false, bookmarks, timeout), scheduler);
    }

    private static boolean everything(StoredObject unused) {
        return true;
    }

    private static String show(WatchNotification signal) {
        if (signal instanceof WatchNotification.Bookmark bookmark) {
            return "BOOKMARK@" + bookmark.revision();
        }
        WatchNotification.Change change = (WatchNotification.Change) Objects.requireNonNull(signal);
        return change.type() + " " + change.object();
    }

    @Test
    void put_countsOneClockForAllKinds() {
        assertThat(write(pods, "a", "1").revision()).isEqualTo(2);
        assertThat(write(nodes, "n", "1").revision()).isEqualTo(3);
        assertThat(write(pods, "a", "2").revision()).isEqualTo(4);
        assertThat(storage.snapshot().get(pods, "a").tree().string("metadata", "resourceVersion"))
                .isEqualTo("4");
        assertThat(storage.revision()).isEqualTo(4);
    }

    @Test
    void put_somebodyWasFaster_writesNothing() {
        StoredObject first = write(pods, "a", "1");
        write(pods, "a", "2");

        assertThat(storage.put(pods, "a", first, JsonObject.EMPTY, null)).isNull();
        assertThat(storage.put(pods, "a", null, JsonObject.EMPTY, null)).isNull();
        assertThat(storage.remove(pods, first)).isNull();
        assertThat(storage.revision()).isEqualTo(3);
    }

    @Test
    void put_guardHasChanged_writesNothing() {
        Storage.Guard guard = new Storage.Guard(nodes, write(nodes, "n", "1"));
        assertThat(storage.put(pods, "a", null, JsonObject.EMPTY, guard)).isNotNull();
        write(nodes, "n", "2");

        assertThat(storage.put(pods, "b", null, JsonObject.EMPTY, guard)).isNull();
    }

    @Test
    void stateAt_showsThePast_untilItIsForgotten() {
        StoredObject a = write(pods, "a", "1");
        StoredObject b = write(pods, "b", "1");
        storage.remove(pods, a);

        assertThat(storage.stateAt(pods, a.revision()).size()).isEqualTo(1);
        assertThat(storage.stateAt(pods, b.revision()).size()).isEqualTo(2);
        assertThat(storage.stateAt(pods, storage.revision()).get("b")).isSameAs(b);

        storage.compact();
        assertThatExceptionOfType(ExpiredException.class).isThrownBy(() -> storage.stateAt(pods, b.revision()));
        assertThat(storage.stateAt(pods, storage.revision()).size()).isEqualTo(1);
    }

    @Test
    void watch_replaysEverythingAfterItsStart() throws Exception {
        StoredObject a = write(pods, "a", "1");
        write(pods, "a", "2");
        write(nodes, "n", "1");
        storage.remove(pods, storage.snapshot().get(pods, "a"));
        try (StorageWatcher watcher = watch(a.revision(), StorageTest::everything, null, null)) {
            assertThat(show(watcher.next())).isEqualTo("MODIFIED a@3");
            assertThat(show(watcher.next())).isEqualTo("DELETED a@5");
        }
    }

    @Test
    void watch_fromTheFuture_waitsForIt() throws Exception {
        try (StorageWatcher watcher = watch(3L, StorageTest::everything, null, null)) {
            write(pods, "a", "1");
            write(pods, "b", "1");
            write(pods, "c", "1");
            assertThat(show(watcher.next())).isEqualTo("ADDED c@4");
        }
    }

    @Test
    void watch_tooFarBehind_hasExpiredAndHarmsNobody() throws Exception {
        try (StorageWatcher slow = watch(1L, StorageTest::everything, null, null);
                StorageWatcher fast = watch(1L, StorageTest::everything, null, null)) {
            for (int i = 0; i <= CAPACITY; i++) {
                write(pods, "a", "" + i);
                assertThat(show(fast.next())).endsWith("a@" + (i + 2));
            }
            assertThatExceptionOfType(ExpiredException.class)
                    .isThrownBy(slow::next)
                    .withMessage("too old resource version: 1 (2)");
            write(pods, "a", "more");
            assertThat(show(fast.next())).isEqualTo("MODIFIED a@11");
        }
    }

    /** The log grows from 16 events to its capacity, here from a position that is not a multiple of its length. */
    @Test
    void longLog_keepsAsManyEventsAsItsCapacity() {
        Storage large = new Storage(100, 1);
        Bucket many = large.bucket("many");
        for (int i = 0; i < 250; i++) {
            if (i == 11) {
                large.compact();
            }
            var unused = large.put(many, "o" + i, null, JsonObject.EMPTY, null);
            for (long revision = Math.max(12, i + 2 - 99); i >= 11 && revision <= i + 2; revision++) {
                assertThat(large.stateAt(many, revision).size()).isEqualTo((int) revision - 1);
            }
        }
        assertThatExceptionOfType(ExpiredException.class).isThrownBy(() -> large.stateAt(many, 250 + 1 - 101));
    }

    @Test
    void watch_startBeforeTheLog_hasExpired() {
        write(pods, "a", "1");
        storage.compact();
        assertThatExceptionOfType(ExpiredException.class)
                .isThrownBy(() -> watch(1L, StorageTest::everything, null, null));
    }

    @Test
    void bookmark_whileNothingHappens_carriesTheRevisionOfOtherKinds() throws Exception {
        try (StorageWatcher watcher = watch(1L, StorageTest::everything, Duration.ofMinutes(1), null)) {
            write(nodes, "n", "1");
            write(nodes, "n", "2");
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(show(watcher.next())).isEqualTo("BOOKMARK@3");
            write(nodes, "n", "3");
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(show(watcher.next())).isEqualTo("BOOKMARK@4");
        }
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void bookmark_afterAWait_carriesWhatWasWrittenMeanwhile() throws Exception {
        try (StorageWatcher watcher = watch(1L, StorageTest::everything, Duration.ofMinutes(1), null)) {
            FutureTask<WatchNotification> next = new FutureTask<>(watcher::next);
            Thread reader = new Thread(next);
            reader.start();
            await().until(() -> reader.getState() == Thread.State.WAITING);
            write(nodes, "n", "1");
            write(nodes, "n", "2");
            storage.compact();

            scheduler.advance(Duration.ofMinutes(1));

            assertThat(show(next.get(20, TimeUnit.SECONDS))).isEqualTo("BOOKMARK@3");
            watch(3L, StorageTest::everything, null, null).close(); // it has not expired
        }
    }

    @Test
    void bookmark_scheduledWhileTheWatchIsClosed_isNotLeftBehind() throws Exception {
        WatchStart start =
                new WatchStart("", null, StorageTest::everything, null, 1L, false, Duration.ofMinutes(1), null);
        StorageWatcher watcher = new StorageWatcher(storage, pods, start, scheduler);
        scheduler.afterSchedule(watcher::close);

        scheduler.advance(Duration.ofMinutes(1));

        assertThat(show(watcher.next())).isEqualTo("BOOKMARK@1");
        assertThat(watcher.next()).isNull();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void bookmark_amongEventsThatAreNotShown_carriesTheLastOne() throws Exception {
        try (StorageWatcher watcher = watch(1L, object -> object.key().equals("b"), Duration.ofMinutes(1), null)) {
            write(pods, "a", "1");
            scheduler.advance(Duration.ofMinutes(1));
            write(pods, "b", "1");

            assertThat(List.of(show(watcher.next()), show(watcher.next()))).containsExactly("BOOKMARK@1", "ADDED b@3");
        }
    }

    @Test
    void timeout_endsTheWatchInOrder() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (StorageWatcher watcher =
                watch(1L, StorageTest::everything, Duration.ofMinutes(1), Duration.ofSeconds(5))) {
            Future<WatchNotification> next = threads.submit(watcher::next);
            scheduler.advance(Duration.ofSeconds(5));
            assertThat(next.get(20, TimeUnit.SECONDS)).isNull();
        } finally {
            threads.shutdownNow();
        }
        assertThat(scheduler.waiting()).isZero();
    }
}
