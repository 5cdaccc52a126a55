/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;

/**
 * The parts that syncs and handlers share.
 *
 * @param zones reads schedules
 * @param events records events about CronJobs
 * @param queue the CronJobs to sync
 * @param metrics receives the controller's metrics
 * @param clock the time of day
 */
public record CronParts(
        CronZones zones,
        EventRecorder events,
        DelayingQueue<ObjectName> queue,
        ControllerMetrics metrics,
        Clock clock) {}
