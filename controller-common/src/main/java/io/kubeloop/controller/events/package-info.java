/**
 * Events: what controllers tell people about objects, without drowning the server in it (upstream:
 * {@code client-go/tools/record} and {@code client-go/tools/events}).
 *
 * <p>Entry types: {@link io.kubeloop.controller.events.EventRecorder} for those who report,
 * {@link io.kubeloop.controller.events.EventBroadcaster} for those who set it up.
 *
 * <p>Beside these, which write events of the core group as kube-controller-manager does, there are
 * {@link io.kubeloop.controller.events.EventsV1Recorder} and {@link io.kubeloop.controller.events.EventsV1Broadcaster} for the
 * newer {@code events.k8s.io/v1}, and {@link io.kubeloop.controller.events.EventBroadcasterAdapter} for servers of either kind.
 *
 * <p>Threading: recorders and broadcasters are thread-safe and never block the caller; correlation and writing happen on the
 * broadcaster's threads, of which the one for the core group has one.
 */
@NullMarked
package io.kubeloop.controller.events;

import org.jspecify.annotations.NullMarked;
