package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** L1. */
class RecentWritesTest {

    private static final ObjectName WEB = new ObjectName("shop", "web");

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final RecentWrites<Endpoints> writes = new RecentWrites<>(clock);

    private static Endpoints version(String version) {
        return Endpoints.of(
                ObjectMetaBuilder.builder(ObjectMeta.named("shop", "web"))
                        .resourceVersion(version)
                        .build(),
                List.of());
    }

    private void write(String replaced, String written) {
        writes.done(writes.begin(WEB), replaced, version(written));
    }

    @Test
    void latest_cacheShowsWhatWasReplaced_theWrite() {
        write("", "1");
        assertThat(writes.latest(WEB, null)).isEqualTo(version("1"));
        write("1", "2");
        assertThat(writes.latest(WEB, null)).isEqualTo(version("2"));
        assertThat(writes.latest(WEB, version("1"))).isEqualTo(version("2"));
    }

    @Test
    void latest_cacheShowsTheWriteOrAnother_theCache() {
        write("1", "2");
        assertThat(writes.latest(WEB, version("2"))).isEqualTo(version("2"));
        assertThat(writes.latest(WEB, version("1"))).as("the entry is gone").isEqualTo(version("1"));
        write("1", "2");
        assertThat(writes.latest(WEB, version("3"))).isEqualTo(version("3"));
    }

    @Test
    void latest_ofWhatTheCacheShows_theNewer() {
        assertThat(writes.latest(version("1"))).isEqualTo(version("1"));
        write("1", "2");
        assertThat(writes.latest(version("1"))).isEqualTo(version("2"));
        assertThat(writes.latest(version("3"))).isEqualTo(version("3"));
    }

    @Test
    void forget_afterTheWrite_theCache() {
        write("", "1");
        writes.forget(WEB);
        assertThat(writes.latest(WEB, null)).isNull();
    }

    @Test
    void forget_duringTheWrite_theWriteIsNotRemembered() {
        RecentWrites.Entry<Endpoints> begun = writes.begin(WEB);
        writes.forget(WEB);
        writes.done(begun, "", version("1"));
        assertThat(writes.latest(WEB, null)).isNull();
    }

    @Test
    void latest_afterAMinute_theCache() {
        write("", "1");
        clock.advance(Duration.ofSeconds(59));
        assertThat(writes.latest(WEB, null)).isNotNull();
        clock.advance(Duration.ofSeconds(1));
        assertThat(writes.latest(WEB, null)).isNull();
    }

    @Test
    void forgetExpired_keepsWhatIsStillBelievedAndWhatIsBeingWritten() {
        write("1", "2");
        clock.advance(RecentWrites.LIFETIME.minusMillis(1));
        writes.forgetExpired();
        assertThat(writes.latest(version("1"))).isEqualTo(version("2"));
        RecentWrites.Entry<Endpoints> begun = writes.begin(WEB);
        writes.done(begun, "2", version("3"));
        clock.advance(RecentWrites.LIFETIME);
        RecentWrites.Entry<Endpoints> next = writes.begin(new ObjectName("shop", "next"));
        writes.forgetExpired();
        assertThat(writes.latest(version("1"))).isEqualTo(version("1"));
        writes.done(next, "", version("4"));
    }
}
