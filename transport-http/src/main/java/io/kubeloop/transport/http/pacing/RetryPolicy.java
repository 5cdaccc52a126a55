/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.pacing;

import java.time.Duration;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The rules for sending a request again. Stateless.
 *
 * <p>A response 429 or 5xx with {@code Retry-After} in seconds requests another attempt later (upstream: {@code
 * client-go/rest/with_retry.go}).
 *
 * <p>A request that the server did not process is also sent again (Go's {@code http2.Transport} makes as many attempts,
 * at intervals of seconds). A server that distributes its clients by closing connections (kube-apiserver's {@code
 * --goaway-chance}) may close several connections in a row, each with its pending requests.
 */
public final class RetryPolicy {

    /** The largest number of further attempts before the response is returned as it is. */
    static final int MAX_RETRIES = 10;

    /** The longest delay. For a longer {@code Retry-After} the caller receives the response and decides. */
    static final Duration MAX_WAIT = Duration.ofMinutes(1);

    /** The largest number of further attempts for a request that the server did not process. */
    static final int MAX_UNTOUCHED = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private RetryPolicy() {}

    /**
     * Returns the delay before a request that the server did not process is sent again: none the first time, then 50
     * ms, doubled each time. Returns null if there is no further attempt.
     *
     * @param refusals the number of such attempts so far
     */
    public static @Nullable Duration delayOfUntouched(int refusals) {
        if (refusals >= MAX_UNTOUCHED) {
            return null;
        }
        return refusals == 0 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << (refusals - 1));
    }

    /**
     * Returns the delay before the next attempt, or null if there is none.
     *
     * @param retries the number of further attempts so far
     */
    public static @Nullable Duration delay(Response response, int retries) {
        int code = response.code();
        String header = response.header("Retry-After");
        if (retries >= MAX_RETRIES || (code != 429 && code < 500) || header == null || !header.matches("[0-9]{1,9}")) {
            return null;
        }
        Duration delay = Duration.ofSeconds(Long.parseLong(header));
        return delay.compareTo(MAX_WAIT) <= 0 ? delay : null;
    }
}
