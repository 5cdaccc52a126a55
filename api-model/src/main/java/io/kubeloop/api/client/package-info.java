/**
 * The client contract: verbs and bytes ({@link io.kubeloop.api.client.Transport}), typed calls on top of them
 * ({@link io.kubeloop.api.client.KubeClient}), and what a reflector needs
 * ({@link io.kubeloop.api.client.ListerWatcher}).
 *
 * <p>Threading: transports and clients are thread-safe; a stream belongs to one reader, and may be closed by anybody.
 */
@NullMarked
package io.kubeloop.api.client;

import org.jspecify.annotations.NullMarked;
