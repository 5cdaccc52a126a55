package io.kubeloop.json;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.coordination.LeaseSpec;

/** {@link LeaseSpec}. */
final class LeaseSpecAdapter extends RecordAdapter<LeaseSpec> {

    static final LeaseSpecAdapter INSTANCE = new LeaseSpecAdapter();

    private LeaseSpecAdapter() {
        super("holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions");
    }

    @Override
    protected LeaseSpec read(RecordReader in) {
        String holderIdentity = null;
        Integer leaseDurationSeconds = null;
        MicroTime acquireTime = null;
        MicroTime renewTime = null;
        Integer leaseTransitions = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "holderIdentity" -> holderIdentity = in.nullableString();
                case "leaseDurationSeconds" -> leaseDurationSeconds = in.nullableInteger();
                case "acquireTime" -> acquireTime = in.microTime();
                case "renewTime" -> renewTime = in.microTime();
                case "leaseTransitions" -> leaseTransitions = in.nullableInteger();
                default -> throw in.unexpected(member);
            }
        }
        return new LeaseSpec(
                holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, LeaseSpec value) {
        out.nullable("holderIdentity", value.holderIdentity());
        out.nullable("leaseDurationSeconds", value.leaseDurationSeconds());
        out.text("acquireTime", value.acquireTime());
        out.text("renewTime", value.renewTime());
        out.nullable("leaseTransitions", value.leaseTransitions());
    }

    @Override
    protected UnknownFields unknownFields(LeaseSpec value) {
        return value.unknownFields();
    }
}
