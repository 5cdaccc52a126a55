/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ReflectorState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InformerErrorsTest {

    private static final Instant NINE = Instant.parse("2026-01-01T09:00:00.123456Z");
    private static final Instant TEN = Instant.parse("2026-01-01T10:00:00.654321Z");

    private static final InformerHealth WELL = health("nodes", ReflectorState.WATCHING, true, NINE, null, null);
    private static final InformerHealth RECOVERED =
            health("services", ReflectorState.WATCHING, true, TEN, NINE, "connection refused");
    private static final InformerHealth OLD =
            health("pods", ReflectorState.BACKING_OFF, true, NINE, TEN, "connection refused");
    private static final InformerHealth NEVER =
            health("endpoints", ReflectorState.BACKING_OFF, false, null, TEN, "connection refused");
    private static final InformerHealth SLOW = health("leases", ReflectorState.LISTING, false, null, null, null);

    private static final List<InformerHealth> ALL = List.of(WELL, RECOVERED, OLD, NEVER, SLOW);

    private static InformerHealth health(
            String name,
            ReflectorState state,
            boolean synced,
            @Nullable Instant lastEventAt,
            @Nullable Instant lastErrorAt,
            @Nullable String error) {
        Throwable lastError = error == null ? null : new IllegalStateException(error);
        return new InformerHealth(
                name, state, NINE, synced, "7", "7", lastEventAt, lastError, lastErrorAt, "", 1, 1, 1, 0, 0, List.of());
    }

    @Test
    void notSynced_namesEmptyCaches_withErrorAndTime() {
        assertThat(InformerErrors.notSynced(ALL))
                .isEqualTo("endpoints (java.lang.IllegalStateException: connection refused;"
                        + " failed at 2026-01-01T10:00:00Z, nothing received so far),"
                        + " leases (LISTING since 2026-01-01T09:00:00Z, no error so far)");
    }

    @Test
    void failing_namesFilledCachesThatGrowOld_withErrorAndTime() {
        assertThat(InformerErrors.failing(ALL))
                .isEqualTo("pods (java.lang.IllegalStateException: connection refused;"
                        + " failed at 2026-01-01T10:00:00Z, last received something at 2026-01-01T09:00:00Z)");
    }

    @Test
    void informersThatAreWell_areNotNamed() {
        List<InformerHealth> well = List.of(WELL, RECOVERED);
        assertThat(InformerErrors.notSynced(well)).isEmpty();
        assertThat(InformerErrors.failing(well)).isEmpty();
    }
}
