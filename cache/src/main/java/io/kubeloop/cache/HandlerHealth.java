package io.kubeloop.cache;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a handler is doing.
 *
 * @param name the handler's own, by default its class
 * @param synced whether it has handled the whole first list
 * @param pending how many calls are still to come, the running one included
 * @param behindSince since when the handler has been behind: more than 1024 calls were to come then, and it has not caught up, to
 *     512, since; null if it is not behind
 * @param delivered how many calls have returned or thrown
 * @param failed how many of them have thrown
 */
public record HandlerHealth(
        String name, boolean synced, long pending, @Nullable Instant behindSince, long delivered, long failed) {}
