/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpec;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.controller.leaderelection.ResourceLock.Locked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LeaseLockTest {

    private static final ObjectName NAME = new ObjectName("kube-system", "my-controller");

    private static final LeaderElectionRecord RECORD = new LeaderElectionRecord(
            "a",
            15,
            new MicroTime(Instant.parse("2026-01-01T00:00:00.000001Z")),
            new MicroTime(Instant.parse("2026-01-01T00:00:02.000002Z")),
            3);

    private final FakeLeases server = new FakeLeases();
    private final LeaseLock lock = new LeaseLock(server, NAME, "a", Map.of("component", "manager"), EventRecorder.NONE);

    @Test
    void create_thenGet_keepsEveryPartOfTheRecord_LE03() {
        // LK-03
        lock.create(RECORD);

        assertThat(lock.get().record()).isEqualTo(RECORD);
    }

    @Test
    void get_ofALeaseWithoutFields_readsZeroValues() {
        server.set(LeaseSpec.EMPTY);

        assertThat(lock.get().record()).isEqualTo(LeaderElectionRecord.UNSEEN);
    }

    @Test
    void get_ofNothing_passesTheServersAnswerOn_LK02() {
        assertThatThrownBy(lock::get)
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.isNotFound()).isTrue());
    }

    @Test
    void update_ofAnOldLock_isRefused_LK02() {
        Locked first = lock.create(RECORD);
        lock.update(first, RECORD);

        assertThatThrownBy(() -> lock.update(first, RECORD))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.isConflict()).isTrue());
    }

    @Test
    void labels_areMergedIntoThoseOfTheLease_LK02() {
        Lease created = (Lease) lock.create(RECORD).object();
        assertThat(created.metadata().labels()).containsExactly(Map.entry("component", "manager"));

        server.change(lease -> lease.withMetadata(ObjectMetaBuilder.builder(lease.metadata())
                .labels(Map.of("component", "changed", "other", "kept"))
                .build()));
        Lease updated = (Lease) lock.update(lock.get(), RECORD).object();

        assertThat(updated.metadata().labels())
                .containsOnly(Map.entry("component", "manager"), Map.entry("other", "kept"));
    }

    @Test
    void update_ofALeaseOfACoordinatedElection_leavesOutWhatThatElectionSaid_LK02() {
        server.set(LeaseSpec.EMPTY);
        String theirs = "\"preferredHolder\":\"b\",\"other\":{\"kept\":1},\"strategy\":\"OldestEmulationVersion\"";
        server.change(lease -> lease.withSpec(new LeaseSpec("b", 15, null, null, 1, UnknownFields.ofMembers(theirs))));

        Lease updated = (Lease) lock.update(lock.get(), RECORD).object();

        assertThat(updated.spec().holderIdentity()).isEqualTo("a");
        assertThat(updated.spec().unknownFields()).hasToString("{\"other\":{\"kept\":1}}");
    }

    @Test
    void recordEvent_isAboutTheLeaseAsLastSeen_LK04() {
        List<ObjectReference> regarding = new ArrayList<>();
        LeaseLock reporting = new LeaseLock(
                server, NAME, "a", Map.of(), (about, annotations, type, reason, message) -> regarding.add(about));
        server.set(LeaseSpec.EMPTY);
        server.change(lease -> lease.withMetadata(
                ObjectMetaBuilder.builder(lease.metadata()).uid("lease-1").build()));

        Lease lease = (Lease) reporting.get().object();
        reporting.recordEvent("became leader");

        assertThat(regarding).containsExactly(ObjectReferences.of(ResourceTypes.LEASES, lease));
        assertThat(regarding.get(0).uid()).as("kubectl describe asks for it").isEqualTo("lease-1");
    }

    @Test
    void describe_isNamespaceAndName_LK02() {
        assertThat(lock.describe()).isEqualTo("kube-system/my-controller");
    }

    @Test
    void identity_isNeededAndCanBeMade() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseLock(server, NAME, ""));
        assertThat(LeaseLock.uniqueIdentity("host")).startsWith("host_").isNotEqualTo(LeaseLock.uniqueIdentity("host"));
    }

    private static final LeaderCallbacks NO_CALLBACKS = new LeaderCallbacks() {
        @Override
        public void onStartedLeading() {}

        @Override
        public void onStoppedLeading() {}
    };

    private boolean attempt(ResourceLock tried) {
        LeaderAttempt attempt = new LeaderAttempt(LeaderElectionConfig.of(tried, NO_CALLBACKS));
        return attempt.tryAcquireOrRenew(new Observation(null, System.nanoTime()), () -> true)
                .succeeded();
    }

    private static LeaseSpec assigned(String holder, String more) {
        return new LeaseSpec(
                holder,
                15,
                null,
                null,
                null,
                UnknownFields.ofMembers("\"strategy\":\"OldestEmulationVersion\"" + more));
    }

    /** The states of the lease are those that kube-apiserver 1.36.3 wrote. */
    @Test
    void coordinatedLock_isRenewedByTheHolderThatTheServerNames_andNeverAcquired() {
        LeaseLock coordinated = lock.coordinated();
        assertThat(attempt(coordinated)).isFalse();
        assertThat(server.stored()).as("the server makes the lease").isNull();

        server.set(assigned("", ""));
        assertThat(attempt(coordinated)).isFalse();
        server.set(assigned("b", ""));
        assertThat(attempt(coordinated)).isFalse();
        assertThat(server.holder()).isEqualTo("b");

        server.set(assigned("a", ""));
        assertThat(attempt(coordinated)).isTrue();
        Lease renewed = Objects.requireNonNull(server.stored());
        assertThat(renewed.spec().renewTime()).isNotNull();
        assertThat(renewed.spec().unknownFields().json()).contains("OldestEmulationVersion");

        server.set(assigned("a", ",\"preferredHolder\":\"b\""));
        assertThat(coordinated.get().record().holderIdentity())
                .as("the end of the term")
                .isEqualTo("b");
        assertThat(attempt(coordinated)).isFalse();
        server.set(assigned("b", ",\"preferredHolder\":\"a\""));
        assertThat(attempt(coordinated))
                .as("the term of the holder has not ended")
                .isFalse();
        assertThat(server.holder()).isEqualTo("b");
        server.set(assigned("a", ",\"preferredHolder\":\"b\""));
        assertThat(attempt(lock)).as("a candidate that competes").isTrue();
        assertThat(Objects.requireNonNull(server.stored()).spec().unknownFields())
                .isEqualTo(UnknownFields.NONE);
    }
}
