package io.kubeloop.transport.memory.registry;

import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.machinery.FieldErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a list or watch, checked for combinations that make no sense (upstream: {@code
 * metainternalversion/validation}). Immutable.
 *
 * @param resourceVersion as given
 * @param match {@code Exact}, {@code NotOlderThan} or empty
 * @param limit the size of a page; 0 for no pages
 * @param continueToken from the page before
 * @param timeoutSeconds after which a watch ends; null for never
 * @param bookmarks whether a watch may show progress
 * @param sendInitialEvents whether a watch begins with the present state; null if not said
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
     * @throws ApiFailure 400 or 422 if they make no sense
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
     * @throws ApiFailure 400 if it is no number
     */
    long revision() {
        return revision(resourceVersion);
    }

    /**
     * Reads a resource version of a request.
     *
     * @throws ApiFailure 400 if it is none
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

    /** As upstream, 0 is no wish; and what no clock counts to is for ever. */
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
