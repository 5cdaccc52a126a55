/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.certificates;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One decision about a request (upstream: {@code certificates/v1.CertificateSigningRequestCondition}).
 *
 * @param type {@code Approved}, {@code Denied} or {@code Failed}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param lastUpdateTime when the condition last changed
 * @param lastTransitionTime when the status last changed
 * @param reason for programs, in CamelCase
 * @param message for people
 * @param unknownFields all other fields
 */
@RecordBuilder
public record CertificateSigningRequestCondition(
        String type,
        String status,
        @Nullable Time lastUpdateTime,
        @Nullable Time lastTransitionTime,
        String reason,
        @JsonMember(shared = false) String message,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public CertificateSigningRequestCondition {
        type = Values.orEmpty(type);
        status = Values.orEmpty(status);
        reason = Values.orEmpty(reason);
        message = Values.orEmpty(message);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a condition that is {@code True}. */
    public static CertificateSigningRequestCondition of(
            String type, String reason, String message, @Nullable Time lastUpdateTime) {
        return new CertificateSigningRequestCondition(
                type, "True", lastUpdateTime, null, reason, message, UnknownFields.NONE);
    }
}
