/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Events about objects, recorded by controllers for users and condensed to spare the server (upstream:
 * {@code client-go/tools/record}).
 *
 * <p>Entry types: controllers record events with an {@link io.kubeloop.controller.events.EventRecorder}; a process
 * creates recorders from an {@link io.kubeloop.controller.events.EventBroadcaster}.
 *
 * <p>Events are written to the core group, as kube-controller-manager does. A server shows them in {@code
 * events.k8s.io/v1} too.
 *
 * <p>Threading: recorders and broadcasters are thread-safe, and recording never blocks. Events are correlated and
 * written on the threads of the broadcaster.
 */
@NullMarked
package io.kubeloop.controller.events;

import org.jspecify.annotations.NullMarked;
