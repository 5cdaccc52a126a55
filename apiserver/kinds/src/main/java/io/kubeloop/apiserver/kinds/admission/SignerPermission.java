/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Requires the permission for a signer from a user who approves or signs a certificate request, or publishes trust in a
 * signer (upstream: the plug-ins {@code CertificateApproval}, {@code CertificateSigning} and {@code
 * ClusterTrustBundleAttest}). Without it, a user who may update requests could approve a certificate of any user.
 * Immutable; thread-safe.
 */
final class SignerPermission implements AdmissionPlugin {

    private static final String GROUP = "certificates.k8s.io";
    private static final String REQUESTS = "certificatesigningrequests." + GROUP;
    private static final String BUNDLES = "clustertrustbundles." + GROUP;
    private static final List<String> OF_COLLECTOR = List.of("ownerReferences", "finalizers", "managedFields");

    private final Verb verb;
    private final Authorizer authorizer;

    /** An act of a user on a signer: the verb of the permission, and the message without it. */
    enum Verb {
        APPROVE("user not permitted to approve requests with signerName "),
        SIGN("user not permitted to sign requests with signerName "),
        ATTEST("user not permitted to attest for signerName ");

        private final String refusal;

        Verb(String refusal) {
            this.refusal = refusal;
        }
    }

    SignerPermission(Verb verb, Authorizer authorizer) {
        this.verb = verb;
        this.authorizer = authorizer;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        if (!applies(request, object)) {
            return;
        }
        // The signer of a stored request cannot change, and the one of a bundle is checked by the validation.
        JsonObject old = request.old();
        JsonObject named = verb == Verb.ATTEST || old == null ? object : old;
        String signer = named.string("spec", "signerName");
        if (!isAllowed(authorizer, request, verb.name().toLowerCase(Locale.ROOT), signer)) {
            throw request.forbidden(verb.refusal + GoText.quoted(signer));
        }
    }

    private boolean applies(AdmissionRequest request, JsonObject object) {
        String resource = request.store().resource().toString();
        boolean updates = request.operation() == Operation.UPDATE;
        JsonObject old = request.old() == null ? JsonObject.EMPTY : request.old();
        return switch (verb) {
            case APPROVE ->
                updates && resource.equals(REQUESTS) && request.subresource().equals("approval");
            case SIGN ->
                updates
                        && resource.equals(REQUESTS)
                        && request.subresource().equals("status")
                        && (differ(object, old, "certificate") || differ(object, old, "conditions"));
            case ATTEST ->
                resource.equals(BUNDLES)
                        && request.isMain()
                        && (updates || request.operation() == Operation.CREATE)
                        && !object.string("spec", "signerName").isEmpty()
                        && !(updates && withoutOwners(object).equals(withoutOwners(old)));
        };
    }

    private static boolean differ(JsonObject object, JsonObject old, String field) {
        return !Objects.equals(object.get("status", field), old.get("status", field));
    }

    /** The garbage collector changes these fields, and whoever changes nothing else attests nothing. */
    private static JsonObject withoutOwners(JsonObject object) {
        JsonObject metadata = Meta.of(object);
        for (String field : OF_COLLECTOR) {
            metadata = metadata.without(field);
        }
        return object.with("metadata", metadata);
    }

    /** Returns whether the user of a request may do this with a signer, or with all signers of its domain. */
    static boolean isAllowed(Authorizer authorizer, AdmissionRequest request, String verb, String signer) {
        String domain = signer.substring(0, Math.max(0, signer.indexOf('/')));
        return Stream.of(signer, domain + "/*")
                .map(name -> new AccessRequest.Target(GROUP, "signers", "", "", name))
                .anyMatch(target -> authorizer
                        .decide(request.options().user(), AccessRequest.of(verb, target))
                        .allowed());
    }
}
