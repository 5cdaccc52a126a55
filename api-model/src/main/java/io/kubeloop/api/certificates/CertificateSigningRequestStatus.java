/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.certificates;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.ArrayList;
import java.util.List;

/**
 * The approval of a request and its certificate (upstream: {@code certificates/v1.CertificateSigningRequestStatus}).
 *
 * @param conditions the decisions about the request
 * @param certificate the certificate and its chain in PEM, in Base64; empty before the request is signed
 * @param unknownFields all other fields
 */
@WithMethods
public record CertificateSigningRequestStatus(
        List<CertificateSigningRequestCondition> conditions,
        @JsonMember(shared = false) String certificate,
        UnknownFields unknownFields)
        implements CertificateSigningRequestStatusBuilder.With {

    /** Every field absent. */
    public static final CertificateSigningRequestStatus EMPTY =
            CertificateSigningRequestStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public CertificateSigningRequestStatus {
        conditions = Values.orEmpty(conditions);
        certificate = Values.orEmpty(certificate);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a copy with one more condition, at the end. */
    public CertificateSigningRequestStatus plus(CertificateSigningRequestCondition condition) {
        List<CertificateSigningRequestCondition> all = new ArrayList<>(conditions);
        all.add(condition);
        return new CertificateSigningRequestStatus(all, certificate, unknownFields);
    }
}
