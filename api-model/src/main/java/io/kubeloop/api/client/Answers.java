package io.kubeloop.api.client;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusBuilder;
import io.kubeloop.api.StatusReason;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an answer's head tells about it, before its body is looked at. */
final class Answers {

    private Answers() {}

    /**
     * Refuses an answer that says it is something else than JSON: a proxy's page, or the page of a web site.
     *
     * @throws TransportException of kind {@code BROKEN}
     */
    static void requireJson(ApiRequest request, Map<String, List<String>> headers) {
        String type = first(headers, "content-type");
        if (!type.isEmpty() && !type.toLowerCase(Locale.ROOT).contains("json")) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    request.describe() + ": the answer is " + type
                            + " where JSON was asked for; is this an API server?",
                    null);
        }
    }

    /** Returns the error that says which request's answer could not be decoded. */
    static DecodeException senseless(ApiRequest request, DecodeException problem) {
        return new DecodeException(
                request.describe() + ": the answer makes no sense: " + problem.getMessage(), problem);
    }

    /** Returns the error that a refusal is. */
    static ApiException refusal(ApiRequest request, int code, Map<String, List<String>> headers, Status status) {
        return new ApiException(
                request.describe(),
                told(request, code, first(headers, "location"), status),
                RetryAfter.of(headers, status),
                first(headers, "audit-id"));
    }

    private static Status told(ApiRequest request, int code, String location, Status status) {
        if (code >= 300 && code < 400 && !location.isEmpty()) {
            return redirect(code, location);
        }
        // The code alone does not tell which conflict it is; the method does.
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
        // A query may hold what is nobody's business.
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
