package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest {

    private static final Duration ENOUGH = Duration.ofMinutes(2);

    private final ShutdownSignal signal = ShutdownSignal.inert();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void run_goesThroughToTheEnd_asOftenAsItIsAskedTo(boolean protobuf) throws InterruptedException {
        Rehearsal rehearsal = new Rehearsal(signal, ENOUGH, protobuf);

        assertThat(rehearsal.run()).isTrue();
        assertThat(rehearsal.run())
                .as("the first one has left nothing behind that a second one would stumble over")
                .isTrue();
    }

    @Test
    void run_whenTheEndIsAskedFor_breaksOff() throws InterruptedException {
        signal.ask();

        assertThat(new Rehearsal(signal, ENOUGH, true).run()).isFalse();
    }

    @Test
    void run_whenItsTimeIsUp_breaksOff() throws InterruptedException {
        assertThat(new Rehearsal(signal, Duration.ZERO, true).run()).isFalse();
    }

    @Test
    void run_inAnInterruptedThread_saysSo() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> new Rehearsal(signal, ENOUGH, true).run()).isInstanceOf(InterruptedException.class);
    }
}
