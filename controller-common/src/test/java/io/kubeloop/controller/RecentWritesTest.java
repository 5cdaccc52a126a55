/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** L1. */
class RecentWritesTest {

    private static final ObjectName WEB = new ObjectName("shop", "web");

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final RecentWrites<Endpoints> writes = new RecentWrites<>(
            KubeClient.of(new FakeTransport(), JsonCodec.standard()).resource(ResourceTypes.ENDPOINTS), clock);

    private static Endpoints version(String version) {
        return Endpoints.of(
                ObjectMetaBuilder.builder(ObjectMeta.named("shop", "web"))
                        .resourceVersion(version)
                        .build(),
                List.of());
    }

    private void write(String replaced, String written) {
        writes.write(WEB, replaced, () -> version(written));
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
        writes.write(WEB, "", () -> {
            writes.forget(WEB);
            return version("1");
        });
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
        write("2", "3");
        clock.advance(RecentWrites.LIFETIME);
        writes.write(WEB, "3", () -> {
            writes.forgetExpired();
            assertThat(writes.latest(version("1"))).isEqualTo(version("1"));
            return version("4");
        });
    }

    @Test
    void ofOwners_anotherOwnerOfTheName_endsTheRecordsOfTheFirst() {
        List<String> ended = new ArrayList<>();
        AtomicInteger stale = new AtomicInteger();
        RecentWrites<Endpoints> owners = RecentWrites.ofOwners(
                KubeClient.of(new FakeTransport(), JsonCodec.standard()).resource(ResourceTypes.ENDPOINTS),
                clock,
                ended::add,
                stale::incrementAndGet);
        owners.latest(owner("a", "1"));
        owners.write(WEB, "1", () -> owner("a", "2"));
        assertThat(owners.latest(owner("a", "1"))).isEqualTo(owner("a", "2"));
        assertThat(stale).hasValue(1);
        assertThat(owners.latest(owner("b", "1")))
                .as("the write was to another object")
                .isEqualTo(owner("b", "1"));
        assertThat(ended).containsExactly("a");
        owners.forget(WEB);
        assertThat(ended).containsExactly("a", "b");
    }

    private static Endpoints owner(String uid, String version) {
        return version(version).withMetadata(version(version).metadata().withUid(uid));
    }
}
