/**
 * The system clock: {@link io.kubeloop.workqueue.runtime.SystemAlarmClock}, whose alarms own the only threads of a queue.
 * Every type is thread-safe.
 */
@NullMarked
package io.kubeloop.workqueue.runtime;

import org.jspecify.annotations.NullMarked;
