package io.kubeloop.json;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.PodSpec;
import java.util.List;

/** {@link PodSpec}. */
final class PodSpecAdapter extends RecordAdapter<PodSpec> {

    static final PodSpecAdapter INSTANCE = new PodSpecAdapter();

    private PodSpecAdapter() {
        super(
                "initContainers",
                "containers",
                "restartPolicy",
                "terminationGracePeriodSeconds",
                "nodeName",
                "hostname",
                "subdomain");
    }

    @Override
    protected PodSpec read(RecordReader in) {
        List<Container> initContainers = List.of();
        List<Container> containers = List.of();
        String restartPolicy = "";
        Long terminationGracePeriodSeconds = null;
        String nodeName = "";
        String hostname = "";
        String subdomain = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "initContainers" -> initContainers = in.list(ContainerAdapter.INSTANCE);
                case "containers" -> containers = in.list(ContainerAdapter.INSTANCE);
                case "restartPolicy" -> restartPolicy = in.sharedString();
                case "terminationGracePeriodSeconds" -> terminationGracePeriodSeconds = in.nullableLong();
                case "nodeName" -> nodeName = in.sharedString();
                case "hostname" -> hostname = in.sharedString();
                case "subdomain" -> subdomain = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new PodSpec(
                initContainers,
                containers,
                nodeName,
                hostname,
                subdomain,
                restartPolicy,
                terminationGracePeriodSeconds,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, PodSpec value) {
        out.list("initContainers", ContainerAdapter.INSTANCE, value.initContainers());
        out.list("containers", ContainerAdapter.INSTANCE, value.containers());
        out.string("restartPolicy", value.restartPolicy());
        out.nullable("terminationGracePeriodSeconds", value.terminationGracePeriodSeconds());
        out.string("nodeName", value.nodeName());
        out.string("hostname", value.hostname());
        out.string("subdomain", value.subdomain());
    }

    @Override
    protected UnknownFields unknownFields(PodSpec value) {
        return value.unknownFields();
    }
}
