/**
 * An API server reached over HTTP.
 *
 * <p>Two steps: {@link io.kubeloop.transport.http.Kubeconfigs} turns files, flags and the environment into a
 * {@link io.kubeloop.transport.http.ClientConfig}; {@link io.kubeloop.transport.http.OkHttpTransport} connects with it.
 * The configuration types follow client-go's {@code tools/clientcmd} and {@code rest.Config}.
 *
 * <p>Threading: configuration is immutable; the transport is thread-safe and every call blocks its caller.
 */
@NullMarked
package io.kubeloop.transport.http;

import org.jspecify.annotations.NullMarked;
