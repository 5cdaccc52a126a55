/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.CronJobStatusBuilder;
import io.kubeloop.api.batch.Job;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.ObjectReferences;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The CronJob in one sync, with the status that the sync will write. Not thread-safe; the syncing thread owns it. */
final class CronRun {

    private final EventRecorder events;
    private CronJob cron;
    private boolean hasChanged;

    CronRun(CronJob latest, EventRecorder events) {
        cron = latest;
        this.events = events;
    }

    CronJob cron() {
        return cron;
    }

    /** Returns whether the status must be written. */
    boolean hasChanged() {
        return hasChanged;
    }

    /** Goes on with a newer state of the CronJob. */
    void replace(CronJob newer) {
        cron = newer;
    }

    List<ObjectReference> active() {
        return cron.status().active();
    }

    boolean isActive(String jobUid) {
        return active().stream().anyMatch(job -> job.uid().equals(jobUid));
    }

    private void change(Consumer<CronJobStatusBuilder> change) {
        CronJobStatusBuilder builder = CronJobStatusBuilder.builder(cron.status());
        change.accept(builder);
        cron = cron.withStatus(builder.build());
        hasChanged = true;
    }

    void removeActive(String jobUid) {
        List<ObjectReference> left =
                active().stream().filter(job -> !job.uid().equals(jobUid)).toList();
        change(status -> status.active(left));
    }

    void started(Job job, Time scheduled) {
        List<ObjectReference> all = new ArrayList<>(active());
        all.add(ObjectReferences.of(ResourceTypes.JOBS, job));
        change(status -> status.active(all).lastScheduleTime(scheduled));
    }

    void succeeded(Time completion) {
        change(status -> status.lastSuccessfulTime(completion));
    }

    void normal(String reason, String message) {
        events.event(ResourceTypes.CRON_JOBS, cron, EventType.NORMAL, reason, message);
    }

    void warning(String reason, String message) {
        events.event(ResourceTypes.CRON_JOBS, cron, EventType.WARNING, reason, message);
    }
}
