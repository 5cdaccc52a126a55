package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.core.ReplicationControllerSpec;
import java.util.Map;

/** {@link ReplicationControllerSpec}. */
final class ReplicationControllerSpecAdapter extends RecordAdapter<ReplicationControllerSpec> {

    static final ReplicationControllerSpecAdapter INSTANCE = new ReplicationControllerSpecAdapter();

    private ReplicationControllerSpecAdapter() {
        super("replicas", "minReadySeconds", "selector", "template");
    }

    @Override
    protected ReplicationControllerSpec read(RecordReader in) {
        Integer replicas = null;
        int minReadySeconds = 0;
        Map<String, String> selector = Map.of();
        PodTemplateSpec template = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "replicas" -> replicas = in.nullableInteger();
                case "minReadySeconds" -> minReadySeconds = in.integer();
                case "selector" -> selector = in.sharedStringMap();
                case "template" -> template = in.nullable(PodTemplateSpecAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new ReplicationControllerSpec(replicas, minReadySeconds, selector, template, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ReplicationControllerSpec value) {
        out.nullable("replicas", value.replicas());
        out.integer("minReadySeconds", value.minReadySeconds());
        out.stringMap("selector", value.selector());
        out.nullable("template", PodTemplateSpecAdapter.INSTANCE, value.template());
    }

    @Override
    protected UnknownFields unknownFields(ReplicationControllerSpec value) {
        return value.unknownFields();
    }
}
