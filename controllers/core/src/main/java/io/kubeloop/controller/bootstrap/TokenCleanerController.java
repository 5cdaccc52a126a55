/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Secret;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes bootstrap tokens when they expire (upstream: {@code bootstrap.TokenCleaner}).
 *
 * <p>Upstream logs a failed deletion and waits for the next event. Here the deletion is repeated with backoff.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class TokenCleanerController implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's worker. They share the queue.

    private static final String NAME = "tokencleaner";
    private static final String ACCOUNT = "token-cleaner";

    private static final Logger LOG = LoggerFactory.getLogger(TokenCleanerController.class);

    private final ControllerLoop<ObjectName> loop;

    private TokenCleanerController(ControllerContext context) {
        SharedInformer<Secret> informer = context.informers().informer(ResourceTypes.SECRETS);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("token_cleaner"));
        Sync sync = new Sync(
                informer.lister(),
                context.clients().apply(ACCOUNT).resource(ResourceTypes.SECRETS),
                queue,
                context.clock());
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::sync,
                List.of(informer.addHandler(BootstrapToken.keysOfTokens(queue::add))),
                context.threads());
    }

    /** Creates the controller ({@code tokencleaner}), registered with its informer and not started. */
    public static TokenCleanerController of(ControllerContext context) {
        return new TokenCleanerController(context);
    }

    /** Starts one worker and ignores the given number, as upstream does. */
    @Override
    public void start(int workers) {
        loop.start(1);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }

    /** Deletes a token that has expired. Blocks until the server responds. Thread-safe, as its parts are. */
    record Sync(Lister<Secret> secrets, ResourceClient<Secret> client, DelayingQueue<ObjectName> queue, Clock clock) {

        void sync(ObjectName name) {
            Secret secret = secrets.get(name);
            if (secret == null || !BootstrapToken.isToken(secret)) {
                return;
            }
            Instant expiration = BootstrapToken.expiration(secret);
            Instant now = clock.instant();
            if (!expiration.isAfter(now)) {
                LOG.info("Deleting secret {}, because its token has expired", name);
                delete(secret);
            } else if (expiration.isBefore(Instant.MAX)) {
                queue.addAfter(name, Duration.between(now, expiration));
            }
        }

        private void delete(Secret secret) {
            try {
                client.delete(
                        secret.objectName(),
                        new DeleteOptions(null, null, secret.metadata().uid(), null));
            } catch (ApiException e) {
                // A conflict means that another secret has the name; an event about it follows.
                if (!e.isNotFound() && !e.isConflict()) {
                    throw e;
                }
            }
        }
    }
}
