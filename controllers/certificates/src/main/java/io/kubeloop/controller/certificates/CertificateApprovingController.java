/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;
import io.kubeloop.api.certificates.CertificateSigningRequestSpec;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.SingleLoopController;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Approves the client certificates of kubelets whose users may have them (upstream: {@code approver.sarApprover}).
 *
 * <p>The API server decides, by a {@code SubjectAccessReview} for a virtual subresource: {@code selfnodeclient} if the
 * user renews its own certificate, else {@code nodeclient}. All other requests wait for an approval by another client.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class CertificateApprovingController implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's workers. They share the queue.

    private static final String NAME = "csrapproving";

    private static final ResourceType<GenericObject> REVIEWS = ResourceTypes.generic(
            "authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview", ResourceType.Scope.CLUSTER);

    private final ControllerLoop<?> loop;

    private CertificateApprovingController(ControllerContext context) {
        Sync sync = Sync.of(context.clients().apply(CertificateSigningController.ACCOUNT));
        loop = RequestLoop.create(NAME, context, sync::handle);
    }

    /** Creates the controller ({@code csrapproving}), registered with its informer and not started. */
    public static CertificateApprovingController of(ControllerContext context) {
        return new CertificateApprovingController(context);
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }

    /** Approves a request. Blocks until the server responds. Thread-safe, as its parts are. */
    record Sync(ResourceClient<CertificateSigningRequest> requests, ResourceClient<GenericObject> reviews) {

        static Sync of(KubeClient client) {
            return new Sync(client.resource(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS), client.resource(REVIEWS));
        }

        void handle(CertificateSigningRequest request) {
            if (Approval.has(request, Approval.APPROVED) || Approval.has(request, Approval.DENIED)) {
                return;
            }
            CertificateSigningRequestSpec spec = request.spec();
            CertificateRequest parsed = CertificateRequest.parseBase64(spec.request());
            if (!spec.signerName().equals(BuiltInSigner.KUBELET_CLIENT.signerName())
                    || !BuiltInSigner.KUBELET_CLIENT
                            .rejection(parsed, spec.usages())
                            .isEmpty()) {
                return;
            }
            List<String> tried = new ArrayList<>();
            if (spec.username().equals(parsed.commonName())) {
                tried.add("selfnodeclient");
                if (isAllowed(spec, "selfnodeclient")) {
                    approve(request, "Auto approving self kubelet client certificate after SubjectAccessReview.");
                    return;
                }
            }
            tried.add("nodeclient");
            if (!isAllowed(spec, "nodeclient")) {
                throw new IncompleteSyncException(
                        "recognized csr \"" + request.metadata().name() + "\" as [" + String.join(" ", tried)
                                + "] but subject access review was not approved");
            }
            approve(request, "Auto approving kubelet client certificate after SubjectAccessReview.");
        }

        private void approve(CertificateSigningRequest request, String message) {
            // The server sets the time.
            requests.updateSubresource(
                    request.withStatus(request.status()
                            .plus(CertificateSigningRequestCondition.of(
                                    Approval.APPROVED, "AutoApproved", message, null))),
                    "approval");
        }

        private boolean isAllowed(CertificateSigningRequestSpec spec, String subresource) {
            Map<String, @Nullable Object> question = new LinkedHashMap<>();
            question.put("user", spec.username());
            question.put("uid", spec.uid());
            question.put("groups", spec.groups());
            question.put("extra", extra(spec));
            question.put(
                    "resourceAttributes",
                    Map.of(
                            "group", "certificates.k8s.io",
                            "version", "*",
                            "resource", "certificatesigningrequests",
                            "subresource", subresource,
                            "verb", "create"));
            GenericObject review = GenericObject.of("authorization.k8s.io/v1", "SubjectAccessReview", ObjectMeta.EMPTY)
                    .with(List.of("spec"), question);
            return reviews.create(review).bool("status", "allowed");
        }

        /** Returns the further attributes of the user, which have no component in the record. */
        private static Map<String, @Nullable Object> extra(CertificateSigningRequestSpec spec) {
            return new GenericObject("", "", ObjectMeta.EMPTY, spec.unknownFields()).map("extra");
        }
    }
}
