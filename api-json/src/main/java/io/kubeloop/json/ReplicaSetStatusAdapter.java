package io.kubeloop.json;

import io.kubeloop.api.Condition;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.ReplicaSetStatus;
import java.util.List;

/** {@link ReplicaSetStatus}. */
final class ReplicaSetStatusAdapter extends RecordAdapter<ReplicaSetStatus> {

    static final List<String> MEMBERS = List.of(
            "replicas",
            "fullyLabeledReplicas",
            "readyReplicas",
            "availableReplicas",
            "terminatingReplicas",
            "observedGeneration",
            "conditions");

    static final ReplicaSetStatusAdapter INSTANCE = new ReplicaSetStatusAdapter();

    private ReplicaSetStatusAdapter() {
        super(MEMBERS, 0);
    }

    @Override
    protected ReplicaSetStatus read(RecordReader in) {
        int replicas = 0;
        int fullyLabeledReplicas = 0;
        int readyReplicas = 0;
        int availableReplicas = 0;
        Integer terminatingReplicas = null;
        long observedGeneration = 0;
        List<Condition> conditions = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "replicas" -> replicas = in.integer();
                case "fullyLabeledReplicas" -> fullyLabeledReplicas = in.integer();
                case "readyReplicas" -> readyReplicas = in.integer();
                case "availableReplicas" -> availableReplicas = in.integer();
                case "terminatingReplicas" -> terminatingReplicas = in.nullableInteger();
                case "observedGeneration" -> observedGeneration = in.longInteger();
                case "conditions" -> conditions = in.list(ConditionAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new ReplicaSetStatus(
                replicas,
                fullyLabeledReplicas,
                readyReplicas,
                availableReplicas,
                terminatingReplicas,
                observedGeneration,
                conditions,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicaSetStatus value) {
        out.integer("replicas", value.replicas());
        out.integer("fullyLabeledReplicas", value.fullyLabeledReplicas());
        out.integer("readyReplicas", value.readyReplicas());
        out.integer("availableReplicas", value.availableReplicas());
        if (value.terminatingReplicas() != null) { // no member of a ReplicationController, which is written here too
            out.nullable("terminatingReplicas", value.terminatingReplicas());
        }
        out.integer("observedGeneration", value.observedGeneration());
        out.list("conditions", ConditionAdapter.INSTANCE, value.conditions());
    }

    @Override
    protected UnknownFields unknownFields(ReplicaSetStatus value) {
        return value.unknownFields();
    }
}
