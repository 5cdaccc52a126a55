package io.kubeloop.app.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.app.cli.UsageException;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AutoscalingFlagsTest {

    private static AutoscalingFlags parse(String... flags) {
        return CommandLine.populateCommand(new AutoscalingFlags(), flags);
    }

    @Test
    void noFlags_areTheDefaultsOfKubeControllerManager() {
        AutoscalingFlags flags = parse();

        flags.check();

        assertThat(flags.config()).isEqualTo(PodAutoscalingConfig.DEFAULT);
        assertThat(flags.syncs()).isEqualTo(5);
    }

    @Test
    void everyFlag_reachesTheController() {
        AutoscalingFlags flags = parse(
                "--concurrent-horizontal-pod-autoscaler-syncs=7",
                "--horizontal-pod-autoscaler-sync-period=1s",
                "--horizontal-pod-autoscaler-downscale-stabilization=2m",
                "--horizontal-pod-autoscaler-tolerance=0.2",
                "--horizontal-pod-autoscaler-cpu-initialization-period=3s",
                "--horizontal-pod-autoscaler-initial-readiness-delay=4s");

        assertThat(flags.syncs()).isEqualTo(7);
        assertThat(flags.config())
                .isEqualTo(new PodAutoscalingConfig(
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(2),
                        0.2,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--concurrent-horizontal-pod-autoscaler-syncs=0",
                "--horizontal-pod-autoscaler-sync-period=0s",
                "--horizontal-pod-autoscaler-tolerance=-1",
                "--horizontal-pod-autoscaler-tolerance=NaN",
            })
    void invalidValues_areWrongUsage(String flag) {
        AutoscalingFlags flags = parse(flag);

        assertThatThrownBy(flags::check)
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("horizontal-pod-autoscaler");
    }
}
