/**
 * Events: what controllers tell people about objects, without drowning the server in it (upstream:
 * {@code client-go/tools/record}).
 *
 * <p>Entry types: {@link io.kubeloop.controller.events.EventRecorder} for those who report,
 * {@link io.kubeloop.controller.events.EventBroadcaster} for those who set it up.
 *
 * <p>Threading: recorders and broadcasters are thread-safe and never block the caller; correlation and writing happen on the
 * broadcaster's one thread.
 */
@NullMarked
package io.kubeloop.controller.events;

import org.jspecify.annotations.NullMarked;
