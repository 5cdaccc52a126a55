/**
 * Counts equal events of {@code events.k8s.io/v1} as series and writes them: the machinery beneath
 * {@link io.kubeloop.controller.events.EventsV1Broadcaster}.
 *
 * <p>Entry type: {@link io.kubeloop.controller.events.series.SeriesReconciler}. Any thread may record an event; workers write,
 * one at a time for each series.
 */
@NullMarked
package io.kubeloop.controller.events.series;

import org.jspecify.annotations.NullMarked;
