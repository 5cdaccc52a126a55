/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.codec;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusBuilder;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.record.RecordAdapter;
import io.kubeloop.json.record.RecordReader;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes a {@link Status} of the body of an error response, whatever that body is. Thread-safe: stateless. */
public final class StatusDecoder {

    private static final int LONGEST_QUOTE = 2048;

    private StatusDecoder() {}

    /** Returns the status in the body. If the body has none, returns a status with the code and a quote of the body. */
    public static Status decode(RecordReader reader, int code, byte[] body) {
        try {
            JsonScanner json = reader.open(body);
            Status status = reader.record(RecordAdapter.of(Status.class));
            json.end();
            return status.status().equals("Failure") && isStatus(JsonObject.parse(body))
                    ? withCode(status, code)
                    : quote(code, body);
        } catch (DecodeException notJson) {
            return quote(code, body);
        }
    }

    /** Old servers omit the version. */
    private static boolean isStatus(JsonObject body) {
        String apiVersion = body.string("apiVersion");
        return body.string("kind").equals("Status") && (apiVersion.isEmpty() || apiVersion.equals("v1"));
    }

    /**
     * Returns a status with a code. The one in the status takes precedence, because a proxy may have changed the code
     * of the response.
     */
    public static Status withCode(Status status, int code) {
        return status.code() == 0 ? StatusBuilder.builder(status).code(code).build() : status;
    }

    private static Status quote(int code, byte[] body) {
        String text = new String(body, 0, Math.min(body.length, LONGEST_QUOTE), StandardCharsets.UTF_8).strip();
        String message = "the server responded with code " + code
                + (text.isEmpty() ? " and no body" : " and a body that is not a Status: " + text);
        Status.Cause cause = new Status.Cause(StatusReason.UNEXPECTED_SERVER_RESPONSE, text, "", UnknownFields.NONE);
        Status.Details details = new Status.Details("", "", "", "", List.of(cause), 0, UnknownFields.NONE);
        return new Status(null, "Failure", message, reason(code), details, code, UnknownFields.NONE);
    }

    private static String reason(int code) {
        return switch (code) {
            case 400 -> StatusReason.BAD_REQUEST;
            case 401 -> StatusReason.UNAUTHORIZED;
            case 403 -> StatusReason.FORBIDDEN;
            case 404 -> StatusReason.NOT_FOUND;
            case 405 -> StatusReason.METHOD_NOT_ALLOWED;
            case 406 -> StatusReason.NOT_ACCEPTABLE;
            case 409 -> StatusReason.CONFLICT;
            case 415 -> StatusReason.UNSUPPORTED_MEDIA_TYPE;
            case 422 -> StatusReason.INVALID;
            case 429 -> StatusReason.TOO_MANY_REQUESTS;
            case 503 -> StatusReason.SERVICE_UNAVAILABLE;
            case 504 -> StatusReason.TIMEOUT;
            default -> code >= 500 ? StatusReason.INTERNAL_ERROR : "";
        };
    }
}
