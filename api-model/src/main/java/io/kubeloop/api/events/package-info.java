/**
 * Types of the {@code events.k8s.io} API group (upstream: {@code k8s.io/api/events/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.events.EventsV1Event}. Absent fields follow the rule of {@link io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.events;

import org.jspecify.annotations.NullMarked;
