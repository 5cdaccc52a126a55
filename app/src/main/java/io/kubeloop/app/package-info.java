/**
 * The command line: thin commands over the rooms below, and the manager that assembles them.
 *
 * <p>Entry types: {@link io.kubeloop.app.Main} and {@code ControllerManager}. Threading: a command runs on the main thread,
 * starts what it needs, waits for {@code ShutdownSignal}, and stops it in the opposite order.
 */
@NullMarked
package io.kubeloop.app;

import org.jspecify.annotations.NullMarked;
