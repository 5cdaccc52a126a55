package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpec;

/** {@link Service}. */
final class ServiceAdapter extends ObjectAdapter<Service> {

    static final ServiceAdapter INSTANCE = new ServiceAdapter();

    private ServiceAdapter() {
        super("metadata", "spec");
    }

    @Override
    protected Service read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        ServiceSpec spec = ServiceSpec.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(ServiceSpecAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new Service(metadata, spec, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Service value) {
        out.metadata(value.metadata());
        out.value("spec", ServiceSpecAdapter.INSTANCE, value.spec());
    }
}
