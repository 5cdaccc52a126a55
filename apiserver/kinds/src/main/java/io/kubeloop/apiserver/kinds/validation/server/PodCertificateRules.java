/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.GoDuration;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.Base64Text;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SignerRules;
import io.kubeloop.apiserver.kinds.validation.workload.DisruptionRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.encoding.Pem;
import io.kubeloop.json.tree.JsonString;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Validation of the certificate requests of pods (upstream: {@code pkg/apis/certificates/validation}). */
public final class PodCertificateRules {

    private static final int HOUR = 60 * 60;
    private static final int MAX_UID = 128;
    private static final int MAX_REQUEST = 10 * 1024;
    private static final int MAX_CHAIN = 100 * 1024;
    private static final Duration MARGIN = Duration.ofMinutes(10);
    private static final Set<Integer> CURVES = Set.of(256, 384, 521);
    private static final Set<Integer> MODULI = Set.of(3072, 4096);
    private static final String CERTIFICATE = "CERTIFICATE";

    /** The conditions that end a request. */
    private static final List<String> ENDS = List.of("Issued", "Denied", "Failed");

    private PodCertificateRules() {}

    /** Validates a new request. */
    public static void request(FieldCursor request) {
        FieldCursor spec = request.at("spec");
        SignerRules.signer(spec.at("signerName"));
        SignerRules.annotations(spec.at("unverifiedUserAnnotations"));
        spec.at("podName").follows(NameValidation::dns1123Subdomain);
        uid(spec.at("podUID"));
        spec.at("serviceAccountName").follows(NameValidation::dns1123Subdomain);
        uid(spec.at("serviceAccountUID"));
        spec.at("nodeName").follows(NameValidation::dns1123Subdomain);
        uid(spec.at("nodeUID"));
        FieldCursor seconds = spec.at("maxExpirationSeconds");
        int most = SignerRules.maxExpirationSeconds(spec.at("signerName"));
        if (seconds.number() < HOUR || seconds.number() > most) {
            seconds.invalid("must be in the range [" + HOUR + ", " + most + "]");
        }
        FieldCursor stub = spec.at("stubPKCS10Request");
        if (stub.isEmpty()) {
            omitted(spec, "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set");
        } else {
            stub(stub);
        }
    }

    private static void uid(FieldCursor uid) {
        if (uid.isEmpty()) {
            uid.holdingText().invalid("must not be empty");
        }
        if (uid.text().length() > MAX_UID) {
            uid.errors().tooLong(uid.path(), MAX_UID);
        }
    }

    private static void stub(FieldCursor stub) {
        byte[] request = Base64Text.decode(stub.text());
        if (request.length > MAX_REQUEST) {
            stub.errors().tooLong(stub.path(), MAX_REQUEST);
            return;
        }
        PublicKey key = PemRequest.key(request);
        if (key == null) {
            omitted(stub, "must be a valid PKCS#10 CSR");
        } else if (key instanceof ECPublicKey curve && !CURVES.contains(bits(curve))) {
            stub.holding(new JsonString("curve P-" + bits(curve)))
                    .invalid("elliptic public keys must use curve P256, P384, or P521");
        } else if (key instanceof RSAPublicKey modulus && !MODULI.contains(bits(modulus))) {
            stub.holding(new JsonString(bits(modulus) + "-bit modulus"))
                    .invalid("RSA keys must have modulus size 3072 or 4096");
        } else if (!PemRequest.isSigned(request)) {
            omitted(stub, "invalid signature");
        }
    }

    private static int bits(ECPublicKey key) {
        return key.getParams().getCurve().getField().getFieldSize();
    }

    private static int bits(RSAPublicKey key) {
        return (key.getModulus().bitLength() + 7) / 8 * 8;
    }

    private static void omitted(FieldCursor field, String detail) {
        field.errors().invalidWithoutValue(field.path(), detail);
    }

    /** Validates a change of a request or of its status. */
    public static void update(FieldCursor request, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            if (request.errors().isEmpty() && conditions(request.at("status", "conditions"))) {
                status(request, old);
            }
        } else if (!request.at("spec").isSameAs(old.at("spec"))) {
            InternalForm.shown("certificates.v1.PodCertificateRequestSpec", request.at("spec"))
                    .invalid("field is immutable");
        }
    }

    /** Validates the conditions; returns whether they are valid. */
    private static boolean conditions(FieldCursor conditions) {
        int ends = 0;
        for (FieldCursor condition : conditions.items()) {
            // Upstream names the index as a field.
            String path = conditions.path() + "."
                    + condition.path().substring(conditions.path().length());
            FieldCursor type = condition.at("type").holdingText().named(path + ".type");
            if (!ENDS.contains(type.text())) {
                type.errors().notSupported(type.path(), new JsonString(type.text()), ENDS);
                continue;
            }
            ends++;
            if (ends > 1) {
                type.invalid("There may be at most one condition with type \"Issued\", \"Denied\", or \"Failed\"");
            }
            condition.at("status").holdingText().named(path + ".status").oneOf(List.of("True"));
        }
        DisruptionRules.conditions(conditions);
        return conditions.errors().isEmpty();
    }

    private static void status(FieldCursor request, FieldCursor old) {
        FieldCursor status = request.at("status");
        boolean isSame = status.object().equals(old.at("status").object());
        if (ENDS.stream().anyMatch(end -> is(old, end))) {
            if (!isSame) {
                omitted(status, "immutable after PodCertificateRequest is issued, denied, or failed");
            }
        } else if (is(request, "Denied") || is(request, "Failed")) {
            if (!status.object().without("conditions").isEmpty()) {
                omitted(
                        status,
                        "non-condition status fields must be empty when denying or failing the PodCertificateRequest");
            }
        } else if (is(request, "Issued")) {
            chain(request, old.at("spec", "stubPKCS10Request"));
        } else if (!isSame) {
            omitted(status, "status is immutable unless transitioning to \"Issued\", \"Denied\", or \"Failed\"");
        }
    }

    private static boolean is(FieldCursor request, String type) {
        return request.at("status", "conditions")
                .array()
                .objects()
                .anyMatch(condition -> condition.string("type").equals(type)
                        && condition.string("status").equals("True"));
    }

    private static void chain(FieldCursor request, FieldCursor stub) {
        FieldCursor chain = request.at("status", "certificateChain").holdingText();
        if (chain.text().length() > MAX_CHAIN) {
            chain.errors().tooLong(chain.path(), MAX_CHAIN);
            return;
        }
        List<Pem> blocks = Pem.blocks(chain.text());
        if (blocks.isEmpty()) {
            chain.invalid("issued certificate chain must contain at least one certificate");
            return;
        }
        if (!blocks.get(0).type().equals(CERTIFICATE)) {
            chain.invalid("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
            return;
        }
        X509Certificate leaf = PemRequest.certificate(blocks.get(0));
        if (leaf == null) {
            chain.invalid("leaf certificate does not parse as valid X.509");
        } else if (!leaf.getPublicKey().equals(PemRequest.key(Base64Text.decode(stub.text())))) {
            chain.invalid("leaf certificate was not issued to the requested public key");
        } else if (times(request, leaf)) {
            rest(chain, blocks.subList(1, blocks.size()));
        }
    }

    /** Validates the times of an issued certificate; returns whether they are valid. */
    private static boolean times(FieldCursor request, X509Certificate leaf) {
        FieldCursor status = request.at("status");
        FieldCursor from = status.at("notBefore");
        FieldCursor until = status.at("notAfter");
        FieldCursor refresh = status.at("beginRefreshAt");
        from.require("must be present and consistent with the issued certificate");
        until.require("must be present and consistent with the issued certificate");
        refresh.require("must be present and in the range [notbefore+10min, notafter-10min]");
        if (!status.errors().isEmpty()) {
            return false;
        }
        Instant begin = leaf.getNotBefore().toInstant();
        Instant end = leaf.getNotAfter().toInstant();
        Instant renewal = Instant.parse(refresh.text());
        Duration life = Duration.between(begin, end);
        long most = request.at("spec", "maxExpirationSeconds").number();
        if (!Instant.parse(from.text()).equals(begin)) {
            from.invalid("must be set to the NotBefore time encoded in the leaf certificate");
        } else if (!Instant.parse(until.text()).equals(end)) {
            until.invalid("must be set to the NotAfter time encoded in the leaf certificate");
        } else if (life.toSeconds() < HOUR) {
            life(status, life, "leaf certificate lifetime must be >= 1 hour");
        } else if (life.toSeconds() > most) {
            life(status, life, "leaf certificate lifetime must be <= spec.maxExpirationSeconds (" + most + ")");
        } else if (renewal.isBefore(begin.plus(MARGIN))) {
            refresh.invalid("must be at least 10 minutes after status.notBefore");
        } else if (renewal.isAfter(end.minus(MARGIN))) {
            refresh.invalid("must be at least 10 minutes before status.notAfter");
        }
        return status.errors().isEmpty();
    }

    private static void life(FieldCursor status, Duration life, String detail) {
        status.errors().invalidLiteral(status.at("certificateChain").path(), GoDuration.format(life), detail);
    }

    private static void rest(FieldCursor chain, List<Pem> blocks) {
        for (Pem block : blocks) {
            if (!block.type().equals(CERTIFICATE)) {
                chain.invalid("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
                return;
            }
            if (PemRequest.certificate(block) == null) {
                chain.invalid("intermediate certificate does not parse as valid X.509");
                return;
            }
        }
    }
}
