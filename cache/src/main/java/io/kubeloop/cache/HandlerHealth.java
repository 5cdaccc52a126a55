package io.kubeloop.cache;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a handler is doing.
 *
 * @param name the handler's own, by default its class
 * @param synced whether it has handled the whole first list
 * @param pending how many notifications wait
 * @param behindSince since when more than 1024 have waited; null if fewer do
 * @param delivered how many calls have returned or thrown
 * @param failed how many of them have thrown
 */
public record HandlerHealth(
        String name, boolean synced, long pending, @Nullable Instant behindSince, long delivered, long failed) {}
