/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and changes the conditions of a job, one per type. Stateless. */
final class JobConditions {

    static final String TRUE = "True";
    static final String FALSE = "False";

    private JobConditions() {}

    /** Creates a condition that changes now. */
    static JobCondition of(String type, String status, String reason, String message, Time now) {
        return new JobCondition(type, status, now, now, reason, message, UnknownFields.NONE);
    }

    /** Returns a true condition of another type with the same reason and message. */
    static JobCondition following(JobCondition earlier, String type, Time now) {
        return of(type, TRUE, earlier.reason(), earlier.message(), now);
    }

    /** Returns the condition of a type if it is true, or null. */
    static @Nullable JobCondition findTrue(Job job, String type) {
        return job.status().conditions().stream()
                .filter(condition -> condition.type().equals(type) && condition.isTrue())
                .findFirst()
                .orElse(null);
    }

    /** Returns the conditions and one more. */
    static List<JobCondition> append(List<JobCondition> conditions, JobCondition added) {
        List<JobCondition> result = new ArrayList<>(conditions);
        result.add(added);
        return result;
    }

    /**
     * Returns the conditions, in which this one replaces the condition of the same type. Returns the same list if
     * status, reason and message are as before, or if the condition is false and was absent (upstream: {@code
     * ensureJobConditionStatus}).
     */
    static List<JobCondition> with(List<JobCondition> conditions, JobCondition wanted) {
        for (int i = 0; i < conditions.size(); i++) {
            JobCondition present = conditions.get(i);
            if (present.type().equals(wanted.type())) {
                if (isSame(present, wanted)) {
                    return conditions;
                }
                List<JobCondition> result = new ArrayList<>(conditions);
                result.set(i, wanted);
                return result;
            }
        }
        return wanted.status().equals(FALSE) ? conditions : append(conditions, wanted);
    }

    private static boolean isSame(JobCondition a, JobCondition b) {
        return a.status().equals(b.status())
                && a.reason().equals(b.reason())
                && a.message().equals(b.message());
    }
}
