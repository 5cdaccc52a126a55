/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request, as an API server returns it instead of an object (upstream: {@code metav1.Status}).
 *
 * @param metadata list metadata; usually absent
 * @param status {@code Success} or {@code Failure}
 * @param message for people
 * @param reason for programs, such as {@code NotFound}; see {@link StatusReason}
 * @param details the object and the causes of the outcome; null if absent
 * @param code the HTTP status code, 0 if absent
 * @param unknownFields all other fields
 */
@RecordBuilder
public record Status(
        @Nullable ListMeta metadata,
        String status,
        @JsonMember(shared = false) String message,
        String reason,
        @Nullable Details details,
        @JsonMember(omitZero = true) int code,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public Status {
        status = Values.orEmpty(status);
        message = Values.orEmpty(message);
        reason = Values.orEmpty(reason);
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns a failure with this code, reason and message. */
    public static Status failure(int code, String reason, String message) {
        return new Status(null, "Failure", message, reason, null, code, UnknownFields.NONE);
    }

    /**
     * The object and the causes of an outcome.
     *
     * @param name the object's name
     * @param group the resource's API group
     * @param kind the resource, in the plural on most errors
     * @param uid the object's UID
     * @param causes the individual errors, such as one per invalid field
     * @param retryAfterSeconds seconds to wait before another attempt; 0 if absent
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Details(
            @JsonMember(shared = false) String name,
            String group,
            String kind,
            @JsonMember(shared = false) String uid,
            List<Cause> causes,
            @JsonMember(omitZero = true) int retryAfterSeconds,
            UnknownFields unknownFields) {

        /** Null means the zero value. */
        public Details {
            name = Values.orEmpty(name);
            group = Values.orEmpty(group);
            kind = Values.orEmpty(kind);
            uid = Values.orEmpty(uid);
            causes = Values.orEmpty(causes);
            unknownFields = Values.orNone(unknownFields);
        }
    }

    /**
     * One error among several.
     *
     * @param reason for programs, such as {@code FieldValueInvalid}
     * @param message for people
     * @param field the path of the field
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Cause(
            String reason,
            @JsonMember(shared = false) String message,
            @JsonMember(shared = false) String field,
            UnknownFields unknownFields) {

        /** Null means the zero value. */
        public Cause {
            reason = Values.orEmpty(reason);
            message = Values.orEmpty(message);
            field = Values.orEmpty(field);
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
