/**
 * Test support for code that uses queues: {@link io.kubeloop.workqueue.testing.ManualAlarmClock}, a clock that a test
 * advances by hand. Thread-safe.
 */
@NullMarked
package io.kubeloop.workqueue.testing;

import org.jspecify.annotations.NullMarked;
