package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.ReplicationControllerStatus;
import java.util.List;

/** {@link ReplicationControllerStatus}: upstream's own type, with the members of {@link ReplicaSetStatus} but one. */
final class ReplicationControllerStatusAdapter extends RecordAdapter<ReplicationControllerStatus> {

    private static final List<String> MEMBERS = ReplicaSetStatusAdapter.MEMBERS.stream()
            .filter(member -> !member.equals("terminatingReplicas"))
            .toList();

    static final ReplicationControllerStatusAdapter INSTANCE = new ReplicationControllerStatusAdapter();

    private ReplicationControllerStatusAdapter() {
        super(MEMBERS, 0);
    }

    @Override
    protected ReplicationControllerStatus read(RecordReader in) {
        ReplicaSetStatus status = ReplicaSetStatusAdapter.INSTANCE.read(in);
        return new ReplicationControllerStatus(
                status.replicas(),
                status.fullyLabeledReplicas(),
                status.readyReplicas(),
                status.availableReplicas(),
                status.observedGeneration(),
                status.conditions(),
                status.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicationControllerStatus value) {
        ReplicaSetStatusAdapter.INSTANCE.write(
                out,
                new ReplicaSetStatus(
                        value.replicas(),
                        value.fullyLabeledReplicas(),
                        value.readyReplicas(),
                        value.availableReplicas(),
                        null,
                        value.observedGeneration(),
                        value.conditions(),
                        value.unknownFields()));
    }

    @Override
    protected UnknownFields unknownFields(ReplicationControllerStatus value) {
        return value.unknownFields();
    }
}
