package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.NamespaceStatus;

/** {@link NamespaceStatus}. */
final class NamespaceStatusAdapter extends RecordAdapter<NamespaceStatus> {

    static final NamespaceStatusAdapter INSTANCE = new NamespaceStatusAdapter();

    private NamespaceStatusAdapter() {
        super("phase");
    }

    @Override
    protected NamespaceStatus read(RecordReader in) {
        String phase = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "phase" -> phase = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new NamespaceStatus(phase, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, NamespaceStatus value) {
        out.string("phase", value.phase());
    }

    @Override
    protected UnknownFields unknownFields(NamespaceStatus value) {
        return value.unknownFields();
    }
}
