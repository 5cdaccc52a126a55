/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.Base64Text;
import io.kubeloop.apiserver.kinds.validation.SignerRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Validation of certificate signing requests (upstream: {@code pkg/apis/certificates/validation}). */
public final class CertificateRules {

    /** The usages of keys, in the order of messages. */
    private static final List<String> USAGES = List.of(
            "any",
            "cert sign",
            "client auth",
            "code signing",
            "content commitment",
            "crl sign",
            "data encipherment",
            "decipher only",
            "digital signature",
            "email protection",
            "encipher only",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "key agreement",
            "key encipherment",
            "microsoft sgc",
            "netscape sgc",
            "ocsp signing",
            "s/mime",
            "server auth",
            "signing",
            "timestamping");

    private static final List<String> DECISIONS = List.of("Approved", "Denied");
    private static final int MIN_SECONDS = 600;

    private CertificateRules() {}

    /** Validates a request. */
    public static void request(FieldCursor request) {
        FieldCursor spec = request.at("spec");
        FieldCursor pem = spec.at("request");
        String problem = PemRequest.problem(Base64Text.decode(pem.text()));
        if (!problem.isEmpty()) {
            pem.holdingText().invalid(problem);
        }
        FieldCursor usages = spec.at("usages");
        usages.require();
        usages.each(usage -> usage.oneOf(USAGES));
        usages.unique();
        if (spec.at("signerName").text().equals("kubernetes.io/legacy-unknown")) {
            spec.at("signerName").invalid("the legacy signerName is not allowed via this API version");
        } else {
            SignerRules.signer(spec.at("signerName"));
        }
        FieldCursor seconds = spec.at("expirationSeconds");
        if (seconds.isSet() && seconds.number() < MIN_SECONDS) {
            seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
        }
        conditions(request.at("status", "conditions"));
    }

    private static void conditions(FieldCursor conditions) {
        Set<String> seen = new HashSet<>();
        conditions.each(condition -> {
            FieldCursor type = condition.at("type").holdingText();
            type.require();
            boolean isFinal = DECISIONS.contains(type.text()) || type.text().equals("Failed");
            condition.at("status").requireOneOf(isFinal ? List.of("True") : List.of("False", "True", "Unknown"));
            if (!seen.add(type.text())) {
                type.duplicate();
            }
        });
        if (seen.containsAll(DECISIONS)) {
            conditions
                    .declared()
                    .holding(new JsonString("{" + decisions(DECISIONS, "") + "}"))
                    .invalid("must specify at most one of: " + decisions(DECISIONS, "`"));
        }
    }

    private static String decisions(List<String> types, String quote) {
        return types.stream()
                .map(type -> quote + "conditions[{\"type\": \"" + type + "\"}]" + quote)
                .collect(Collectors.joining(", "));
    }

    /** Validates the change of a request. */
    public static void update(FieldCursor request, FieldCursor old, Part part) {
        FieldCursor conditions = request.at("status", "conditions");
        FieldCursor certificate = request.at("status", "certificate");
        FieldCursor before = old.at("status", "certificate");
        boolean isSame = certificate.text().equals(before.text());
        String problem = isSame ? "" : PemRequest.problemOfCertificate(Base64Text.decode(certificate.text()));
        if (!problem.isEmpty()) {
            certificate.holding(new JsonString("<certificate data>")).invalid(problem);
        }
        for (String type : List.of("Approved", "Denied", "Failed")) {
            if (count(request, type) < count(old, type)) {
                conditions.forbidden("updates may not remove a condition of type \"" + type + "\"");
            }
        }
        for (String type : part == Part.APPROVAL ? List.<String>of() : DECISIONS) {
            if (count(request, type) > count(old, type)) {
                conditions.forbidden("updates may not add a condition of type \"" + type + "\"");
            }
        }
        if (!isSame && part != Part.STATUS) {
            certificate.forbidden("updates may not set certificate content");
        } else if (!isSame && !before.text().isEmpty()) {
            certificate.forbidden("updates may not modify existing certificate content");
        }
    }

    private static long count(FieldCursor request, String type) {
        return request.at("status", "conditions").items().stream()
                .map(FieldCursor::object)
                .map((JsonObject condition) -> condition.string("type"))
                .filter(type::equals)
                .count();
    }
}
