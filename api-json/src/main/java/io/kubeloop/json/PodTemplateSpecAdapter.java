package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodTemplateSpec;

/** {@link PodTemplateSpec}. */
final class PodTemplateSpecAdapter extends RecordAdapter<PodTemplateSpec> {

    static final PodTemplateSpecAdapter INSTANCE = new PodTemplateSpecAdapter();

    private PodTemplateSpecAdapter() {
        super("metadata", "spec");
    }

    @Override
    protected PodTemplateSpec read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        PodSpec spec = PodSpec.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(PodSpecAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new PodTemplateSpec(metadata, spec, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, PodTemplateSpec value) {
        out.metadata(value.metadata());
        out.value("spec", PodSpecAdapter.INSTANCE, value.spec());
    }

    @Override
    protected UnknownFields unknownFields(PodTemplateSpec value) {
        return value.unknownFields();
    }
}
