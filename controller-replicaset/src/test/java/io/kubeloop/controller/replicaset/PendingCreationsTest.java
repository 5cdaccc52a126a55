/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.PodCache;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingCreationsTest {

    private static final ObjectName OWNER = new ObjectName("prod", "api");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final FakeLister<Pod> lister = new FakeLister<>();
    private final PodCache cache = PodCache.of(lister);
    private final PendingCreations unseen = new PendingCreations(clock);

    private static Pod pod(String name, String uid) {
        return Pod.of(
                ObjectMetaBuilder.builder()
                        .namespace("prod")
                        .name(name)
                        .uid(uid)
                        .build(),
                PodSpec.EMPTY,
                PodStatus.EMPTY);
    }

    private static Pod ownedPod(String name, String uid) {
        OwnerReference owner =
                new OwnerReference("apps/v1", "ReplicaSet", OWNER.name(), "rs-1", true, true, UnknownFields.NONE);
        Pod pod = pod(name, uid);
        return pod.withMetadata(ObjectMetaBuilder.builder(pod.metadata())
                .ownerReferences(List.of(owner))
                .build());
    }

    @Test
    void check_nothingCreated_isSeen() {
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.SEEN);
    }

    @Test
    void check_createdAndNotShown_waits() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.WAITING);
    }

    @Test
    void check_cacheShowsIt_isSeen() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        lister.with(pod("a", "1"));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.SEEN);
    }

    @Test
    void check_cacheShowsAnotherOfThatName_waits() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "2").metadata()));
        lister.with(pod("a", "1"));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.WAITING);
    }

    @Test
    void seen_cameAndWentBetweenTwoChecks_isSeen() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        unseen.seen(OWNER, pod("a", "1"));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.SEEN);
    }

    @Test
    void seen_otherPod_waits() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        unseen.seen(OWNER, pod("b", "2"));
        unseen.seen(OWNER, pod("a", "3"));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.WAITING);
    }

    @Test
    void check_fiveMinutesPassed_isExpired() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        clock.advance(Duration.ofMinutes(5));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.WAITING);
        clock.advance(Duration.ofSeconds(1));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.EXPIRED);
    }

    @Test
    void reset_replacesWhatWasKnownAndItsAge() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        clock.advance(Duration.ofMinutes(6));
        unseen.reset(OWNER, List.of(pod("b", "2")));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.WAITING);
        lister.with(pod("b", "2"));
        assertThat(unseen.check(OWNER, cache))
                .as("the cache shows it as an orphan")
                .isEqualTo(PendingCreations.State.WAITING);
        lister.with(ownedPod("b", "2"));
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.SEEN);
    }

    @Test
    void forget_isSeen() {
        unseen.created(OWNER, ObjectIdentity.of(pod("a", "1").metadata()));
        unseen.forget(OWNER);
        assertThat(unseen.check(OWNER, cache)).isEqualTo(PendingCreations.State.SEEN);
    }
}
