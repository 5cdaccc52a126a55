/**
 * Clients of an API server: their configuration, one client per controller, and renewed service account tokens.
 *
 * <p>Entry type: {@link io.kubeloop.app.clients.ClientBuilder}. Threading: clients and transports are thread-safe.
 */
@NullMarked
package io.kubeloop.app.clients;

import org.jspecify.annotations.NullMarked;
