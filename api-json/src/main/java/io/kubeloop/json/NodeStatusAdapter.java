package io.kubeloop.json;

import io.kubeloop.api.Condition;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.NodeStatus;
import java.util.List;

/** {@link NodeStatus}. */
final class NodeStatusAdapter extends RecordAdapter<NodeStatus> {

    static final NodeStatusAdapter INSTANCE = new NodeStatusAdapter();

    private NodeStatusAdapter() {
        super("conditions");
    }

    @Override
    protected NodeStatus read(RecordReader in) {
        List<Condition> conditions = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "conditions" -> conditions = in.list(ConditionAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new NodeStatus(conditions, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, NodeStatus value) {
        out.list("conditions", ConditionAdapter.INSTANCE, value.conditions());
    }

    @Override
    protected UnknownFields unknownFields(NodeStatus value) {
        return value.unknownFields();
    }
}
