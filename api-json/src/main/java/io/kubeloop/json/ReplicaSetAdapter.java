package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpec;
import io.kubeloop.api.apps.ReplicaSetStatus;

/** {@link ReplicaSet}. */
final class ReplicaSetAdapter extends ObjectAdapter<ReplicaSet> {

    static final ReplicaSetAdapter INSTANCE = new ReplicaSetAdapter();

    private ReplicaSetAdapter() {
        super("metadata", "spec", "status");
    }

    @Override
    protected ReplicaSet read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        ReplicaSetSpec spec = ReplicaSetSpec.EMPTY;
        ReplicaSetStatus status = ReplicaSetStatus.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(ReplicaSetSpecAdapter.INSTANCE);
                case "status" -> status = in.value(ReplicaSetStatusAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new ReplicaSet(metadata, spec, status, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicaSet value) {
        out.metadata(value.metadata());
        out.value("spec", ReplicaSetSpecAdapter.INSTANCE, value.spec());
        out.value("status", ReplicaSetStatusAdapter.INSTANCE, value.status());
    }
}
