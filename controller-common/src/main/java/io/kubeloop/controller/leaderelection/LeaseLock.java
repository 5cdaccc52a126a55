/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpec;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A lock that is stored in a {@link Lease} (upstream: {@code resourcelock/leaselock.go}). Thread-safe. {@link #get},
 * {@link #create} and {@link #update} block until the server responds.
 *
 * <p>{@link #coordinated} returns a lock for a coordinated election: kube-apiserver assigns the lease to a candidate.
 *
 * <p>Locks in Endpoints and ConfigMaps, and locks in two objects at a time, are not supported; upstream has removed
 * them.
 */
public final class LeaseLock implements ResourceLock {

    private static final String PREFERRED = "preferredHolder";

    private final ResourceClient<Lease> leases;
    private final ObjectName name;
    private final String identity;
    private final Map<String, String> labels;
    private final EventRecorder events;
    private final boolean isAssigned;

    /** The metadata of the lease as last read: events refer to its UID. */
    private volatile ObjectMeta seen;

    /**
     * Creates a lock without labels and events.
     *
     * @param client reads and writes the lease; without a fence
     * @param name namespace and name of the lease; it need not exist
     * @param identity the candidate's name, unique among the candidates; see {@link #uniqueIdentity}
     */
    public LeaseLock(KubeClient client, ObjectName name, String identity) {
        this(client, name, identity, Map.of(), EventRecorder.NONE);
    }

    /**
     * Creates a lock.
     *
     * @param name namespace and name of the lease; it need not exist
     * @param identity the candidate's name, unique among the candidates; see {@link #uniqueIdentity}
     * @param labels set on the lease at each write; other labels stay
     * @param events records when the candidate becomes leader and when it stops
     */
    public LeaseLock(
            KubeClient client, ObjectName name, String identity, Map<String, String> labels, EventRecorder events) {
        if (identity.isEmpty()) {
            throw new IllegalArgumentException(
                    "a candidate for lease " + name + " needs an identity, got an empty one");
        }
        this.leases = client.resource(ResourceTypes.LEASES);
        this.name = Objects.requireNonNull(name, "name");
        this.identity = identity;
        this.labels = Map.copyOf(labels);
        this.events = Objects.requireNonNull(events, "events");
        this.seen = ObjectMeta.named(name.namespace(), name.name());
        this.isAssigned = false;
    }

    private LeaseLock(LeaseLock other) {
        this.leases = other.leases;
        this.name = other.name;
        this.identity = other.identity;
        this.labels = other.labels;
        this.events = other.events;
        this.seen = other.seen;
        this.isAssigned = true;
    }

    /**
     * Returns this lock for a coordinated election (upstream: {@code LeaderElectionConfig.Coordinated}): the server
     * makes the lease and names its holder. If the lease of this candidate prefers another holder, it counts as held by
     * that one, so this candidate ends its term.
     */
    public LeaseLock coordinated() {
        return new LeaseLock(this);
    }

    @Override
    public boolean isAssigned() {
        return isAssigned;
    }

    /** Returns an identity that no other process has, for a process of this host; may block on the name service. */
    public static String uniqueIdentity() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        return uniqueIdentity(host);
    }

    /** Returns an identity that no other process has: the host's name and a random UUID. */
    public static String uniqueIdentity(String hostName) {
        return hostName + "_" + UUID.randomUUID();
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public String describe() {
        return name.toString();
    }

    @Override
    public Locked get() {
        return locked(leases.get(name));
    }

    @Override
    public Locked create(LeaderElectionRecord record) {
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .namespace(name.namespace())
                .name(name.name())
                .labels(labels)
                .build();
        return locked(leases.create(Lease.of(metadata, spec(LeaseSpec.EMPTY, record))));
    }

    @Override
    public Locked update(Locked last, LeaderElectionRecord record) {
        Lease lease = (Lease) last.object();
        Map<String, String> merged = new LinkedHashMap<>(lease.metadata().labels());
        merged.putAll(labels);
        return locked(leases.update(lease.withMetadata(ObjectMetaBuilder.builder(lease.metadata())
                        .labels(merged)
                        .build())
                .withSpec(spec(lease.spec(), record))));
    }

    /**
     * Outside a coordinated election, removes the fields of such an election: the server would assign a lease with a
     * strategy to another holder.
     */
    private LeaseSpec spec(LeaseSpec before, LeaderElectionRecord record) {
        return new LeaseSpec(
                record.holderIdentity(),
                record.leaseDurationSeconds(),
                record.acquireTime(),
                record.renewTime(),
                record.leaderTransitions(),
                isAssigned
                        ? before.unknownFields()
                        : before.unknownFields().without(PREFERRED).without("strategy"));
    }

    private Locked locked(Lease lease) {
        seen = lease.metadata();
        LeaseSpec spec = lease.spec();
        return new Locked(
                new LeaderElectionRecord(
                        holder(spec),
                        Objects.requireNonNullElse(spec.leaseDurationSeconds(), 0),
                        spec.acquireTime(),
                        spec.renewTime(),
                        Objects.requireNonNullElse(spec.leaseTransitions(), 0)),
                lease);
    }

    private String holder(LeaseSpec spec) {
        String holder = Objects.requireNonNullElse(spec.holderIdentity(), "");
        boolean mayEnd = isAssigned && holder.equals(identity);
        String preferred = mayEnd ? JsonObject.of(spec.unknownFields()).string(PREFERRED) : "";
        return preferred.isEmpty() ? holder : preferred;
    }

    @Override
    public void recordEvent(String event) {
        Lease lease = Lease.of(seen, LeaseSpec.EMPTY);
        events.event(
                ObjectReferences.of(ResourceTypes.LEASES, lease),
                EventType.NORMAL,
                "LeaderElection",
                identity + " " + event);
    }
}
