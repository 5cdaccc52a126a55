/**
 * Time, threads and calls of user code.
 *
 * <p>Entry types: {@link io.kubeloop.workqueue.runtime.SystemAlarmClock}, whose alarms own the only threads of a queue, and
 * {@link io.kubeloop.workqueue.runtime.UserCode}. Every type is thread-safe.
 */
@NullMarked
package io.kubeloop.workqueue.runtime;

import org.jspecify.annotations.NullMarked;
