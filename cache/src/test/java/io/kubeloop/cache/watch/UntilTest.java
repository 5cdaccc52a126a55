/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.cache.NotObservedException;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** UN-01. */
class UntilTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final ScriptedSource.Stream watch = (ScriptedSource.Stream) source.watch(ListOptions.NONE);

    @AfterEach
    void isClosedInTheEnd() {
        assertThat(watch.isClosed()).isTrue();
        assertThat(scheduler.first()).as("a timer that is still set").isNull();
    }

    private static boolean isAdded(WatchEvent<Thing> event) {
        return event instanceof WatchEvent.Added;
    }

    private static boolean isDeleted(WatchEvent<Thing> event) {
        return event instanceof WatchEvent.Deleted;
    }

    private WatchEvent<Thing> fulfilled(List<Predicate<WatchEvent<Thing>>> conditions) {
        return Until.fulfilled(watch, scheduler, Duration.ofSeconds(30), conditions);
    }

    @Test
    void fulfilled_conditionsInTurn_returnsTheLastEvent() {
        watch.modified(Thing.of("a/b", "1"))
                .added(Thing.of("a/b", "2"))
                .bookmark("3")
                .deleted(Thing.of("a/b", "4"));
        assertThat(fulfilled(List.of(UntilTest::isAdded, UntilTest::isDeleted)))
                .isEqualTo(new WatchEvent.Deleted<>(Thing.of("a/b", "4")));
    }

    @Test
    void fulfilled_nextCondition_isFirstAskedAboutTheSameEvent() {
        watch.added(Thing.of("a/b", "1"));
        assertThat(fulfilled(List.of(UntilTest::isAdded, UntilTest::isAdded, UntilTest::isAdded)))
                .isEqualTo(new WatchEvent.Added<>(Thing.of("a/b", "1")));
    }

    @Test
    void fulfilled_noConditions_areFulfilled() {
        assertThat(fulfilled(List.of())).isNull();
    }

    @Test
    void fulfilled_watchEnds_saysHowFarItCame() {
        watch.added(Thing.of("a/b", "1")).end();
        assertThatThrownBy(() -> fulfilled(List.of(UntilTest::isAdded, UntilTest::isDeleted)))
                .isInstanceOf(NotObservedException.class)
                .hasMessage("the watch ended: 1 of 2 conditions were met");
    }

    @Test
    void fulfilled_timeIsUp_saysSo() {
        scheduler.afterSchedule(() -> scheduler.advance(Duration.ofSeconds(30)));
        assertThatThrownBy(() -> fulfilled(List.of(UntilTest::isAdded)))
                .isInstanceOf(NotObservedException.class)
                .hasMessage("not within PT30S: 0 of 1 conditions were met");
    }

    @Test
    void fulfilled_watchBreaks_isThrown() {
        TransportException problem = new TransportException(TransportException.Kind.BROKEN, "broken", null);
        watch.fail(problem);
        assertThatThrownBy(() -> fulfilled(List.of(UntilTest::isAdded))).isSameAs(problem);
    }

    @Test
    void fulfilled_conditionThrows_isThrown() {
        IllegalStateException problem = new IllegalStateException("no such thing");
        watch.added(Thing.of("a/b", "1"));
        assertThatThrownBy(() -> fulfilled(List.of(event -> {
                    throw problem;
                })))
                .isSameAs(problem);
    }
}
