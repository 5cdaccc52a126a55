/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.List;
import java.util.function.Consumer;

/** Rules of the certificates in a projected volume. */
final class ProjectedCertificateRules {

    private static final int MIN_SECONDS = 60 * 60;
    private static final List<String> KEY_TYPES =
            List.of("RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519");
    private static final List<String> PATHS = List.of("credentialBundlePath", "keyPath", "certificateChainPath");

    private ProjectedCertificateRules() {}

    /** Validates a trust bundle; the consumer validates its path. */
    static void bundle(FieldCursor bundle, Consumer<FieldCursor> path) {
        FieldCursor name = bundle.at("name");
        FieldCursor signer = bundle.at("signerName");
        FieldCursor selector = bundle.at("labelSelector");
        if (name.isSet() && signer.isSet()) {
            bundle.invalid("only one of name and signerName may be used");
        } else if (name.isSet()) {
            name.require("must be a valid object name");
            SignerRules.bundleReference(name);
            if (selector.isSet()) {
                selector.invalid("labelSelector must be unset if name is specified");
            }
        } else if (signer.isSet()) {
            signer.require("must be a valid signer name");
            SignerRules.signer(signer);
            SelectorRules.selector(selector);
        } else {
            bundle.required("either name or signerName must be specified");
        }
        bundle.at("path").require();
        path.accept(bundle.at("path"));
    }

    /** Validates a certificate of the pod; the consumer validates each of its paths. */
    static void podCertificate(FieldCursor certificate, Consumer<FieldCursor> path) {
        FieldCursor signer = certificate.at("signerName");
        SignerRules.signer(signer);
        SignerRules.annotations(certificate.at("userAnnotations"));
        certificate.at("keyType").oneOf(KEY_TYPES);
        certificate.at("maxExpirationSeconds").ifSet(seconds -> {
            if (seconds.number() < MIN_SECONDS) {
                seconds.invalid("if provided, maxExpirationSeconds must be >= " + MIN_SECONDS);
            }
            int most = SignerRules.maxExpirationSeconds(signer);
            if (seconds.number() > most) {
                seconds.invalid("if provided, maxExpirationSeconds must be <= " + most);
            }
        });
        List<FieldCursor> paths = PATHS.stream()
                .map(certificate::at)
                .filter(some -> !some.isEmpty())
                .toList();
        paths.forEach(path);
        if (paths.isEmpty()) {
            certificate.required("specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
        }
    }
}
