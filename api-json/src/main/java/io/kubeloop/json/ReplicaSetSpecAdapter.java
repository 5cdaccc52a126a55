package io.kubeloop.json;

import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.ReplicaSetSpec;
import io.kubeloop.api.core.PodTemplateSpec;

/** {@link ReplicaSetSpec}. */
final class ReplicaSetSpecAdapter extends RecordAdapter<ReplicaSetSpec> {

    static final ReplicaSetSpecAdapter INSTANCE = new ReplicaSetSpecAdapter();

    private ReplicaSetSpecAdapter() {
        super("replicas", "minReadySeconds", "selector", "template");
    }

    @Override
    protected ReplicaSetSpec read(RecordReader in) {
        Integer replicas = null;
        int minReadySeconds = 0;
        LabelSelector selector = null;
        PodTemplateSpec template = PodTemplateSpec.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "replicas" -> replicas = in.nullableInteger();
                case "minReadySeconds" -> minReadySeconds = in.integer();
                case "selector" -> selector = in.nullable(LabelSelectorAdapter.INSTANCE);
                case "template" -> template = in.value(PodTemplateSpecAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new ReplicaSetSpec(replicas, minReadySeconds, selector, template, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicaSetSpec value) {
        out.nullable("replicas", value.replicas());
        out.integer("minReadySeconds", value.minReadySeconds());
        out.nullable("selector", LabelSelectorAdapter.INSTANCE, value.selector());
        out.value("template", PodTemplateSpecAdapter.INSTANCE, value.template());
    }

    @Override
    protected UnknownFields unknownFields(ReplicaSetSpec value) {
        return value.unknownFields();
    }
}
