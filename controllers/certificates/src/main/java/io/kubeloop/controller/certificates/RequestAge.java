/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.Time;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which requests are deleted (upstream: {@code cleaner.go}). Stateless. */
final class RequestAge {

    private static final Duration DECIDED = Duration.ofHours(1);
    private static final Duration UNDECIDED = Duration.ofHours(24);

    private RequestAge() {}

    /** Returns why a request is deleted; empty if it is kept. */
    static String reasonToDelete(CertificateSigningRequest request, Instant now) {
        boolean isIssued = !request.status().certificate().isEmpty();
        if (isIssued && isOlder(request, Approval.APPROVED, DECIDED, now)) {
            return "it was approved and signed more than 1 h ago";
        }
        if (isOlder(request, Approval.DENIED, DECIDED, now)) {
            return "it was denied more than 1 h ago";
        }
        if (isOlder(request, Approval.FAILED, DECIDED, now)) {
            return "it failed more than 1 h ago";
        }
        if (request.status().conditions().isEmpty()
                && isBefore(request.metadata().creationTimestamp(), now.minus(UNDECIDED))) {
            return "nobody has decided about it for more than 24 h";
        }
        if (isIssued && Approval.has(request, Approval.APPROVED) && isExpired(request, now)) {
            return "its certificate has expired";
        }
        if (!isIssued && isOlder(request, Approval.APPROVED, UNDECIDED, now)) {
            return "it was approved more than 24 h ago and not signed";
        }
        return "";
    }

    private static boolean isOlder(CertificateSigningRequest request, String type, Duration age, Instant now) {
        return request.status().conditions().stream()
                .anyMatch(condition ->
                        condition.type().equals(type) && isBefore(condition.lastUpdateTime(), now.minus(age)));
    }

    private static boolean isBefore(@Nullable Time time, Instant limit) {
        return time != null && time.instant().isBefore(limit);
    }

    /** Returns whether the first certificate has ended; false if it cannot be read. */
    private static boolean isExpired(CertificateSigningRequest request, Instant now) {
        try {
            List<Pem> blocks =
                    Pem.blocks(CertificateRequest.decode(request.status().certificate()));
            if (blocks.isEmpty()) {
                return false;
            }
            X509Certificate first = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(blocks.get(0).content()));
            return now.isAfter(first.getNotAfter().toInstant());
        } catch (CertificateException | IllegalArgumentException e) {
            return false; // a foreign signer may write anything
        }
    }
}
