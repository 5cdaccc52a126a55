package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.PodIP;

/** {@link PodIP}. */
final class PodIPAdapter extends RecordAdapter<PodIP> {

    static final PodIPAdapter INSTANCE = new PodIPAdapter();

    private PodIPAdapter() {
        super("ip");
    }

    @Override
    protected PodIP read(RecordReader in) {
        String ip = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "ip" -> ip = in.string();
                default -> throw in.unexpected(member);
            }
        }
        return new PodIP(ip, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, PodIP value) {
        out.string("ip", value.ip());
    }

    @Override
    protected UnknownFields unknownFields(PodIP value) {
        return value.unknownFields();
    }
}
