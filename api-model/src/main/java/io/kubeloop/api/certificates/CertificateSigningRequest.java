/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.certificates;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A request for an X.509 certificate, which an approver approves and a signer issues (upstream: {@code
 * certificates/v1.CertificateSigningRequest}).
 *
 * @param metadata name, labels and the rest
 * @param spec the request
 * @param status the approval and the certificate
 * @param unknownFields all other fields
 */
@WithMethods
public record CertificateSigningRequest(
        ObjectMeta metadata,
        CertificateSigningRequestSpec spec,
        CertificateSigningRequestStatus status,
        UnknownFields unknownFields)
        implements KubeObject, CertificateSigningRequestBuilder.With {

    /** Null means the zero value. */
    public CertificateSigningRequest {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? CertificateSigningRequestSpec.EMPTY : spec;
        status = status == null ? CertificateSigningRequestStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a copy with this metadata. */
    @Override
    public CertificateSigningRequest withMetadata(ObjectMeta metadata) {
        return new CertificateSigningRequest(metadata, spec, status, unknownFields);
    }
}
