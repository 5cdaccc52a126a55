package io.kubeloop.json;

import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodIP;
import io.kubeloop.api.core.PodStatus;
import java.util.List;

/** {@link PodStatus}. */
final class PodStatusAdapter extends RecordAdapter<PodStatus> {

    static final PodStatusAdapter INSTANCE = new PodStatusAdapter();

    private PodStatusAdapter() {
        super(
                "phase",
                "conditions",
                "message",
                "reason",
                "hostIP",
                "podIP",
                "podIPs",
                "startTime",
                "initContainerStatuses",
                "containerStatuses");
    }

    @Override
    protected PodStatus read(RecordReader in) {
        String phase = "";
        List<PodCondition> conditions = List.of();
        String message = "";
        String reason = "";
        String hostIP = "";
        String podIP = "";
        List<PodIP> podIPs = List.of();
        Time startTime = null;
        List<ContainerStatus> initContainerStatuses = List.of();
        List<ContainerStatus> containerStatuses = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "phase" -> phase = in.sharedString();
                case "conditions" -> conditions = in.list(PodConditionAdapter.INSTANCE);
                case "message" -> message = in.string();
                case "reason" -> reason = in.sharedString();
                case "hostIP" -> hostIP = in.sharedString();
                case "podIP" -> podIP = in.string();
                case "podIPs" -> podIPs = in.list(PodIPAdapter.INSTANCE);
                case "startTime" -> startTime = in.time();
                case "initContainerStatuses" -> initContainerStatuses = in.list(ContainerStatusAdapter.INSTANCE);
                case "containerStatuses" -> containerStatuses = in.list(ContainerStatusAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new PodStatus(
                phase,
                conditions,
                message,
                reason,
                hostIP,
                podIP,
                podIPs,
                startTime,
                initContainerStatuses,
                containerStatuses,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, PodStatus value) {
        out.string("phase", value.phase());
        out.list("conditions", PodConditionAdapter.INSTANCE, value.conditions());
        out.string("message", value.message());
        out.string("reason", value.reason());
        out.string("hostIP", value.hostIP());
        out.string("podIP", value.podIP());
        out.list("podIPs", PodIPAdapter.INSTANCE, value.podIPs());
        out.text("startTime", value.startTime());
        out.list("initContainerStatuses", ContainerStatusAdapter.INSTANCE, value.initContainerStatuses());
        out.list("containerStatuses", ContainerStatusAdapter.INSTANCE, value.containerStatuses());
    }

    @Override
    protected UnknownFields unknownFields(PodStatus value) {
        return value.unknownFields();
    }
}
