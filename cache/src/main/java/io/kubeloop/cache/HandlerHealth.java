package io.kubeloop.cache;

/**
 * How a handler is doing.
 *
 * @param name the handler's own, by default its class
 * @param synced whether it has handled the whole first list
 * @param pending how many notifications wait
 * @param delivered how many calls have returned or thrown
 * @param failed how many of them have thrown
 */
public record HandlerHealth(String name, boolean synced, long pending, long delivered, long failed) {}
