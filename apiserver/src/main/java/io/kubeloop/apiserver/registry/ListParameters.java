package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.FieldErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a list or a watch, checked for invalid combinations (upstream: {@code
 * metainternalversion/validation}). Immutable.
 *
 * @param resourceVersion the resource version of the request; may be empty
 * @param match {@code Exact}, {@code NotOlderThan} or empty
 * @param limit the maximum size of a page; 0 for a single page
 * @param continueToken the token of the previous page; empty for the first page
 * @param timeoutSeconds the duration of a watch; null for no limit
 * @param bookmarks whether a watch may send bookmarks
 * @param sendInitialEvents whether a watch starts with the current state; null if the client did not set it
 */
record ListParameters(
        String resourceVersion,
        String match,
        long limit,
        String continueToken,
        @Nullable Long timeoutSeconds,
        boolean bookmarks,
        @Nullable Boolean sendInitialEvents) {

    /** A hundred years, in seconds. */
    private static final long LONGEST_TIMEOUT = 100L * 365 * 24 * 3600;

    static final String EXACT = "Exact";
    static final String NOT_OLDER_THAN = "NotOlderThan";

    /**
     * Reads the parameters.
     *
     * @throws ApiFailure 400 or 422 if they are invalid
     */
    static ListParameters of(Query query, boolean watch) {
        Long limit = query.number("limit");
        String resourceVersion = query.text("resourceVersion");
        ListParameters parameters = new ListParameters(
                resourceVersion,
                query.text("resourceVersionMatch"),
                limit == null ? 0 : limit,
                query.text("continue"),
                timeout(query.number("timeoutSeconds")),
                query.flag("allowWatchBookmarks"),
                query.optionalFlag("sendInitialEvents"));
        parameters.revision();
        FieldErrors errors = new FieldErrors();
        if (watch) {
            parameters.checkWatch(errors);
        } else {
            parameters.checkList(errors);
        }
        if (!errors.isEmpty()) {
            throw ApiFailure.invalid("meta.k8s.io", "ListOptions", "", errors);
        }
        return parameters;
    }

    /**
     * Returns the resource version as a number; 0 if empty.
     *
     * @throws ApiFailure 400 if it is not a number
     */
    long revision() {
        return revision(resourceVersion);
    }

    /**
     * Parses the resource version of a request.
     *
     * @throws ApiFailure 400 if it is not a number
     */
    static long revision(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(resourceVersion);
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("Invalid value: \"" + resourceVersion + "\": strconv.ParseUint: parsing \""
                    + resourceVersion + "\": invalid syntax");
        }
    }

    /** As upstream, 0 means no timeout; so does a value that no clock reaches. */
    private static @Nullable Long timeout(@Nullable Long seconds) {
        return seconds == null || seconds == 0 || seconds > LONGEST_TIMEOUT ? null : seconds;
    }

    private void checkList(FieldErrors errors) {
        if (sendInitialEvents != null) {
            errors.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
        if (match.isEmpty()) {
            return;
        }
        if (resourceVersion.isEmpty()) {
            errors.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!continueToken.isEmpty()) {
            errors.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
        }
        if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
            errors.notSupported("resourceVersionMatch", match, List.of(EXACT, NOT_OLDER_THAN, ""));
        }
        if (match.equals(EXACT) && resourceVersion.equals("0")) {
            errors.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }

    private void checkWatch(FieldErrors errors) {
        if (sendInitialEvents == null) {
            if (!match.isEmpty()) {
                errors.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
            }
        } else if (!match.equals(NOT_OLDER_THAN)) {
            if (match.isEmpty()) {
                errors.forbidden(
                        "resourceVersionMatch",
                        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            } else {
                errors.notSupported("resourceVersionMatch", match, List.of(NOT_OLDER_THAN));
            }
        }
        if (!continueToken.isEmpty()) {
            errors.forbidden("continue", "continue is forbidden for watch");
        }
    }
}
