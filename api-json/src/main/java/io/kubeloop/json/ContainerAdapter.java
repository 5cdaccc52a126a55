package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerPort;
import java.util.List;

/** {@link Container}. */
final class ContainerAdapter extends RecordAdapter<Container> {

    static final ContainerAdapter INSTANCE = new ContainerAdapter();

    private ContainerAdapter() {
        super("name", "image", "ports", "restartPolicy");
    }

    @Override
    protected Container read(RecordReader in) {
        String name = "";
        String image = "";
        List<ContainerPort> ports = List.of();
        String restartPolicy = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.sharedString();
                case "image" -> image = in.sharedString();
                case "ports" -> ports = in.list(ContainerPortAdapter.INSTANCE);
                case "restartPolicy" -> restartPolicy = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new Container(name, image, ports, restartPolicy, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Container value) {
        out.string("name", value.name());
        out.string("image", value.image());
        out.list("ports", ContainerPortAdapter.INSTANCE, value.ports());
        out.string("restartPolicy", value.restartPolicy());
    }

    @Override
    protected UnknownFields unknownFields(Container value) {
        return value.unknownFields();
    }
}
