/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.certificates;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request for a certificate, and the user that created it (upstream: {@code
 * certificates/v1.CertificateSigningRequestSpec}). Further attributes of the user, {@code extra}, are in {@code
 * unknownFields}.
 *
 * @param request a PKCS #10 request in PEM, in Base64
 * @param signerName the signer, such as {@code kubernetes.io/kube-apiserver-client}
 * @param expirationSeconds the wanted lifetime of the certificate in seconds; null means the signer's default
 * @param usages the wanted key usages, such as {@code client auth}
 * @param username the user that created the object; the server sets it
 * @param uid the UID of that user; empty for none
 * @param groups the groups of that user
 * @param unknownFields all other fields
 */
@WithMethods
public record CertificateSigningRequestSpec(
        @JsonMember(shared = false) String request,
        String signerName,
        @Nullable Integer expirationSeconds,
        List<String> usages,
        String username,
        String uid,
        List<String> groups,
        UnknownFields unknownFields)
        implements CertificateSigningRequestSpecBuilder.With {

    /** Every field absent. */
    public static final CertificateSigningRequestSpec EMPTY =
            CertificateSigningRequestSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public CertificateSigningRequestSpec {
        request = Values.orEmpty(request);
        signerName = Values.orEmpty(signerName);
        usages = Values.orEmpty(usages);
        username = Values.orEmpty(username);
        uid = Values.orEmpty(uid);
        groups = Values.orEmpty(groups);
        unknownFields = Values.orNone(unknownFields);
    }
}
