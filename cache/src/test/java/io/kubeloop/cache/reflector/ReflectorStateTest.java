/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static io.kubeloop.cache.ReflectorState.BACKING_OFF;
import static io.kubeloop.cache.ReflectorState.FAILED;
import static io.kubeloop.cache.ReflectorState.LISTING;
import static io.kubeloop.cache.ReflectorState.NEW;
import static io.kubeloop.cache.ReflectorState.STOPPED;
import static io.kubeloop.cache.ReflectorState.STREAMING_LIST;
import static io.kubeloop.cache.ReflectorState.WATCHING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.cache.ReflectorState;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReflectorStateTest {

    @Test
    void leadsTo_isTheDrawing() {
        Map<ReflectorState, Set<ReflectorState>> arrows = new EnumMap<>(ReflectorState.class);
        arrows.put(NEW, EnumSet.of(STREAMING_LIST, LISTING, STOPPED, FAILED));
        arrows.put(STREAMING_LIST, EnumSet.of(STREAMING_LIST, LISTING, WATCHING, BACKING_OFF, STOPPED, FAILED));
        arrows.put(LISTING, EnumSet.of(WATCHING, BACKING_OFF, STOPPED, FAILED));
        arrows.put(WATCHING, EnumSet.of(WATCHING, BACKING_OFF, STOPPED, FAILED));
        arrows.put(BACKING_OFF, EnumSet.of(STREAMING_LIST, LISTING, WATCHING, STOPPED, FAILED));
        arrows.put(STOPPED, EnumSet.noneOf(ReflectorState.class));
        arrows.put(FAILED, EnumSet.noneOf(ReflectorState.class));
        for (ReflectorState from : ReflectorState.values()) {
            for (ReflectorState to : ReflectorState.values()) {
                assertThat(from.leadsTo(to))
                        .as("%s to %s", from, to)
                        .isEqualTo(arrows.get(from).contains(to));
            }
        }
    }

    @Test
    void progress_refusesAnArrowThatIsNotThere() {
        Progress progress = new Progress(new ManualScheduler());
        progress.enter(LISTING);
        assertThatThrownBy(() -> progress.enter(STREAMING_LIST))
                .isInstanceOf(AssertionError.class)
                .hasMessage("LISTING does not lead to STREAMING_LIST");
        assertThat(progress.state()).isEqualTo(LISTING);
    }
}
