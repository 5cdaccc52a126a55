/**
 * Time, threads, and calls of user code, for every other package of this module.
 *
 * <p>Entry types: {@link io.kubeloop.cache.runtime.OwnedThreads} starts the threads of an informer and waits for their end;
 * {@link io.kubeloop.cache.runtime.Signal} is an event that a thread can await in real or stepped time;
 * {@link io.kubeloop.cache.runtime.SafeLog} logs without throwing.
 *
 * <p>Threading: each class states its own.
 */
@NullMarked
package io.kubeloop.cache.runtime;

import org.jspecify.annotations.NullMarked;
