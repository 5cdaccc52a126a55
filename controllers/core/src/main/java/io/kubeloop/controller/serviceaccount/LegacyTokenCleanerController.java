/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.PeriodicController;
import io.kubeloop.controller.SingleLoopController;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Removes unused token secrets that releases before 1.24 made for each account, in a round every day (upstream: {@code
 * LegacySATokenCleaner}). A failed round is repeated with backoff.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class LegacyTokenCleanerController implements SingleLoopController {

    // Threads: the loop's only worker runs the rounds. The handlers do nothing; they let the loop wait for the caches.

    private static final String NAME = "legacy-service-account-token-cleaner";
    private static final Duration INTERVAL = Duration.ofDays(1);

    private final PeriodicController rounds;

    private LegacyTokenCleanerController(ControllerContext context, Duration period) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("the clean-up period must be positive, got " + period);
        }
        SharedInformer<ServiceAccount> accounts = context.informers().informer(ResourceTypes.SERVICE_ACCOUNTS);
        SharedInformer<Secret> secrets = context.informers().informer(ResourceTypes.SECRETS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        Clock clock = context.clock();
        LegacyTokenRound round = new LegacyTokenRound(
                accounts.lister(),
                secrets.lister(),
                pods.lister(),
                context.clients().apply(NAME),
                period);
        rounds = new PeriodicController(
                NAME,
                context.queues().apply(NAME),
                INTERVAL,
                () -> round.run(clock.instant()),
                List.of(accounts, secrets, pods),
                context.threads());
    }

    /**
     * Creates the controller ({@code legacy-service-account-token-cleaner}), registered with its informers and not
     * started.
     *
     * @param period the time without a use after which a token is marked as invalid, and then the time after which it
     *     is deleted; by default 8760 h
     * @throws IllegalArgumentException if the period is not positive
     */
    public static LegacyTokenCleanerController of(ControllerContext context, Duration period) {
        return new LegacyTokenCleanerController(context, period);
    }

    @Override
    public void start(int workers) {
        rounds.start(workers);
    }

    @Override
    public ControllerLoop<?> loop() {
        return rounds.loop();
    }
}
