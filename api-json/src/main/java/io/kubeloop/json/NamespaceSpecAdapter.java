package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.NamespaceSpec;
import java.util.List;

/** {@link NamespaceSpec}. */
final class NamespaceSpecAdapter extends RecordAdapter<NamespaceSpec> {

    static final NamespaceSpecAdapter INSTANCE = new NamespaceSpecAdapter();

    private NamespaceSpecAdapter() {
        super("finalizers");
    }

    @Override
    protected NamespaceSpec read(RecordReader in) {
        List<String> finalizers = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "finalizers" -> finalizers = in.sharedStrings();
                default -> throw in.unexpected(member);
            }
        }
        return new NamespaceSpec(finalizers, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, NamespaceSpec value) {
        out.strings("finalizers", value.finalizers());
    }

    @Override
    protected UnknownFields unknownFields(NamespaceSpec value) {
        return value.unknownFields();
    }
}
