package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.NodeSpec;

/** {@link NodeSpec}. */
final class NodeSpecAdapter extends RecordAdapter<NodeSpec> {

    static final NodeSpecAdapter INSTANCE = new NodeSpecAdapter();

    private NodeSpecAdapter() {
        super("podCIDR", "unschedulable");
    }

    @Override
    protected NodeSpec read(RecordReader in) {
        String podCIDR = "";
        boolean unschedulable = false;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "podCIDR" -> podCIDR = in.string();
                case "unschedulable" -> unschedulable = in.bool();
                default -> throw in.unexpected(member);
            }
        }
        return new NodeSpec(podCIDR, unschedulable, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, NodeSpec value) {
        out.string("podCIDR", value.podCIDR());
        out.bool("unschedulable", value.unschedulable());
    }

    @Override
    protected UnknownFields unknownFields(NodeSpec value) {
        return value.unknownFields();
    }
}
