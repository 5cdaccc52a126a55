/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaderRunTest {

    private final List<String> calls = new ArrayList<>();

    private LeaderRun term(LeaderRun.Work work) {
        return new LeaderRun(work, () -> calls.add("given up"), calls::add, () -> calls.add("ended"));
    }

    @Test
    void requestEnd_beforeTheWorkHasBegun_givesUpAtOnce() {
        term(() -> calls.add("worked")).requestEnd();
        assertThat(calls).containsExactly("given up");
    }

    @Test
    void requestEnd_whileWorking_leavesGivingUpToTheEndOfTheWork() throws InterruptedException {
        LeaderRun[] term = new LeaderRun[1];
        term[0] = term(() -> {
            term[0].requestEnd();
            calls.add("work ended");
        });
        term[0].onStartedLeading();
        assertThat(calls).containsExactly("work ended", "given up");
    }

    @Test
    void work_thatFails_givesUpAndIsRemembered() throws InterruptedException {
        LeaderRun term = term(() -> {
            throw new IllegalStateException("no informers today");
        });
        term.onStartedLeading();
        assertThat(calls).containsExactly("given up");
        assertThatThrownBy(term::rethrow).hasMessage("no informers today");
    }

    @Test
    void work_thatEndsWithAnError_givesUpAndIsRemembered() throws InterruptedException {
        LeaderRun term = term(() -> {
            throw new NoClassDefFoundError("no files left to load it from");
        });
        term.onStartedLeading();
        assertThat(calls).containsExactly("given up");
        assertThatThrownBy(term::rethrow)
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessageContaining("no files left");
    }

    @Test
    void work_thatIsInterrupted_givesUpWithoutFailure() {
        LeaderRun term = term(() -> {
            throw new InterruptedException();
        });
        assertThatThrownBy(term::onStartedLeading).isInstanceOf(InterruptedException.class);
        assertThat(calls).containsExactly("given up");
        assertThatCode(term::rethrow).doesNotThrowAnyException();
    }

    @Test
    void callbacks_arePassedOn() {
        LeaderRun term = term(() -> {});
        term.onNewLeader("other-host_1");
        term.onNewLeader("");
        term.onStoppedLeading();
        assertThat(calls).containsExactly("other-host_1", "", "ended");
    }
}
