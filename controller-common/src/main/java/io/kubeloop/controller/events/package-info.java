/**
 * Events about objects, recorded by controllers for users and condensed to spare the server (upstream:
 * {@code client-go/tools/record} and {@code client-go/tools/events}).
 *
 * <p>Entry types: controllers record events with an {@link io.kubeloop.controller.events.EventRecorder}; a process
 * creates recorders from an {@link io.kubeloop.controller.events.EventBroadcaster}.
 *
 * <p>These write events of the core group, as kube-controller-manager does. {@link
 * io.kubeloop.controller.events.EventsV1Recorder} and {@link io.kubeloop.controller.events.EventsV1Broadcaster} write
 * the newer {@code events.k8s.io/v1}. {@link io.kubeloop.controller.events.EventBroadcasterAdapter} chooses by what
 * the server serves.
 *
 * <p>Threading: recorders and broadcasters are thread-safe, and recording never blocks. Events are correlated and
 * written on the threads of the broadcaster.
 */
@NullMarked
package io.kubeloop.controller.events;

import org.jspecify.annotations.NullMarked;
