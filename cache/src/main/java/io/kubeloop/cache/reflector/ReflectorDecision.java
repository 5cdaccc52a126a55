/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The next step of a reflector after an answer of the server. The table lists all answers; "last" is the last received
 * resource version.
 *
 * <table>
 * <caption>Answers and decisions</caption>
 * <tr><th>request</th><th>answer</th><th>decision</th><th>version used next</th></tr>
 * <tr><td>list</td><td>a page, more to come</td><td>next page by its continue token</td><td>none</td></tr>
 * <tr><td>list</td><td>410, or version too large</td><td>one more list at once; if that fails, {@link
 * #LIST_AFTER_BACKOFF}</td>
 *     <td>"" (quorum)</td></tr>
 * <tr><td>list</td><td>410 Expired on a later page</td><td>one list without pages</td><td>as in the first
 * request</td></tr>
 * <tr><td>list</td><td>401, 403, 404, 429, 5xx, no answer</td><td>{@link #LIST_AFTER_BACKOFF}</td><td>last, "0" at
 * first</td></tr>
 * <tr><td>watch, opening</td><td>no connection</td><td>{@link #WATCH_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch, opening</td><td>429, connection lost, timeout</td><td>{@link #WATCH_AFTER_BACKOFF}; the tenth in a row
 * without an
 *     answer {@link #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch, opening</td><td>anything else, 410 included</td><td>{@link #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>closed; an event came or 1 s passed</td><td>{@link #WATCH_NOW}</td><td>last</td></tr>
 * <tr><td>watch</td><td>connection lost; an event came or 1 s passed</td><td>{@link #WATCH_NOW}; the fifth in a row
 *     without an event {@link #WATCH_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>closed or lost after an event, for the fifth time in a row within 1 s</td>
 *     <td>{@link #WATCH_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>a frame larger than the transport allows</td><td>{@link
 * #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>silent beyond its timeout</td><td>closed from this side: {@link
 * #WATCH_NOW}</td><td>last</td></tr>
 * <tr><td>watch</td><td>closed within 1 s without an event</td><td>{@link #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>connection lost within 1 s without an event</td><td>{@link #WATCH_AFTER_BACKOFF}; the fifth
 *     short watch in a row {@link #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>error event 410</td><td>{@link #LIST_AFTER_BACKOFF}, as for a 410 at the
 * opening</td><td>last</td></tr>
 * <tr><td>watch</td><td>error event 429</td><td>{@link #WATCH_AFTER_BACKOFF}; the tenth in a row {@link
 *     #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>error event 500, within the budget for internal errors (off by default)</td>
 *     <td>{@link #WATCH_NOW}; the fifth short watch in a row {@link #WATCH_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>another error event, a malformed frame</td><td>{@link
 * #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>watch</td><td>any, after its events could not be processed here</td>
 *     <td>closed from this side: {@link #LIST_AFTER_BACKOFF}</td><td>last</td></tr>
 * <tr><td>streaming list</td><td>410, or version too large</td><td>again at once</td><td>""</td></tr>
 * <tr><td>streaming list</td><td>429, no connection</td><td>again after backoff; the third time, or after
 *     a minute, list</td><td>last, "" at first</td></tr>
 * <tr><td>streaming list</td><td>closed or lost before its end marker</td><td>again: at once the first time, then after
 * a
 *     backoff; the third time, or after a minute, list</td><td>last, "" at first</td></tr>
 * <tr><td>streaming list</td><td>400, 422, nothing new for 10 s, or an end marker without a version</td><td>list, and
 * no
 *     streaming list from then on</td><td>as for a list</td></tr>
 * <tr><td>streaming list</td><td>anything else: no answer, a very short stream, a frame that is too large</td><td>list,
 * this
 *     time only</td><td>as for a list</td></tr>
 * </table>
 *
 * <p>If an answer has {@code Retry-After}, the reflector waits for the longer of that time and the backoff, but at most
 * five minutes: a mistake of a proxy must not silence a cache for years.
 *
 * <p>Upstream: {@code cache.Reflector}. There are two differences. A connection that breaks while a watch is opened, or
 * soon after, leads to another watch; upstream lists. A server that repeatedly sends one event and closes is followed
 * by a backoff; upstream watches again at once, without a limit.
 */
public enum ReflectorDecision {
    /** Watch again at once, from the last version. */
    WATCH_NOW,
    /** Wait, then watch again from the last version. */
    WATCH_AFTER_BACKOFF,
    /** Wait, then start a new round: (streaming) list and watch. */
    LIST_AFTER_BACKOFF,
    /** Request a streaming list again at once, from no particular version. */
    STREAM_WITHOUT_VERSION,
    /** Request a streaming list again at once. */
    STREAM_NOW,
    /** Wait, then request a streaming list again. */
    STREAM_AFTER_BACKOFF,
    /** The server does not support streaming lists: list now, and use ordinary lists from now on. */
    LIST_FROM_NOW_ON,
    /** List, this time only. */
    LIST_NOW;

    /** The number of consecutive watches of less than a second that indicates a problem. */
    private static final int MANY_SHORT = 5;

    /**
     * The number of consecutive watch requests without an answer that takes longer than the restart of a server. A
     * proxy may pass lists and block watches; then only lists keep the cache up to date.
     */
    private static final int MANY_UNANSWERED = 10;

    /** The number of streaming lists in a row that end early, after which a list may succeed. */
    private static final int MANY_STREAMS = 3;

    /** The time of such streaming lists after which a list may succeed. */
    private static final Duration LONG_STREAMING = Duration.ofMinutes(1);

    /**
     * The watches in a row, the last one included, of one kind.
     *
     * @param brief lasted less than a second
     * @param lost lost their connection before an event
     * @param refused were refused with 429, or got no answer
     */
    record InARow(int brief, int lost, int refused) {}

    /** Returns whether a list must follow these attempts at a streaming list in any case. */
    static boolean isEnough(int attempts, Duration tried) {
        return attempts >= MANY_STREAMS || tried.compareTo(LONG_STREAMING) >= 0;
    }

    /**
     * Decides after a watch that could not be opened.
     *
     * @param refusedInARow number of consecutive requests, this one included, that were refused with 429, or lost after
     *     the connection was established
     */
    static ReflectorDecision toRefusedWatch(RuntimeException refusal, int refusedInARow) {
        if (isUnreachable(refusal)) {
            return WATCH_AFTER_BACKOFF; // a list could not reach the server either
        }
        return isRefusedOrUnanswered(refusal) && refusedInARow < MANY_UNANSWERED
                ? WATCH_AFTER_BACKOFF
                : LIST_AFTER_BACKOFF;
    }

    /**
     * Decides after an open watch has ended.
     *
     * @param internalErrorBudget called only after an internal error; returns whether the budget allows another watch
     */
    static ReflectorDecision toEndOfWatch(WatchEnd end, InARow inARow, BooleanSupplier internalErrorBudget) {
        boolean many = inARow.brief() >= MANY_SHORT;
        if (end instanceof WatchEnd.Closed closed && closed.veryShort()) {
            return LIST_AFTER_BACKOFF;
        }
        if (isTooLarge(end)) {
            return LIST_AFTER_BACKOFF; // another watch would begin with the same frame
        }
        if (end instanceof WatchEnd.Lost lost && lost.veryShort()) {
            return many ? LIST_AFTER_BACKOFF : WATCH_AFTER_BACKOFF;
        }
        if (end instanceof WatchEnd.Closed || end instanceof WatchEnd.Lost) {
            return many || inARow.lost() >= MANY_SHORT ? WATCH_AFTER_BACKOFF : WATCH_NOW;
        }
        if (end instanceof WatchEnd.Failed failed) {
            if (failed.failure().isTooManyRequests()) {
                return inARow.refused() < MANY_UNANSWERED ? WATCH_AFTER_BACKOFF : LIST_AFTER_BACKOFF;
            }
            if (failed.failure().isInternalError() && internalErrorBudget.getAsBoolean()) {
                return many ? WATCH_AFTER_BACKOFF : WATCH_NOW;
            }
        }
        return LIST_AFTER_BACKOFF;
    }

    static ReflectorDecision toRefusedStream(RuntimeException refusal) {
        if (isVersionUnavailable(refusal)) {
            return STREAM_WITHOUT_VERSION;
        }
        if (isUnreachable(refusal) || isOverload(refusal)) {
            return STREAM_AFTER_BACKOFF;
        }
        return refusal instanceof ApiException e && (e.isInvalid() || e.isBadRequest()) ? LIST_FROM_NOW_ON : LIST_NOW;
    }

    /** Decides after a streaming list that ended before its end marker. */
    static ReflectorDecision toEndOfStream(WatchEnd end) {
        if (end instanceof WatchEnd.Failed failed) {
            return toRefusedStream(failed.failure());
        }
        boolean again = (end instanceof WatchEnd.Closed closed && !closed.veryShort())
                || (end instanceof WatchEnd.Lost lost && !lost.veryShort() && !isTooLarge(end));
        return again ? STREAM_NOW : LIST_NOW;
    }

    /** Returns whether the server cannot serve this version: it is too old, or the server has not reached it yet. */
    static boolean isVersionUnavailable(Throwable failure) {
        if (!(failure instanceof ApiException e)) {
            return false;
        }
        return e.isExpired() || e.isGone() || isTooLarge(e);
    }

    private static boolean isTooLarge(ApiException e) {
        if (e.hasCause("ResourceVersionTooLarge")) {
            return true;
        }
        Status.Details details = e.status().details();
        return e.isTimeout()
                && (e.status().message().contains("Too large resource version")
                        || (details != null
                                && details.causes().stream()
                                        .anyMatch(cause -> cause.message().equals("Too large resource version"))));
    }

    private static boolean isTooLarge(WatchEnd end) {
        return end instanceof WatchEnd.Lost lost && lost.failure().kind() == TransportException.Kind.TOO_LARGE;
    }

    private static boolean isOverload(RuntimeException refusal) {
        return refusal instanceof ApiException e && e.isTooManyRequests();
    }

    private static boolean isUnreachable(RuntimeException refusal) {
        return refusal instanceof TransportException e && e.kind() == TransportException.Kind.CONNECT;
    }

    /** Returns whether the server refused to open a watch for now, or did not answer over an established connection. */
    static boolean isRefusedOrUnanswered(RuntimeException refusal) {
        return isOverload(refusal) || isUnanswered(refusal);
    }

    private static boolean isUnanswered(RuntimeException refusal) {
        return refusal instanceof TransportException e
                && switch (e.kind()) {
                    case TIMEOUT, BROKEN, UNEXPECTED_EOF -> true;
                    case CONNECT, TLS, TOO_LARGE, CLOSED, CONFIGURATION -> false;
                };
    }
}
