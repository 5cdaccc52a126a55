/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.cache.InformerHealth;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the failing informers in one line, with the last errors and their times. Holds no state. */
public final class InformerErrors {

    private InformerErrors() {}

    /** Returns the informers whose caches are not synced; empty if there are none. */
    public static String notSynced(List<InformerHealth> informers) {
        return named(informers, health -> !health.synced());
    }

    /**
     * Returns the synced informers that received nothing since a failed list or watch, so their caches are stale.
     */
    public static String failing(List<InformerHealth> informers) {
        return named(
                informers, health -> health.synced() && !currentError(health).isEmpty());
    }

    private static String named(List<InformerHealth> informers, Predicate<InformerHealth> which) {
        return informers.stream()
                .filter(which)
                .map(health -> health.name() + " (" + why(health) + ")")
                .collect(Collectors.joining(", "));
    }

    private static String why(InformerHealth health) {
        String error = currentError(health);
        if (error.isEmpty()) {
            return health.state() + (health.since() == null ? "" : " since " + seconds(health.since()))
                    + ", no error so far";
        }
        String heard = health.lastEventAt() == null
                ? "nothing received so far"
                : "last received something at " + seconds(health.lastEventAt());
        return error + "; failed at " + seconds(health.lastErrorAt()) + ", " + heard;
    }

    /** Returns the last error with its remedy; empty if the server has sent something since the error. */
    public static String currentError(InformerHealth health) {
        Throwable error = health.lastError();
        if (error == null || health.lastErrorAt() == null) {
            return "";
        }
        boolean over = health.lastEventAt() != null && health.lastEventAt().isAfter(health.lastErrorAt());
        if (over) {
            return "";
        }
        String text = error instanceof ApiException refused ? String.valueOf(refused.getMessage()) : error.toString();
        return health.errorHint().isEmpty() ? text : text + "; " + health.errorHint();
    }

    private static String seconds(@Nullable Instant time) {
        return time == null ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
