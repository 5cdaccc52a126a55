/**
 * Clients of an API server: from kubeconfig, with one client per controller, and with service account tokens that are
 * renewed.
 *
 * <p>Entry type: {@link io.kubeloop.app.clients.ClientBuilder}. Threading: clients and transports are thread-safe.
 */
@NullMarked
package io.kubeloop.app.clients;

import org.jspecify.annotations.NullMarked;
