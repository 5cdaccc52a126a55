/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonNumber;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request for a log (upstream: {@code PodLogOptions}). Immutable.
 *
 * @param container the name of the container; empty for the only one
 * @param skipVerification whether any certificate of the kubelet is accepted
 * @param options what to show
 */
record LogQuery(String container, boolean skipVerification, ContainerHost.LogOptions options) {

    private static final List<String> STREAMS = List.of("All", "Stderr", "Stdout");
    private static final String ALL = "All";

    /**
     * Reads a query.
     *
     * @param name the name of the pod, for errors
     * @throws StatusException 400 or 422, as upstream, if a value is not valid
     */
    static LogQuery read(Map<String, String> query, String name) {
        ContainerHost.LogRange range = new ContainerHost.LogRange(
                number(query, "sinceSeconds"),
                time(query.get("sinceTime")),
                number(query, "tailLines"),
                number(query, "limitBytes"));
        String stream = query.getOrDefault("stream", ALL);
        FieldErrors errors = check(range, stream);
        if (!errors.isEmpty()) {
            throw StatusException.invalid("", "PodLogOptions", name, errors);
        }
        return new LogQuery(
                query.getOrDefault("container", ""),
                flag(query, "insecureSkipTLSVerifyBackend"),
                new ContainerHost.LogOptions(
                        flag(query, "previous"), flag(query, "follow"), flag(query, "timestamps"), range, stream));
    }

    private static FieldErrors check(ContainerHost.LogRange range, String stream) {
        FieldErrors errors = new FieldErrors();
        Long tail = range.tailLines();
        Long limit = range.limitBytes();
        Long seconds = range.sinceSeconds();
        if (tail != null && tail < 0) {
            errors.invalid("tailLines", JsonNumber.of(tail), "must be greater than or equal to 0");
        }
        if (limit != null && limit < 1) {
            errors.invalid("limitBytes", JsonNumber.of(limit), "must be greater than 0");
        }
        if (seconds != null && range.sinceTime() != null) {
            errors.forbidden("", "at most one of `sinceTime` or `sinceSeconds` may be specified");
        } else if (seconds != null && seconds < 1) {
            errors.invalid("sinceSeconds", JsonNumber.of(seconds), "must be greater than 0");
        }
        if (!STREAMS.contains(stream)) {
            errors.notSupported("stream", stream, STREAMS);
        }
        if (!stream.equals(ALL) && tail != null) {
            errors.forbidden("", "`tailLines` and specific `stream` are mutually exclusive for now");
        }
        return errors;
    }

    /** Returns the query for a kubelet. */
    String forKubelet() {
        List<String> parameters = new ArrayList<>();
        ContainerHost.LogRange range = options.range();
        add(parameters, "follow", options.follow() ? "true" : null);
        add(parameters, "limitBytes", range.limitBytes());
        add(parameters, "previous", options.previous() ? "true" : null);
        add(parameters, "sinceSeconds", range.sinceSeconds());
        Instant since = range.sinceTime();
        add(parameters, "sinceTime", since == null ? null : since.truncatedTo(ChronoUnit.SECONDS));
        add(parameters, "stream", options.stream());
        add(parameters, "tailLines", range.tailLines());
        add(parameters, "timestamps", options.timestamps() ? "true" : null);
        return String.join("&", parameters);
    }

    private static void add(List<String> parameters, String name, @Nullable Object value) {
        if (value != null) {
            parameters.add(name + "=" + URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
        }
    }

    /** As upstream, a parameter is true unless it is {@code false} or {@code 0}. */
    static boolean flag(Map<String, String> query, String name) {
        String value = query.get(name);
        return value != null && !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    private static @Nullable Long number(Map<String, String> query, String name) {
        String value = query.get(name);
        if (value == null) {
            return null;
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("strconv.ParseInt: parsing " + GoText.quoted(value) + ": invalid syntax");
        }
    }

    private static @Nullable Instant time(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return null;
        }
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw StatusException.badRequest(
                    "parsing time " + GoText.quoted(value) + " as \"2006-01-02T15:04:05Z07:00\": cannot parse it");
        }
    }
}
