package io.kubeloop.transport.http;

import java.time.Duration;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Which answers mean "ask again later" (upstream: {@code client-go/rest/with_retry.go}): 429 and 5xx, if the server says
 * how many seconds to wait.
 */
final class RetryPolicy {

    /** Times that a request is sent again before its answer is handed out as it is. */
    static final int MAX_RETRIES = 10;

    /** The longest wait that a caller's thread is held for; beyond it the caller gets the answer and decides. */
    static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private RetryPolicy() {}

    /**
     * Returns how long to wait before the next attempt, or null if there is none.
     *
     * @param retries how many there were
     */
    static @Nullable Duration delay(Response response, int retries) {
        int code = response.code();
        String header = response.header("Retry-After");
        if (retries >= MAX_RETRIES || (code != 429 && code < 500) || header == null || !header.matches("[0-9]{1,9}")) {
            return null;
        }
        Duration delay = Duration.ofSeconds(Long.parseLong(header));
        return delay.compareTo(MAX_WAIT) <= 0 ? delay : null;
    }
}
