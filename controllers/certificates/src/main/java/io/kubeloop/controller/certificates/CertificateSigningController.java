/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;
import io.kubeloop.api.certificates.CertificateSigningRequestSpec;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * Signs approved requests for the signers of Kubernetes, and marks those that a signer rejects as failed (upstream:
 * {@code CSRSigningController}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class CertificateSigningController implements CompositeController {

    // Threads: one loop per signer, each with its own queue and workers. They share nothing that changes.

    static final String ACCOUNT = "certificate-controller";

    private static final String NAME = "csrsigning";

    private final ControllerGroup loops;

    private CertificateSigningController(ControllerContext context, SigningConfig config) {
        Sync sync = new Sync(
                context.clients().apply(ACCOUNT).resource(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS),
                context.clock(),
                config.maxLifetime());
        ControllerGroup group = ControllerGroup.named(NAME);
        for (var authority : config.authorities().entrySet()) {
            BuiltInSigner signer = authority.getKey();
            group = group.with(RequestLoop.create(
                    signer.loopName(),
                    context,
                    request -> sync.handle(request, signer, authority.getValue().get())));
        }
        loops = group;
    }

    /** Creates the controller ({@code csrsigning}), registered with its informer and not started. */
    public static CertificateSigningController of(ControllerContext context, SigningConfig config) {
        return new CertificateSigningController(context, config);
    }

    /** Returns a loop for each signer, with the same number of workers. */
    @Override
    public ControllerGroup loops() {
        return loops;
    }

    /** Signs a request. Blocks until the server responds. Thread-safe, as its parts are. */
    record Sync(ResourceClient<CertificateSigningRequest> client, Clock clock, Duration maxLifetime) {

        void handle(CertificateSigningRequest request, BuiltInSigner signer, CertificateAuthority authority) {
            CertificateSigningRequestSpec spec = request.spec();
            if (!spec.signerName().equals(signer.signerName()) || !Approval.isToBeSigned(request)) {
                return;
            }
            CertificateRequest parsed = CertificateRequest.parseBase64(spec.request());
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
