/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.PeriodicController;
import io.kubeloop.controller.SingleLoopController;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes certificate requests that are no longer needed, in a round every hour (upstream: {@code
 * CSRCleanerController}). {@link RequestAge} decides which.
 *
 * <p>The first round begins when the cache is filled; upstream's first round may find an empty cache. A deletion names
 * the UID and the version that the decision follows from; upstream could delete a newer request of the same name.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class CertificateCleanerController implements SingleLoopController {

    // Threads: the loop's only worker runs the rounds. The handler does nothing; it lets the loop wait for the cache.

    private static final String NAME = "csrcleaner";
    private static final Duration PERIOD = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(CertificateCleanerController.class);

    private final PeriodicController rounds;

    private CertificateCleanerController(ControllerContext context) {
        SharedInformer<CertificateSigningRequest> informer =
                context.informers().informer(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS);
        Round round = new Round(
                informer.lister(),
                context.clients()
                        .apply(CertificateSigningController.ACCOUNT)
                        .resource(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS),
                context.clock());
        rounds = new PeriodicController(
                NAME,
                context.queues().apply(NAME),
                PERIOD,
                round::deleteOldRequests,
                List.of(informer),
                context.threads());
    }

    /** Creates the controller ({@code csrcleaner}), registered with its informer and not started. */
    public static CertificateCleanerController of(ControllerContext context) {
        return new CertificateCleanerController(context);
    }

    @Override
    public void start(int workers) {
        rounds.start(workers);
    }

    @Override
    public ControllerLoop<?> loop() {
        return rounds.loop();
    }

    /** Deletes old requests. Blocks until the server responds. Thread-safe, as its parts are. */
    record Round(
            Lister<CertificateSigningRequest> requests, ResourceClient<CertificateSigningRequest> client, Clock clock) {

        void deleteOldRequests() {
            for (CertificateSigningRequest request : requests.list()) {
                String reason = RequestAge.reasonToDelete(request, clock.instant());
                if (!reason.isEmpty()) {
                    LOG.info("Deleting request {}: {}", request.metadata().name(), reason);
                    delete(request);
                }
            }
        }

        private void delete(CertificateSigningRequest request) {
            try {
                ObjectMeta metadata = request.metadata();
                client.delete(
                        request.objectName(),
                        new DeleteOptions(null, null, metadata.uid(), metadata.resourceVersion()));
            } catch (RuntimeException e) {
                // The other requests do not depend on this one, which the next round tries again.
                LOG.warn(
                        "Cannot delete request {}, trying again in an hour: {}",
                        request.metadata().name(),
                        e.toString());
            }
        }
    }
}
