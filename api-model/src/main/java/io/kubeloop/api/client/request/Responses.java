/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusBuilder;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Checks the code and the headers of a response, and creates the exceptions for rejected and malformed responses.
 * Stateless.
 */
final class Responses {

    private static final int MOST_CAUSES = 16;

    private Responses() {}

    /**
     * Rejects a response whose media type was not requested, such as the HTML page of a proxy or a web site.
     *
     * @throws TransportException of kind {@code BROKEN}
     */
    static void requireMediaType(ApiRequest request, Map<String, List<String>> headers) {
        String type = first(headers, "content-type");
        boolean isProtobuf = request.accept().contains(ApiRequest.PROTOBUF) && ApiRequest.isProtobuf(type);
        if (!type.isEmpty() && !isProtobuf && !type.toLowerCase(Locale.ROOT).contains("json")) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    request.describe() + ": the answer is " + type
                            + " where JSON was asked for; is this an API server?",
                    null);
        }
    }

    /** Returns whether a response has this media type. */
    static boolean isOf(String mediaType, Map<String, List<String>> headers) {
        return first(headers, "content-type").toLowerCase(Locale.ROOT).startsWith(mediaType);
    }

    /** Returns the exception for a response that could not be decoded, with the request in its message. */
    static DecodeException malformed(ApiRequest request, DecodeException problem) {
        return new DecodeException(
                request.describe() + ": the answer makes no sense: " + problem.getMessage(), problem);
    }

    /** Returns the exception for a rejected request. */
    static ApiException refusal(ApiRequest request, int code, Map<String, List<String>> headers, Status status) {
        return new ApiException(
                request.describe(),
                bounded(told(request, code, first(headers, "location"), status)),
                RetryAfter.of(headers, status),
                first(headers, "audit-id"));
    }

    /** A caller may keep the failure, such as each informer its last one. Only refused objects have many causes. */
    private static Status bounded(Status status) {
        Status.Details details = status.details();
        boolean many =
                details != null && status.code() != 422 && details.causes().size() > MOST_CAUSES;
        return StatusBuilder.builder(status)
                .message(ErrorBody.shortened(status.message()))
                .details(many ? null : details)
                .build();
    }

    private static Status told(ApiRequest request, int code, String location, Status status) {
        if (code >= 300 && code < 400 && !location.isEmpty()) {
            return redirect(code, location);
        }
        // Code 409 means AlreadyExists or Conflict. A POST creates an object, so it cannot conflict with a newer
        // version.
        return code == 409 && request.method().equals("POST") && isUnexpected(status)
                ? StatusBuilder.builder(status)
                        .reason(StatusReason.ALREADY_EXISTS)
                        .build()
                : status;
    }

    private static boolean isUnexpected(Status status) {
        Status.Details details = status.details();
        return details != null
                && details.causes().stream()
                        .anyMatch(cause -> cause.reason().equals(StatusReason.UNEXPECTED_SERVER_RESPONSE));
    }

    private static Status redirect(int code, String location) {
        // A query may contain confidential values.
        String where = location.replaceAll("[?#].*", "");
        return Status.failure(
                code,
                "",
                "the server redirects to " + where + ", which is not followed; is this the API server's address?");
    }

    private static String first(Map<String, List<String>> headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.get(0);
    }
}
