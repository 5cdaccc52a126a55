package io.kubeloop.json;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ReplicationControllerStatus;
import io.kubeloop.api.UnknownFields;
import java.util.List;

/** {@link ReplicationControllerStatus}. */
final class ReplicationControllerStatusAdapter extends RecordAdapter<ReplicationControllerStatus> {

    static final ReplicationControllerStatusAdapter INSTANCE = new ReplicationControllerStatusAdapter();

    private ReplicationControllerStatusAdapter() {
        super(
                "replicas",
                "fullyLabeledReplicas",
                "readyReplicas",
                "availableReplicas",
                "observedGeneration",
                "conditions");
    }

    @Override
    protected ReplicationControllerStatus read(RecordReader in) {
        int replicas = 0;
        int fullyLabeledReplicas = 0;
        int readyReplicas = 0;
        int availableReplicas = 0;
        long observedGeneration = 0;
        List<Condition> conditions = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "replicas" -> replicas = in.integer();
                case "fullyLabeledReplicas" -> fullyLabeledReplicas = in.integer();
                case "readyReplicas" -> readyReplicas = in.integer();
                case "availableReplicas" -> availableReplicas = in.integer();
                case "observedGeneration" -> observedGeneration = in.longInteger();
                case "conditions" -> conditions = in.list(ConditionAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new ReplicationControllerStatus(
                replicas,
                fullyLabeledReplicas,
                readyReplicas,
                availableReplicas,
                observedGeneration,
                conditions,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicationControllerStatus value) {
        out.integer("replicas", value.replicas());
        out.integer("fullyLabeledReplicas", value.fullyLabeledReplicas());
        out.integer("readyReplicas", value.readyReplicas());
        out.integer("availableReplicas", value.availableReplicas());
        out.integer("observedGeneration", value.observedGeneration());
        out.list("conditions", ConditionAdapter.INSTANCE, value.conditions());
    }

    @Override
    protected UnknownFields unknownFields(ReplicationControllerStatus value) {
        return value.unknownFields();
    }
}
