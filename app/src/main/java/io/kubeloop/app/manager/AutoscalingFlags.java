package io.kubeloop.app.manager;

import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import java.time.Duration;
import picocli.CommandLine;

/** The flags of the controller of HorizontalPodAutoscalers. The parser of the command line writes them; they do not change afterwards. */
final class AutoscalingFlags {

    @CommandLine.Option(
            names = "--concurrent-horizontal-pod-autoscaler-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "HorizontalPodAutoscalers synced in parallel, each on its own thread: 1 to "
                    + ManagerFlags.MAX_SYNCS + ". Default: ${DEFAULT-VALUE}.")
    private int syncs = 5;

    @CommandLine.Option(
            names = "--horizontal-pod-autoscaler-sync-period",
            paramLabel = "DURATION",
            defaultValue = "15s",
            converter = DurationFlag.class,
            description = "Time between two syncs of a HorizontalPodAutoscaler. Default: ${DEFAULT-VALUE}.")
    private Duration syncPeriod = PodAutoscalingConfig.DEFAULT.syncPeriod();

    @CommandLine.Option(
            names = "--horizontal-pod-autoscaler-downscale-stabilization",
            paramLabel = "DURATION",
            defaultValue = "5m",
            converter = DurationFlag.class,
            description = "Time for which a higher recommendation prevents a smaller number of pods. "
                    + "Default: ${DEFAULT-VALUE}.")
    private Duration downscaleStabilization = PodAutoscalingConfig.DEFAULT.downscaleStabilization();

    @CommandLine.Option(
            names = "--horizontal-pod-autoscaler-tolerance",
            paramLabel = "RATIO",
            defaultValue = "0.1",
            description = "Deviation of a metric from its target that changes nothing. Default: ${DEFAULT-VALUE}.")
    private double tolerance = PodAutoscalingConfig.DEFAULT.tolerance();

    @CommandLine.Option(
            names = "--horizontal-pod-autoscaler-cpu-initialization-period",
            paramLabel = "DURATION",
            defaultValue = "5m",
            converter = DurationFlag.class,
            description = "Time after the start of a pod in which its CPU usage counts only while it is ready. "
                    + "Default: ${DEFAULT-VALUE}.")
    private Duration cpuInitializationPeriod = PodAutoscalingConfig.DEFAULT.cpuInitializationPeriod();

    @CommandLine.Option(
            names = "--horizontal-pod-autoscaler-initial-readiness-delay",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationFlag.class,
            description = "Time after the start of a pod in which it counts as never ready when it becomes unready. "
                    + "Default: ${DEFAULT-VALUE}.")
    private Duration initialReadinessDelay = PodAutoscalingConfig.DEFAULT.initialReadinessDelay();

    int syncs() {
        return syncs;
    }

    PodAutoscalingConfig config() {
        return new PodAutoscalingConfig(
                syncPeriod, downscaleStabilization, tolerance, cpuInitializationPeriod, initialReadinessDelay);
    }

    /** Checks the values; see {@link ManagerFlags#check}. */
    void check() {
        ManagerFlags.checkSyncs("--concurrent-horizontal-pod-autoscaler-syncs", syncs);
        try {
            config();
        } catch (IllegalArgumentException e) {
            throw new UsageException("--horizontal-pod-autoscaler-*: " + e.getMessage());
        }
    }
}
