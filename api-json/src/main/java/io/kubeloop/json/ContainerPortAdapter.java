package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ContainerPort;

/** {@link ContainerPort}. */
final class ContainerPortAdapter extends RecordAdapter<ContainerPort> {

    static final ContainerPortAdapter INSTANCE = new ContainerPortAdapter();

    private ContainerPortAdapter() {
        super("name", "containerPort", "protocol");
    }

    @Override
    protected ContainerPort read(RecordReader in) {
        String name = "";
        int containerPort = 0;
        String protocol = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.sharedString();
                case "containerPort" -> containerPort = in.integer();
                case "protocol" -> protocol = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new ContainerPort(name, containerPort, protocol, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ContainerPort value) {
        out.string("name", value.name());
        out.integer("containerPort", value.containerPort());
        out.string("protocol", value.protocol());
    }

    @Override
    protected UnknownFields unknownFields(ContainerPort value) {
        return value.unknownFields();
    }
}
