/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.CronJobSpec;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.events.EventType;
import java.util.Objects;

/**
 * Handles events of CronJobs: queues them (upstream: {@code updateCronJob}). A new schedule is synced at its next time,
 * every other change at once. One thread delivers the events.
 *
 * @param parts the parts that the handler shares with the syncs
 */
public record CronJobHandlers(CronParts parts) implements ResourceEventHandler<CronJob> {

    @Override
    public void onAdd(CronJob cron, boolean isInInitialList) {
        parts.queue().add(cron.objectName());
    }

    @Override
    public void onUpdate(CronJob old, CronJob current) {
        CronJobSpec before = old.spec();
        CronJobSpec now = current.spec();
        if (before.schedule().equals(now.schedule()) && Objects.equals(before.timeZone(), now.timeZone())) {
            parts.queue().add(current.objectName());
            return;
        }
        try {
            CronSchedule schedule = parts.zones().schedule(now);
            parts.queue()
                    .addAfter(
                            current.objectName(),
                            StartTimes.untilNext(current, parts.clock().instant(), schedule));
        } catch (CronSyntaxException e) {
            parts.events()
                    .event(
                            ResourceTypes.CRON_JOBS,
                            current,
                            EventType.WARNING,
                            "UnParseableCronJobSchedule",
                            "unparseable schedule for cronjob: " + now.schedule());
        }
    }

    @Override
    public void onDelete(DeletedObject<CronJob> deleted) {
        parts.queue().add(deleted.name());
    }
}
