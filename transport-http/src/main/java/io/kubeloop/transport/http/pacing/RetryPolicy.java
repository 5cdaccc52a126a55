package io.kubeloop.transport.http.pacing;

import java.time.Duration;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * When a request is sent again. Answers that mean "ask again later" (upstream: {@code client-go/rest/with_retry.go}): 429 and
 * 5xx, if the server says how many seconds to wait. And requests that the server has not touched (Go's {@code http2.Transport}
 * sends them as often, at intervals of seconds): a server that spreads its clients by closing connections (kube-apiserver's
 * {@code --goaway-chance}) may do so to several in a row, each with all that is under way on it.
 */
public final class RetryPolicy {

    /** Times that a request is sent again before its answer is handed out as it is. */
    static final int MAX_RETRIES = 10;

    /** The longest wait that a caller's thread is held for; beyond it the caller gets the answer and decides. */
    static final Duration MAX_WAIT = Duration.ofMinutes(1);

    /** Times that a request is sent again that the server has not touched. */
    static final int MAX_UNTOUCHED = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private RetryPolicy() {}

    /**
     * Returns how long to wait before a request is sent again that was left untouched, or null if it was often enough: not at all
     * the first time, then 50 ms, and twice as long each time.
     *
     * @param refusals how many there were before
     */
    public static @Nullable Duration delayOfUntouched(int refusals) {
        if (refusals >= MAX_UNTOUCHED) {
            return null;
        }
        return refusals == 0 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << (refusals - 1));
    }

    /**
     * Returns how long to wait before the next attempt, or null if there is none.
     *
     * @param retries how many there were
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
