/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry.request;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.StatusException;
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
public record ListParameters(
        String resourceVersion,
        String match,
        long limit,
        String continueToken,
        @Nullable Long timeoutSeconds,
        boolean bookmarks,
        @Nullable Boolean sendInitialEvents) {

    /** A hundred years, in seconds. */
    private static final long LONGEST_TIMEOUT = 100L * 365 * 24 * 3600;

    public static final String EXACT = "Exact";
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    /**
     * Reads the parameters.
     *
     * @throws StatusException 400 or 422 if they are invalid
     */
    public static ListParameters of(Query query, boolean watch) {
        Long limit = query.number("limit");
        String resourceVersion = query.text("resourceVersion");
        String match = query.text("resourceVersionMatch");
        Boolean initial = query.optionalFlag("sendInitialEvents");
        boolean legacy = resourceVersion.isEmpty() || resourceVersion.equals("0");
        if (watch && legacy && initial == null && match.isEmpty()) {
            initial = true; // upstream: SetListOptionsDefaults
            match = NOT_OLDER_THAN;
        }
        ListParameters parameters = new ListParameters(
                resourceVersion,
                match,
                limit == null ? 0 : limit,
                query.text("continue"),
                timeout(query.number("timeoutSeconds")),
                query.flag("allowWatchBookmarks"),
                initial);
        FieldErrors errors = new FieldErrors();
        if (watch) {
            parameters.checkWatch(errors);
        } else {
            parameters.checkList(errors);
        }
        if (!errors.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", "ListOptions", "", errors);
        }
        parameters.checkRevision(watch);
        return parameters;
    }

    /**
     * Returns the resource version as a number; 0 if empty.
     *
     * @throws StatusException 400 if it is not a number
     */
    public long revision() {
        return revision(resourceVersion);
    }

    private void checkRevision(boolean watch) {
        String problem = problemOf(resourceVersion);
        if (problem == null) {
            return;
        }
        String message = "resourceVersion: Invalid value: \"" + resourceVersion + "\": " + problem;
        throw watch
                ? StatusException.unclassified(message)
                : StatusException.badRequest("invalid resource version: " + message);
    }

    /**
     * Parses a resource version; 0 if it is empty.
     *
     * @throws StatusException 500 if it is not a number
     */
    public static long revision(String resourceVersion) {
        String problem = problemOf(resourceVersion);
        if (problem != null) {
            throw StatusException.unclassified(problem);
        }
        return resourceVersion.isEmpty() ? 0 : Long.parseUnsignedLong(resourceVersion);
    }

    /**
     * Parses the resource version of a get; 0 if it is empty.
     *
     * @throws StatusException 500 if it is not a number
     */
    public static long revisionOfRequest(String resourceVersion) {
        String problem = problemOf(resourceVersion);
        if (problem != null) {
            throw StatusException.unclassified(
                    "resourceVersion: Invalid value: \"" + resourceVersion + "\": " + problem);
        }
        return revision(resourceVersion);
    }

    /** Returns the error of Go's {@code ParseUint}; null if there is none. */
    private static @Nullable String problemOf(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            return null;
        }
        String prefix = "strconv.ParseUint: parsing \"" + resourceVersion + "\": ";
        if (!resourceVersion.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return prefix + "invalid syntax";
        }
        try {
            Long.parseUnsignedLong(resourceVersion);
            return null;
        } catch (NumberFormatException e) {
            return prefix + "value out of range";
        }
    }

    /** As upstream, 0 means no timeout; so does a value that no clock reaches. */
    private static @Nullable Long timeout(@Nullable Long seconds) {
        return seconds == null || seconds == 0 || seconds > LONGEST_TIMEOUT ? null : seconds;
    }

    private void checkList(FieldErrors errors) {
        checkMatch(errors);
        if (sendInitialEvents != null) {
            errors.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
    }

    private void checkMatch(FieldErrors errors) {
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
        if (sendInitialEvents != null && !match.equals(NOT_OLDER_THAN)) {
            errors.forbidden(
                    "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        }
        if (match.isEmpty()) {
            return;
        }
        if (sendInitialEvents == null) {
            errors.forbidden(
                    "resourceVersionMatch",
                    "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if (!match.equals(NOT_OLDER_THAN)) {
            errors.notSupported("resourceVersionMatch", match, List.of(NOT_OLDER_THAN));
        }
        if (!continueToken.isEmpty()) {
            errors.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
        }
    }
}
