package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.api.core.NamespaceSpec;
import io.kubeloop.api.core.NamespaceStatus;

/** {@link Namespace}. */
final class NamespaceAdapter extends ObjectAdapter<Namespace> {

    static final NamespaceAdapter INSTANCE = new NamespaceAdapter();

    private NamespaceAdapter() {
        super("metadata", "spec", "status");
    }

    @Override
    protected Namespace read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        NamespaceSpec spec = NamespaceSpec.EMPTY;
        NamespaceStatus status = NamespaceStatus.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(NamespaceSpecAdapter.INSTANCE);
                case "status" -> status = in.value(NamespaceStatusAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new Namespace(metadata, spec, status, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Namespace value) {
        out.metadata(value.metadata());
        out.value("spec", NamespaceSpecAdapter.INSTANCE, value.spec());
        out.value("status", NamespaceStatusAdapter.INSTANCE, value.status());
    }
}
