/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Validation of the status that a controller reports for a Job. Most rules apply only to changed fields, so an
 * invalid older status can still be corrected.
 */
final class JobStatusRules {

    private static final String IMMUTABLE = "field is immutable";

    private final FieldCursor job;
    private final FieldCursor status;
    private final JsonObject now;
    private final JsonObject before;

    private JobStatusRules(FieldCursor job, FieldCursor old) {
        this.job = job;
        status = job.at("status");
        now = status.object();
        before = old.at("status").object();
    }

    static boolean isTrue(JsonObject status, String condition) {
        return has(status, condition, "True");
    }

    private static boolean has(JsonObject status, String condition, String state) {
        return status.array("conditions")
                .objects()
                .anyMatch(some -> some.string("type").equals(condition)
                        && some.string("status").equals(state));
    }

    static void update(FieldCursor job, FieldCursor old) {
        JobStatusRules rules = new JobStatusRules(job, old);
        for (String count : List.of("active", "succeeded", "failed", "ready", "terminating")) {
            rules.status.at(count).nonNegative();
        }
        rules.uncounted();
        rules.finished();
        rules.indexes();
        rules.pods();
        rules.criteria();
        rules.transition();
    }

    private boolean changed(String field) {
        return !Objects.equals(now.get(field), before.get(field));
    }

    private boolean changedCondition(String condition) {
        return isTrue(now, condition) != isTrue(before, condition);
    }

    private static boolean isFinished(JsonObject status) {
        return isTrue(status, "Complete") || isTrue(status, "Failed");
    }

    private boolean finishedChanged() {
        return isFinished(now) != isFinished(before);
    }

    private void conditions(String problem) {
        status.errors().invalidWithoutValue("status.conditions", problem);
    }

    private void uncounted() {
        Set<String> seen = new HashSet<>();
        for (String list : List.of("succeeded", "failed")) {
            for (FieldCursor uid : status.at("uncountedTerminatedPods", list).items()) {
                if (uid.isEmpty()) {
                    uid.holdingText().invalid("must not be empty");
                } else if (!seen.add(uid.text())) {
                    uid.duplicate();
                }
            }
        }
    }

    private void finished() {
        boolean complete = isTrue(now, "Complete");
        boolean failed = isTrue(now, "Failed");
        boolean failing = isTrue(now, "FailureTarget");
        FieldCursor completionTime = status.at("completionTime");
        if (changedCondition("Complete") || changedCondition("Failed") || changedCondition("FailureTarget")) {
            if (complete && failed) {
                conditions("cannot set Complete=True and Failed=true conditions");
            }
            if (complete && failing) {
                conditions("cannot set Complete=True and FailureTarget=true conditions");
            }
        }
        if (changedCondition("Complete") || changed("completionTime")) {
            if (completionTime.isSet() && !complete) {
                completionTime.invalid("cannot set completionTime when there is no Complete=True condition");
            }
            if (!completionTime.isSet() && complete) {
                completionTime.required("completionTime is required for Complete jobs");
            }
        }
        if ((changed("startTime") || changed("completionTime"))
                && completionTime.isSet()
                && status.at("startTime").isSet()
                && isBefore(completionTime.text(), status.at("startTime").text())) {
            completionTime.invalid("must be equal to or after `startTime`");
        }
        if ((changedCondition("Failed") || changed("failedIndexes")) && failed && !failing) {
            conditions("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if ((changedCondition("Complete") || changedCondition("SuccessCriteriaMet"))
                && complete
                && !isTrue(now, "SuccessCriteriaMet")) {
            conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
    }

    private static boolean isBefore(String one, String other) {
        return Instant.parse(one).isBefore(Instant.parse(other));
    }

    private void pods() {
        boolean finished = isFinished(now);
        FieldCursor terminating = status.at("terminating");
        if ((finishedChanged() || changed("terminating")) && terminating.number() > 0 && finished) {
            terminating.invalid("terminating>0 is invalid for finished job");
        }
        FieldCursor ready = status.at("ready");
        if ((changed("ready") || changed("active"))
                && ready.isSet()
                && ready.number() > status.at("active").number()) {
            ready.invalid("cannot set more ready pods than active");
        }
    }

    private void indexes() {
        boolean finished = isFinished(now);
        FieldCursor spec = job.at("spec");
        FieldCursor active = status.at("active");
        if ((finishedChanged() || changed("active")) && active.number() > 0 && finished) {
            active.invalid("active>0 is invalid for finished job");
        }
        boolean suspendedWithoutWork = spec.at("suspend").isTrue()
                && spec.at("completions").isSet()
                && spec.at("completions").number() == 0;
        if ((finishedChanged() || changed("startTime"))
                && !suspendedWithoutWork
                && finished
                && !status.at("startTime").isSet()) {
            status.at("startTime").required("startTime is required for finished job");
        }
        FieldCursor uncounted = status.at("uncountedTerminatedPods");
        boolean someUncounted =
                !uncounted.at("failed").isEmpty() || !uncounted.at("succeeded").isEmpty();
        if ((finishedChanged() || changed("uncountedTerminatedPods")) && finished && someUncounted) {
            InternalForm.shown("batch.v1.UncountedTerminatedPods", uncounted).invalid("must be empty for finished job");
        }
        indexList("completedIndexes", true);
        indexList("failedIndexes", spec.at("backoffLimitPerIndex").isSet());
        FieldCursor completed = status.at("completedIndexes");
        if (changed("completedIndexes")
                && !completed.isEmpty()
                && !spec.at("completionMode").text().equals("Indexed")) {
            completed.invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
        }
        FieldCursor failed = status.at("failedIndexes");
        if (changed("failedIndexes")
                && failed.isSet()
                && !spec.at("backoffLimitPerIndex").isSet()) {
            failed.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
        }
    }

    private void indexList(String field, boolean checked) {
        FieldCursor completions = job.at("spec", "completions");
        FieldCursor list = status.at(field);
        if (!checked || !changed(field) || !completions.isSet()) {
            return;
        }
        SuccessRules.Indexes parsed = SuccessRules.parse(list.text(), completions.number());
        if (!parsed.problem().isEmpty()) {
            list.invalid("error parsing " + field + ": " + parsed.problem());
        }
    }

    private void criteria() {
        boolean met = isTrue(now, "SuccessCriteriaMet");
        if (met && isTrue(now, "Failed")) {
            conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if (met && isTrue(now, "FailureTarget")) {
            conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if (job.at("spec", "successPolicy").isSet() && !met && isTrue(now, "Complete")) {
            conditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    private void transition() {
        for (String condition : List.of("Failed", "Complete", "FailureTarget")) {
            if (isTrue(before, condition) && !isTrue(now, condition)) {
                conditions("cannot disable the terminal " + condition + "=True condition");
            }
        }
        decreased("failed", true);
        FieldCursor spec = job.at("spec");
        boolean scalable = spec.at("completionMode").text().equals("Indexed")
                && Objects.equals(
                        spec.at("completions").value(), spec.at("parallelism").value());
        decreased("succeeded", !scalable);
        FieldCursor completionTime = status.at("completionTime");
        if (completionTime.isSet() && before.has("completionTime") && changed("completionTime")) {
            completionTime.invalid(IMMUTABLE);
        }
        boolean resuming = isTrue(before, "Suspended") && has(now, "Suspended", "False");
        if (changed("startTime")
                && !resuming
                && before.has("startTime")
                && !spec.at("suspend").isTrue()) {
            status.at("startTime").invalid("field is immutable for unsuspended job once set");
        }
        if (isTrue(before, "SuccessCriteriaMet") && !isTrue(now, "SuccessCriteriaMet")) {
            conditions("cannot disable the SuccessCriteriaMet=True condition");
        }
        if (isTrue(before, "Complete") && !isTrue(before, "SuccessCriteriaMet") && isTrue(now, "SuccessCriteriaMet")) {
            conditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }

    private void decreased(String counter, boolean rejected) {
        Long earlier = before.number(counter);
        FieldCursor count = status.at(counter);
        if (rejected && earlier != null && count.number() < earlier) {
            count.holdingNumber().invalid("cannot decrease the " + counter + " counter");
        }
    }
}
