/**
 * The commands {@code apiserver} and {@code kubelet}, and the embedded control plane that they and the demo start.
 *
 * <p>Entry type: {@link io.kubeloop.app.server.EmbeddedControlPlane}. Threading: everything here is confined to the
 * main thread.
 */
@NullMarked
package io.kubeloop.app.server;

import org.jspecify.annotations.NullMarked;
