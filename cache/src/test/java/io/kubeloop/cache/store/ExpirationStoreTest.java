package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.KeyException;
import io.kubeloop.cache.fake.ManualTimers;
import io.kubeloop.cache.fake.Thing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TTL-01, in its parts. */
class ExpirationStoreTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final ObjectName A = ObjectName.parse("n/a");

    private final ManualTimers timers = new ManualTimers();
    private final ExpirationStore<ObjectName, Thing> store = withTtl(TTL);

    private ExpirationStore<ObjectName, Thing> withTtl(Duration ttl) {
        return new ExpirationStore<>(Thing::objectName, Thing::version, ttl, timers::nanoTime);
    }

    @Test
    void getByKey_olderThanItsTime_isGoneAndDropped_TTL01() {
        store.add(Thing.of("n/a", "1"));
        timers.advance(TTL);
        assertThat(store.getByKey(A)).as("its age is the limit, not above it").isNotNull();
        timers.advance(Duration.ofNanos(1));
        assertThat(store.listKeys()).as("keys are not checked").containsExactly(A);
        assertThat(store.size()).isEqualTo(1);
        assertThat(store.getByKey(A)).isNull();
        assertThat(store.listKeys()).as("dropped by the read").isEmpty();
        assertThat(store.size()).isZero();
        assertThat(store.resourceVersion())
                .as("forgetting is not a change of the server's")
                .isEqualTo("1");
    }

    @Test
    void get_byTheObject_isTheSame_TTL01() {
        store.add(Thing.of("n/a", "1"));
        assertThat(store.get(Thing.of("n/a", "7"))).hasToString("n/a@1");
        assertThat(store.get(Thing.of("n/b", "7"))).isNull();
        timers.advance(TTL.plusNanos(1));
        assertThat(store.get(Thing.of("n/a", "7"))).isNull();
    }

    @Test
    void update_and_add_giveTheWholeTimeAgain_readingDoesNot_TTL01() {
        // TestReAddExpiredItem
        store.add(Thing.of("n/a", "1"));
        store.add(Thing.of("n/b", "1"));
        store.add(Thing.of("n/c", "1"));
        timers.advance(Duration.ofSeconds(20));
        store.update(Thing.of("n/a", "2"));
        store.add(Thing.of("n/b", "2"));
        assertThat(store.list()).hasSize(3);
        timers.advance(Duration.ofSeconds(20));
        assertThat(store.list()).extracting(Thing::toString).containsExactlyInAnyOrder("n/a@2", "n/b@2");
        assertThat(store.size()).as("the list dropped what it found too old").isEqualTo(2);
        timers.advance(Duration.ofSeconds(20));
        store.add(Thing.of("n/a", "3"));
        assertThat(store.getByKey(A)).as("added again after its time").hasToString("n/a@3");
    }

    @Test
    void replace_stampsAllOfTheList_TTL01() {
        store.add(Thing.of("n/old", "1"));
        timers.advance(Duration.ofSeconds(20));
        store.replace(List.of(Thing.of("n/a", "2"), Thing.of("n/b", "3")), "9");
        assertThat(store.resourceVersion()).isEqualTo("9");
        timers.advance(Duration.ofSeconds(20));
        assertThat(store.list()).hasSize(2);
        timers.advance(Duration.ofSeconds(11));
        assertThat(store.list()).isEmpty();
    }

    @Test
    void delete_removesAtOnce() {
        store.add(Thing.of("n/a", "1"));
        store.delete(Thing.of("n/a", "2"));
        assertThat(store.size()).isZero();
        assertThat(store.resourceVersion()).isEqualTo("2");
    }

    @Test
    void ttl_zeroOrLess_neverExpires_TTL01() {
        for (Duration never : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            ExpirationStore<ObjectName, Thing> forEver = withTtl(never);
            forEver.add(Thing.of("n/a", "1"));
            timers.advance(Duration.ofDays(400));
            assertThat(forEver.getByKey(A)).isNotNull();
            assertThat(forEver.list()).hasSize(1);
        }
    }

    @Test
    void realClock_isTheDefault() {
        ExpirationStore<ObjectName, Thing> real =
                new ExpirationStore<>(Thing::objectName, Thing::version, Duration.ofHours(1));
        real.add(Thing.of("n/a", "1"));
        assertThat(real.getByKey(A)).isNotNull();
    }

    @Test
    void read_thatFindsAnEntryTooOld_leavesOneWrittenMeanwhileAlone_X1() {
        // The clock is read between the read of an entry and its removal; the other thread writes at that point.
        Deque<Runnable> meanwhile = new ArrayDeque<>();
        ExpirationStore<ObjectName, Thing> raced = new ExpirationStore<>(Thing::objectName, Thing::version, TTL, () -> {
            Runnable other = meanwhile.poll();
            if (other != null) {
                other.run();
            }
            return timers.nanoTime();
        });
        raced.add(Thing.of("n/a", "1"));
        timers.advance(TTL.plusSeconds(1));
        meanwhile.add(() -> raced.add(Thing.of("n/a", "2")));
        assertThat(raced.getByKey(A)).as("what it found was too old").isNull();
        assertThat(raced.getByKey(A))
                .as("the fresh one was not dropped with it")
                .hasToString("n/a@2");
    }

    @Test
    void object_withoutAKey_isRefused() {
        ExpirationStore<ObjectName, Thing> keyless = new ExpirationStore<>(
                thing -> {
                    throw new IllegalStateException("no name");
                },
                Thing::version,
                TTL,
                timers::nanoTime);
        assertThatThrownBy(() -> keyless.add(Thing.of("n/a", "1"))).isInstanceOf(KeyException.class);
        assertThatThrownBy(() -> keyless.get(Thing.of("n/a", "1"))).isInstanceOf(KeyException.class);
        assertThatThrownBy(() -> keyless.replace(List.of(Thing.of("n/a", "1")), "1"))
                .isInstanceOf(KeyException.class);
        assertThat(keyless.size()).isZero();
    }
}
