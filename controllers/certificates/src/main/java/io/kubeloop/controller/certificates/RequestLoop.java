/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes each request without a certificate to a handler whenever it changes (upstream: {@code CertificateController}).
 * Stateless.
 *
 * <p>Upstream calls the queue of every loop {@code certificate}. Here each has the name of its loop, so metrics
 * tell them apart.
 */
final class RequestLoop {

    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LAST_RETRY = Duration.ofSeconds(1000);
    private static final double RETRIES_PER_SECOND = 10;
    private static final int RETRIES_AT_ONCE = 100;

    private RequestLoop() {}

    /** Returns a loop that is registered with the informer and not started. */
    static ControllerLoop<ObjectName> create(
            String name, ControllerContext context, Consumer<CertificateSigningRequest> handler) {
        SharedInformer<CertificateSigningRequest> informer =
                context.informers().informer(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS);
        Lister<CertificateSigningRequest> requests = informer.lister();
        WorkQueueConfig config = context.queues().apply(name);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(
                config,
                RateLimiters.maxOf(
                        RateLimiters.exponential(FIRST_RETRY, LAST_RETRY),
                        RateLimiters.bucket(RETRIES_PER_SECOND, RETRIES_AT_ONCE, config.scheduler())));
        return new ControllerLoop<>(
                name,
                queue,
                key -> {
                    CertificateSigningRequest request = requests.get(key);
                    if (request != null && request.status().certificate().isEmpty()) {
                        handler.accept(request);
                    }
                },
                List.of(informer.addHandler(ResourceEventHandler.forKeys(name, queue::add))),
                context.threads());
    }
}
