package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.core.ReplicationControllerSpec;
import io.kubeloop.api.core.ReplicationControllerStatus;

/** {@link ReplicationController}. */
final class ReplicationControllerAdapter extends ObjectAdapter<ReplicationController> {

    static final ReplicationControllerAdapter INSTANCE = new ReplicationControllerAdapter();

    private ReplicationControllerAdapter() {
        super("metadata", "spec", "status");
    }

    @Override
    protected ReplicationController read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        ReplicationControllerSpec spec = ReplicationControllerSpec.EMPTY;
        ReplicationControllerStatus status = ReplicationControllerStatus.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(ReplicationControllerSpecAdapter.INSTANCE);
                case "status" -> status = in.value(ReplicationControllerStatusAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new ReplicationController(metadata, spec, status, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicationController value) {
        out.metadata(value.metadata());
        out.value("spec", ReplicationControllerSpecAdapter.INSTANCE, value.spec());
        out.value("status", ReplicationControllerStatusAdapter.INSTANCE, value.status());
    }
}
