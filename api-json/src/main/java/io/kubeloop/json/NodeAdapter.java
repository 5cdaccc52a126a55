package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec;
import io.kubeloop.api.core.NodeStatus;

/** {@link Node}. */
final class NodeAdapter extends ObjectAdapter<Node> {

    static final NodeAdapter INSTANCE = new NodeAdapter();

    private NodeAdapter() {
        super("metadata", "spec", "status");
    }

    @Override
    protected Node read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        NodeSpec spec = NodeSpec.EMPTY;
        NodeStatus status = NodeStatus.EMPTY;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "spec" -> spec = in.value(NodeSpecAdapter.INSTANCE);
                case "status" -> status = in.value(NodeStatusAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new Node(metadata, spec, status, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Node value) {
        out.metadata(value.metadata());
        out.value("spec", NodeSpecAdapter.INSTANCE, value.spec());
        out.value("status", NodeStatusAdapter.INSTANCE, value.status());
    }
}
