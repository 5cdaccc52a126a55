/**
 * From a list and a watch to a local, indexed copy, and from there to handlers.
 *
 * <p>Entry types: {@link io.kubeloop.cache.SharedInformers} makes a {@link io.kubeloop.cache.SharedInformerFactory}, which
 * hands out one {@link io.kubeloop.cache.SharedInformer} per resource. The parts below it, store and delta queues, can be used
 * by themselves.
 *
 * <p>Threading: an informer has one thread that reads from the server, one that writes the store, and one per handler; what
 * runs on which is said by each class, and in {@code docs/concurrency.md}.
 */
@NullMarked
package io.kubeloop.cache;

import org.jspecify.annotations.NullMarked;
