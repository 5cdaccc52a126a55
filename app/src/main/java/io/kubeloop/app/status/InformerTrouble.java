package io.kubeloop.app.status;

import io.kubeloop.cache.InformerHealth;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in one line which informers are in trouble, with their last error, and since when. */
public final class InformerTrouble {

    private InformerTrouble() {}

    /** Returns those that have not filled their cache; empty if there are none. */
    public static String notSynced(List<InformerHealth> informers) {
        return named(informers, health -> !health.synced());
    }

    /** Returns those that have, and are not heard from since a list or watch failed: their caches grow old. */
    public static String failing(List<InformerHealth> informers) {
        return named(
                informers,
                health -> health.synced() && !Pipeline.currentError(health).isEmpty());
    }

    private static String named(List<InformerHealth> informers, Predicate<InformerHealth> which) {
        return informers.stream()
                .filter(which)
                .map(health -> health.name() + " (" + why(health) + ")")
                .collect(Collectors.joining(", "));
    }

    private static String why(InformerHealth health) {
        String error = Pipeline.currentError(health);
        if (error.isEmpty()) {
            return health.state() + (health.since() == null ? "" : " since " + seconds(health.since()))
                    + ", no error so far";
        }
        String heard = health.lastEventAt() == null ? "never heard" : "last heard at " + seconds(health.lastEventAt());
        return error + "; failed at " + seconds(health.lastErrorAt()) + ", " + heard;
    }

    private static String seconds(@Nullable Instant time) {
        return time == null ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
