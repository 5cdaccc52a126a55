package io.kubeloop.cache;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one handler.
 *
 * @param name the name of the handler, by default that of its class
 * @param synced whether it has handled the whole first list
 * @param pending number of calls still to be made, the running call included
 * @param behindSince the time when the handler fell behind: more than 1024 calls were pending, and the number has not
 *     dropped to 512 since; null if the handler is not behind
 * @param delivered number of calls that have returned or thrown
 * @param failed number of calls that have thrown
 */
public record HandlerHealth(
        String name, boolean synced, long pending, @Nullable Instant behindSince, long delivered, long failed) {}
