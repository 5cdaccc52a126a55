/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;

/**
 * Requires the permission for a signer from a user who answers the certificate request of a pod, and that a certificate
 * begins now.
 *
 * <p>Upstream does this in the strategy of the status, after all else is valid; no flag disables it. Thread-safe.
 */
public final class PodCertificateSigning implements AdmissionPlugin {

    private static final Duration SKEW = Duration.ofMinutes(5);

    private final ApiBackend backend;
    private final Authorizer authorizer;

    /** Creates the check for a server. */
    public PodCertificateSigning(ApiBackend backend, Authorizer authorizer) {
        this.backend = backend;
        this.authorizer = authorizer;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        JsonObject old = request.old();
        boolean applies = request.operation() == Operation.UPDATE
                && request.subresource().equals("status")
                && request.store().resource().toString().equals("podcertificaterequests.certificates.k8s.io");
        if (!applies || old == null || object.object("status").equals(old.object("status"))) {
            return;
        }
        FieldErrors errors = new FieldErrors();
        String from = object.string("status", "notBefore");
        String signer = old.string("spec", "signerName");
        if (!from.isEmpty() && !isNow(Instant.parse(from))) {
            errors.invalid(
                    "status.notBefore", from, "must be set to within 5 minutes of kube-apiserver's current time");
        } else if (!SignerPermission.isAllowed(authorizer, request, "sign", signer)) {
            errors.forbidden(
                    "spec.signerName",
                    "User " + GoText.quoted(request.options().user().name())
                            + " is not permitted to \"sign\" for signer " + GoText.quoted(signer));
        }
        if (!errors.isEmpty()) {
            throw StatusException.invalid(
                    request.resource().group(), request.resource().kind(), request.name(), errors);
        }
    }

    private boolean isNow(Instant time) {
        Instant now = Instant.parse(backend.now().toString());
        return time.isAfter(now.minus(SKEW)) && time.isBefore(now.plus(SKEW));
    }
}
