/**
 * The command {@code controller-manager}: flags, leader election, and the controllers of one term.
 *
 * <p>Entry type: {@link io.kubeloop.app.manager.ControllerManagerCommand}. Threading: the main thread reads flags and waits; a term runs on the thread that leads.
 */
@NullMarked
package io.kubeloop.app.manager;

import org.jspecify.annotations.NullMarked;
