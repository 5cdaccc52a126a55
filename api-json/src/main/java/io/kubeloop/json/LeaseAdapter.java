package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpec;

/** {@link Lease}. */
final class LeaseAdapter extends ObjectAdapter<Lease> {

    static final LeaseAdapter INSTANCE = new LeaseAdapter();

    private LeaseAdapter() {
        super("metadata", "spec");
    }

    @Override
    protected Lease read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        LeaseSpec spec = LeaseSpec.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(LeaseSpecAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new Lease(metadata, spec, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Lease value) {
        out.metadata(value.metadata());
        out.value("spec", LeaseSpecAdapter.INSTANCE, value.spec());
    }
}
