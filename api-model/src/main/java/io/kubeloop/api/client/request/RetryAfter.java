/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time that a server requests the client to wait: the {@code Retry-After} header in seconds, or otherwise the
 * status details.
 */
final class RetryAfter {

    private RetryAfter() {}

    static @Nullable Duration of(Map<String, List<String>> headers, Status status) {
        List<String> values = headers.get("retry-after");
        if (values != null && !values.isEmpty() && values.get(0).matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(values.get(0)));
        }
        Status.Details details = status.details();
        return details != null && details.retryAfterSeconds() > 0
                ? Duration.ofSeconds(details.retryAfterSeconds())
                : null;
    }
}
