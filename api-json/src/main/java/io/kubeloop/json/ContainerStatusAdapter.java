package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ContainerStatus;

/** {@link ContainerStatus}. */
final class ContainerStatusAdapter extends RecordAdapter<ContainerStatus> {

    static final ContainerStatusAdapter INSTANCE = new ContainerStatusAdapter();

    private ContainerStatusAdapter() {
        super("name", "ready", "restartCount", "image");
    }

    @Override
    protected ContainerStatus read(RecordReader in) {
        String name = "";
        boolean ready = false;
        int restartCount = 0;
        String image = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.sharedString();
                case "ready" -> ready = in.bool();
                case "restartCount" -> restartCount = in.integer();
                case "image" -> image = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new ContainerStatus(name, ready, restartCount, image, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ContainerStatus value) {
        out.string("name", value.name());
        out.bool("ready", value.ready());
        out.integer("restartCount", value.restartCount());
        out.string("image", value.image());
    }

    @Override
    protected UnknownFields unknownFields(ContainerStatus value) {
        return value.unknownFields();
    }
}
