/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.PeriodicController;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.discovery.ServedResources;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes PodCertificateRequests 15 minutes after their creation, in a round every 5 minutes (upstream: {@code
 * PCRCleanerController}). A kubelet has its certificate long before.
 *
 * <p>The first round begins when the cache is filled. Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class PodCertificateCleanerController implements SingleLoopController {

    private static final ResourceType<GenericObject> REQUESTS = ResourceTypes.generic(
            "certificates.k8s.io",
            "v1",
            "podcertificaterequests",
            "PodCertificateRequest",
            ResourceType.Scope.NAMESPACED);

    private static final String NAME = "podcertificaterequestcleaner";
    private static final Duration PERIOD = Duration.ofMinutes(5);
    private static final Duration AGE = Duration.ofMinutes(15);

    private static final Logger LOG = LoggerFactory.getLogger(PodCertificateCleanerController.class);

    private final PeriodicController rounds;

    private PodCertificateCleanerController(ControllerContext context) {
        SharedInformer<GenericObject> informer = context.informers().informer(REQUESTS);
        Round round = new Round(informer.lister(), context.clients().apply(NAME).resource(REQUESTS), context.clock());
        rounds = new PeriodicController(
                NAME,
                context.queues().apply(NAME),
                PERIOD,
                round::deleteOldRequests,
                List.of(informer),
                context.threads());
    }

    /**
     * Creates the controller ({@code podcertificaterequest-cleaner-controller}), registered with its informers and not
     * started.
     */
    public static PodCertificateCleanerController of(ControllerContext context) {
        return new PodCertificateCleanerController(context);
    }

    /**
     * Creates the controller as {@link #of} does, if the server has its resource. Blocks for a request.
     *
     * @return null if the server is older than Kubernetes 1.37
     */
    public static @Nullable PodCertificateCleanerController ifServed(ControllerContext context) {
        return ServedResources.isServed(context.clients().apply(NAME).transport(), REQUESTS) ? of(context) : null;
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
    private record Round(Lister<GenericObject> requests, ResourceClient<GenericObject> client, Clock clock) {

        void deleteOldRequests() {
            requests.list().stream()
                    .filter(request -> isOld(request.metadata()))
                    .forEach(this::delete);
        }

        private boolean isOld(ObjectMeta metadata) {
            Time creation = metadata.creationTimestamp();
            return creation != null
                    && !clock.instant().isBefore(creation.instant().plus(AGE));
        }

        private void delete(GenericObject request) {
            try {
                client.delete(
                        request.objectName(),
                        new DeleteOptions(null, null, request.metadata().uid(), null));
            } catch (RuntimeException e) {
                if (!(e instanceof ApiException gone) || !gone.isNotFound()) {
                    // The other requests do not depend on this one, which the next round tries again.
                    LOG.warn(
                            "Cannot delete the pod certificate request {}, trying again in 5 minutes: {}",
                            request.objectName(),
                            e.toString());
                }
            }
        }
    }
}
