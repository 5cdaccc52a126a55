package io.kubeloop.controller.certificates;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;
import io.kubeloop.api.certificates.CertificateSigningRequestSpec;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Signs approved requests for the signers of Kubernetes, and marks those that a signer rejects as failed (upstream: {@code
 * CSRSigningController}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class CertificateSigningController implements Controller {

    // Threads: one loop per signer, each with its own queue and workers. They share nothing that changes.

    static final String ACCOUNT = "certificate-controller";

    private static final String NAME = "csrsigning";

    private final List<ControllerLoop<?>> loops = new ArrayList<>();

    private CertificateSigningController(ControllerContext context, SigningConfig config) {
        Sync sync = new Sync(
                context.clients().apply(ACCOUNT).resource(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS),
                context.clock(),
                config.maxLifetime());
        config.authorities()
                .forEach((signer, authority) -> loops.add(RequestLoop.create(
                        signer.loopName(), context, request -> sync.handle(request, signer, authority.get()))));
    }

    /** Creates the controller ({@code csrsigning}), registered with its informer and not started. */
    public static CertificateSigningController of(ControllerContext context, SigningConfig config) {
        return new CertificateSigningController(context, config);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Starts this number of workers for each signer. */
    @Override
    public void start(int workers) {
        loops.forEach(loop -> loop.start(workers));
    }

    @Override
    public void shutDown() {
        loops.forEach(Controller::shutDown);
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean ended = true;
        for (ControllerLoop<?> loop : loops) {
            ended &= loop.awaitTermination(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
        return ended;
    }

    /** Signs a request. Blocks until the server responds. Thread-safe, as its parts are. */
    record Sync(ResourceClient<CertificateSigningRequest> client, Clock clock, Duration maxLifetime) {

        void handle(CertificateSigningRequest request, BuiltInSigner signer, CertificateAuthority authority) {
            CertificateSigningRequestSpec spec = request.spec();
            if (!spec.signerName().equals(signer.signerName()) || !Approval.isToBeSigned(request)) {
                return;
            }
            CertificateRequest parsed = CertificateRequest.parse(PemText.ofBase64(spec.request()));
            Instant now = clock.instant();
            String rejection = signer.rejection(parsed, spec.usages());
            if (!rejection.isEmpty()) {
                client.updateStatus(request.withStatus(request.status()
                        .plus(CertificateSigningRequestCondition.of(
                                Approval.FAILED, "SignerValidationFailure", rejection, new Time(now)))));
                return;
            }
            Duration granted = Lifetime.granted(spec.expirationSeconds(), maxLifetime);
            byte[] certificate = authority.issue(parsed, spec.usages(), granted, now);
            client.updateStatus(request.withStatus(
                    request.status().withCertificate(Base64.getEncoder().encodeToString(certificate))));
        }
    }
}
