/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The end of an open watch, with its reason. */
public sealed interface WatchEnd {

    /** A watch that ends within this time and without an event counts as very short. */
    long SHORT_NANOS = 1_000_000_000L;

    /** Returns the failure; null if the watch ended normally. */
    @Nullable
    RuntimeException failure();

    /** The server, or a deadline, ended the watch normally. */
    record Closed(boolean veryShort) implements WatchEnd {
        @Override
        public @Nullable RuntimeException failure() {
            return null;
        }
    }

    /** The connection broke. */
    record Lost(TransportException failure, boolean veryShort) implements WatchEnd {}

    /** The server sent an error event. */
    record Failed(Status status) implements WatchEnd {
        @Override
        public ApiException failure() {
            Status.Details details = status.details();
            Duration retryAfter = details == null || details.retryAfterSeconds() <= 0
                    ? null
                    : Duration.ofSeconds(details.retryAfterSeconds());
            return new ApiException("watch", status, retryAfter);
        }
    }

    /** A frame was malformed. */
    record Malformed(DecodeException failure) implements WatchEnd {}
}
