package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.ServiceAccount;

/** {@link ServiceAccount}. */
final class ServiceAccountAdapter extends ObjectAdapter<ServiceAccount> {

    static final ServiceAccountAdapter INSTANCE = new ServiceAccountAdapter();

    private ServiceAccountAdapter() {
        super("metadata");
    }

    @Override
    protected ServiceAccount read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                default -> throw in.unexpected(member);
            }
        }
        return new ServiceAccount(metadata, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ServiceAccount value) {
        out.metadata(value.metadata());
    }
}
