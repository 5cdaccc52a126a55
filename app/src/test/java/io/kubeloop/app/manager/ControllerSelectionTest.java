package io.kubeloop.app.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ControllerSelectionTest {

    private static final ControllerDescriptor ENDPOINT = descriptor("endpoints-controller", "endpoint");
    private static final ControllerDescriptor REPLICA_SET = descriptor("replicaset-controller", "replicaset");

    private static ControllerDescriptor descriptor(String name, String alias) {
        return new ControllerDescriptor(name, alias, (context, options) -> {
            throw new AssertionError("not to be started");
        });
    }

    private static ControllerSelection of(String... entries) {
        return new ControllerSelection(List.of(entries));
    }

    @Test
    void isEnabled_star_enablesAll() {
        assertThat(of("*").isEnabled(ENDPOINT)).isTrue();
        assertThat(of("*", "-endpoint").isEnabled(ENDPOINT)).isFalse();
        assertThat(of("*", "-endpoint").isEnabled(REPLICA_SET)).isTrue();
    }

    @Test
    void isEnabled_namedOrNot_decidesWithoutStar() {
        assertThat(of("endpoint").isEnabled(ENDPOINT)).isTrue();
        assertThat(of("endpoint").isEnabled(REPLICA_SET)).isFalse();
        assertThat(of().isEnabled(ENDPOINT)).isFalse();
    }

    @Test
    void isEnabled_firstEntryThatSpeaksOfIt_decides() {
        assertThat(of("-endpoint", "endpoint").isEnabled(ENDPOINT)).isFalse();
        assertThat(of("endpoint", "-endpoint").isEnabled(ENDPOINT)).isTrue();
    }

    @Test
    void isEnabled_newName_isUnderstood() {
        assertThat(of("*", "-endpoints-controller").isEnabled(ENDPOINT)).isFalse();
    }

    @Test
    void unknown_namesNoController_isReported() {
        assertThat(of("*", "-endpoint", "nod", "-x").unknown(List.of(ENDPOINT, REPLICA_SET)))
                .containsExactly("nod", "-x");
    }
}
