package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.machinery.ApiFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the parameter {@code timeout} (upstream: {@code apiserver/pkg/endpoints/filters/request_deadline.go}). Every
 * response is immediate, so that no timeout ever passes. Holds no state.
 */
final class RequestTimeout {

    private static final Pattern DURATION = Pattern.compile("[-+]?(0|((\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");
    private static final Pattern NUMBER = Pattern.compile("(?:\\d+\\.?\\d*|\\.\\d+)([^\\d.]*)");

    private RequestTimeout() {}

    /**
     * Checks a value; an empty one is valid.
     *
     * @throws ApiFailure 400 if it is not a duration of Go
     */
    static void check(String value) {
        if (!value.isEmpty() && !DURATION.matcher(value).matches()) {
            throw ApiFailure.badRequest(
                    "invalid timeout specified in the request URL - time: " + problem(value) + " \"" + value + "\"");
        }
    }

    private static String problem(String value) {
        Matcher number = NUMBER.matcher(value.replaceFirst("^[-+]", ""));
        boolean starts = number.lookingAt();
        if (!starts) {
            return "invalid duration";
        }
        return number.group(1).isEmpty()
                ? "missing unit in duration"
                : "unknown unit \"" + number.group(1) + "\" in duration";
    }
}
