package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;

/** {@link Pod}. */
final class PodAdapter extends ObjectAdapter<Pod> {

    static final PodAdapter INSTANCE = new PodAdapter();

    private PodAdapter() {
        super("metadata", "spec", "status");
    }

    @Override
    protected Pod read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        PodSpec spec = PodSpec.EMPTY;
        PodStatus status = PodStatus.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(PodSpecAdapter.INSTANCE);
                case "status" -> status = in.value(PodStatusAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new Pod(metadata, spec, status, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Pod value) {
        out.metadata(value.metadata());
        out.value("spec", PodSpecAdapter.INSTANCE, value.spec());
        out.value("status", PodStatusAdapter.INSTANCE, value.status());
    }
}
