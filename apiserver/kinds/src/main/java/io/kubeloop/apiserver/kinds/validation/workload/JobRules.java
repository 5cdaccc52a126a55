/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.PodSpecRules;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Validation of Jobs (upstream: {@code pkg/apis/batch/validation}). */
public final class JobRules {

    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

    /** The labels that a job sets on its pods, with the path of their value in the job. */
    public static final Map<String, String> LABELS = Map.of(
            "controller-uid", "uid",
            "job-name", "name",
            "batch.kubernetes.io/controller-uid", "uid",
            "batch.kubernetes.io/job-name", "name");

    private static final List<String> LABEL_ORDER =
            List.of("controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name");

    private static final String INDEXED = "Indexed";
    private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
    private static final String VALID_ACTIONS = "valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]";
    private static final List<String> CONDITION_STATES = List.of("False", "True", "Unknown");
    private static final String NEEDS_INDEXES = "requires indexed completion mode";
    private static final long MAX_INDEXED = 100_000;
    private static final long MAX_WITH_MANY = 10_000;
    private static final int MAX_RULES = 20;
    private static final int MAX_EXIT_CODES = 255;
    private static final int MAX_MANAGER = 63;

    private JobRules() {}

    /** Validates a new Job. */
    public static void create(FieldCursor job) {
        generatedSelector(job);
        whole(job.at("spec"));
        nameAllowsCompletions(job);
    }

    /** The name of a pod with an index is also its hostname. */
    private static void nameAllowsCompletions(FieldCursor job) {
        FieldCursor spec = job.at("spec");
        long completions = spec.at("completions").number();
        FieldCursor name = job.at("metadata", "name");
        if (isIndexed(spec) && completions > 0) {
            String hostname = name.text() + "-" + (completions - 1);
            if (!NameValidation.dns1123Label(hostname).isEmpty()) {
                name.invalid("will not able to create pod with invalid DNS label: " + hostname);
            }
        }
    }

    private static void whole(FieldCursor spec) {
        spec(spec);
        FieldCursor selector = spec.at("selector");
        if (selector.isSet()) {
            SelectorRules.selector(selector);
        } else {
            selector.required("");
        }
        Selector read = SelectorRules.read(selector);
        if (read != null) {
            SelectorRules.matches(read, spec.at("template"));
        }
    }

    private static boolean isIndexed(FieldCursor spec) {
        return spec.at("completionMode").text().equals(INDEXED);
    }

    /** The labels and the selector that the server generates must be as generated. */
    private static void generatedSelector(FieldCursor job) {
        FieldCursor spec = job.at("spec");
        FieldCursor selector = spec.at("selector");
        if (spec.at("manualSelector").isTrue() || !selector.isSet()) {
            return;
        }
        FieldCursor labels = spec.at("template", "metadata", "labels");
        Map<String, String> expected = new HashMap<>();
        for (String label : LABEL_ORDER) {
            String value = job.at("metadata", LABELS.getOrDefault(label, label)).text();
            expected.put(label, value);
            FieldCursor entry = labels.entry(label);
            if (!entry.isSet()) {
                entry.required("must be '" + value + "'");
            } else if (!entry.text().equals(value)) {
                // Go sorts the keys of a map.
                JsonObject sorted = JsonObject.of(new TreeMap<>(labels.object().members()));
                entry.holding(sorted).invalid("must be '" + value + "'");
            }
        }
        Selector read = SelectorRules.read(selector);
        if (read != null && !read.matches(expected)) {
            selector.invalid("`selector` not auto-generated");
        }
    }

    private static void spec(FieldCursor spec) {
        for (String field : List.of(
                "parallelism",
                "completions",
                "activeDeadlineSeconds",
                "backoffLimit",
                "ttlSecondsAfterFinished",
                "backoffLimitPerIndex",
                "maxFailedIndexes")) {
            spec.at(field).nonNegative();
        }
        if (spec.at("maxFailedIndexes").isSet()
                && !spec.at("backoffLimitPerIndex").isSet()) {
            spec.at("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
        }
        spec.at("managedBy").ifSet(JobRules::manager);
        completionMode(spec);
        spec.at("podFailurePolicy").ifSet(policy -> failurePolicy(spec, policy));
        spec.at("successPolicy").ifSet(policy -> {
            if (isIndexed(spec)) {
                SuccessRules.policy(policy, spec.at("completions").number());
            } else {
                policy.holding(InternalForm.of("batch.v1.SuccessPolicy", policy.object()))
                        .invalid(NEEDS_INDEXES);
            }
        });
        boolean hasFailurePolicy = spec.at("podFailurePolicy").isSet();
        spec.at("podReplacementPolicy")
                .oneOfIfSet(hasFailurePolicy ? List.of("Failed") : List.of("Failed", "TerminatingOrFailed"));
        PodSpecRules.template(spec.at("template"));
        FieldCursor restart = spec.at("template", "spec", "restartPolicy");
        switch (restart.text()) {
            case "Always", "" -> restart.required("valid values: \"OnFailure\", \"Never\"");
            case "OnFailure" -> {
                if (hasFailurePolicy) {
                    restart.invalid("only \"Never\" is supported when podFailurePolicy is specified");
                }
            }
            case "Never" -> {}
            default -> restart.notSupported(List.of("OnFailure", "Never"));
        }
    }

    private static void manager(FieldCursor manager) {
        String text = manager.text();
        int slash = text.indexOf('/');
        if (text.isEmpty()) {
            manager.required("");
        } else if (slash <= 0 || slash == text.length() - 1) {
            manager.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            String host = text.substring(0, slash);
            NameValidation.dns1123Subdomain(host)
                    .forEach(problem -> manager.errors().invalid(manager.path(), host, problem));
            String path = text.substring(slash + 1);
            if (!PATH.matcher(path).matches()) {
                manager.errors()
                        .invalid(
                                manager.path(),
                                path,
                                "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
            }
        }
        if (text.length() > MAX_MANAGER) {
            manager.errors().tooLong(manager.path(), MAX_MANAGER);
        }
    }

    private static void completionMode(FieldCursor spec) {
        FieldCursor mode = spec.at("completionMode");
        FieldCursor maxFailed = spec.at("maxFailedIndexes");
        FieldCursor perIndex = spec.at("backoffLimitPerIndex");
        mode.oneOfIfSet(List.of("NonIndexed", INDEXED));
        if (isIndexed(spec)) {
            indexed(spec);
        } else if (!mode.isSet() || mode.text().equals("NonIndexed")) {
            perIndex.ifSet(limit -> limit.invalid(NEEDS_INDEXES));
            maxFailed.ifSet(limit -> limit.invalid(NEEDS_INDEXES));
        }
    }

    private static void indexed(FieldCursor spec) {
        FieldCursor completions = spec.at("completions");
        FieldCursor parallelism = spec.at("parallelism");
        FieldCursor maxFailed = spec.at("maxFailedIndexes");
        if (!completions.isSet()) {
            completions.required("when completion mode is " + INDEXED);
        }
        atMost(parallelism, MAX_INDEXED, " when completion mode is " + INDEXED);
        if (completions.isSet() && maxFailed.isSet() && maxFailed.number() > completions.number()) {
            maxFailed.invalid("must be less than or equal to completions");
        }
        atMost(maxFailed, MAX_INDEXED, "");
        if (completions.number() > MAX_INDEXED
                && spec.at("backoffLimitPerIndex").isSet()) {
            if (!maxFailed.isSet()) {
                maxFailed.required("must be specified when completions is above " + MAX_INDEXED);
            }
            String why = " when completions are above " + MAX_INDEXED + " and used with backoff limit per index";
            atMost(parallelism, MAX_WITH_MANY, why);
            atMost(maxFailed, MAX_WITH_MANY, why);
        }
    }

    private static void atMost(FieldCursor count, long most, String why) {
        if (count.isSet() && count.number() > most) {
            count.invalid("must be less than or equal to " + most + why);
        }
    }

    private static void failurePolicy(FieldCursor spec, FieldCursor policy) {
        FieldCursor rules = policy.at("rules");
        rules.atMost(MAX_RULES);
        JsonObject pod = spec.at("template", "spec").object();
        Set<String> containers = Stream.concat(
                        pod.array("containers").objects(),
                        pod.array("initContainers").objects())
                .map(container -> container.string("name"))
                .collect(Collectors.toSet());
        rules.each(rule -> failureRule(spec, rule, containers));
    }

    private static void failureRule(FieldCursor spec, FieldCursor rule, Set<String> containers) {
        FieldCursor action = rule.at("action");
        if (action.isEmpty()) {
            action.required(VALID_ACTIONS);
        } else if (!action.text().equals("FailIndex")) {
            action.oneOf(ACTIONS);
        } else if (!spec.at("backoffLimitPerIndex").isSet()) {
            action.invalid("requires the backoffLimitPerIndex to be set");
        }
        FieldCursor codes = rule.at("onExitCodes");
        FieldCursor conditions = rule.at("onPodConditions");
        codes.ifSet(some -> exitCodes(some, containers));
        conditions.atMost(MAX_RULES);
        conditions.each(JobRules::conditionPattern);
        if (codes.isSet() == !conditions.isEmpty()) {
            rule.errors()
                    .invalidWithoutValue(
                            rule.path(),
                            codes.isSet()
                                    ? "specifying both OnExitCodes and OnPodConditions is not supported"
                                    : "specifying one of OnExitCodes and OnPodConditions is required");
        }
    }

    private static void conditionPattern(FieldCursor pattern) {
        pattern.at("type").follows(NameValidation::qualifiedName);
        if (pattern.at("status").require("valid values: [\"False\" \"True\" \"Unknown\"]")) {
            pattern.at("status").oneOf(CONDITION_STATES);
        }
    }

    private static void exitCodes(FieldCursor codes, Set<String> containers) {
        FieldCursor operator = codes.at("operator");
        FieldCursor values = codes.at("values");
        if (operator.require("valid values: [\"In\" \"NotIn\"]")) {
            operator.oneOf(List.of("In", "NotIn"));
        }
        codes.at("containerName").ifSet(name -> {
            if (!containers.contains(name.text())) {
                name.invalid("must be one of the container or initContainer names in the pod template");
            }
        });
        if (values.isEmpty()) {
            values.invalid("at least one value is required");
        }
        values.atMost(MAX_EXIT_CODES);
        boolean ordered = true;
        List<Long> seen = new ArrayList<>();
        for (FieldCursor value : values.items()) {
            if (operator.text().equals("In") && value.number() == 0) {
                value.invalid("must not be 0 for the In operator");
            }
            if (seen.contains(value.number())) {
                value.duplicate();
            }
            ordered &= seen.isEmpty() || seen.get(seen.size() - 1) <= value.number();
            seen.add(value.number());
        }
        if (!ordered) {
            values.invalid("must be ordered");
        }
    }

    /** Validates the change of a Job. */
    public static void update(FieldCursor job, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            JobStatusRules.update(job, old);
        }
        if (part != Part.MAIN) {
            return;
        }
        FieldCursor spec = job.at("spec");
        FieldCursor before = old.at("spec");
        whole(spec);
        FieldCursor completions = spec.at("completions");
        if (!isIndexed(spec)) {
            completions.immutable(before.at("completions"));
        } else if (completions.isSet()
                && !completions.isSameAs(before.at("completions"))
                && completions.number() != spec.at("parallelism").number()) {
            completions.invalid("can only be modified in tandem with spec.parallelism");
        }
        spec.at("selector").immutable(before.at("selector"));
        template(job, old);
        spec.at("completionMode").immutable(before.at("completionMode"));
        immutableStruct("batch.v1.PodFailurePolicy", spec.at("podFailurePolicy"), before.at("podFailurePolicy"));
        spec.at("backoffLimitPerIndex").immutable(before.at("backoffLimitPerIndex"));
        spec.at("managedBy").immutable(before.at("managedBy"));
        immutableStruct("batch.v1.SuccessPolicy", spec.at("successPolicy"), before.at("successPolicy"));
        nameAllowsCompletions(job);
    }

    private static void immutableStruct(String type, FieldCursor field, FieldCursor before) {
        if (!field.isSameAs(before)) {
            InternalForm.shown(type, field).invalid("field is immutable");
        }
    }

    /**
     * The template of a job stays, except what a scheduler or an administrator may change while the job is suspended.
     */
    private static void template(FieldCursor job, FieldCursor old) {
        FieldCursor template = job.at("spec", "template");
        FieldCursor before = old.at("spec", "template");
        if (!old.at("spec", "suspend").isTrue()) {
            immutableStruct("core.v1.PodTemplateSpec", template, before);
            return;
        }
        JsonObject status = old.at("status").object();
        boolean started = status.has("startTime") && !JobStatusRules.isTrue(status, "Suspended");
        if (started || old.at("status", "active").number() != 0) {
            immutableStruct("core.v1.PodTemplateSpec", template, before);
            return;
        }
        JsonObject now = template.object().object("spec");
        JsonObject allowed = before.object().object("spec");
        for (String field : List.of("nodeSelector", "tolerations", "schedulingGates")) {
            JsonValue value = now.get(field);
            allowed = value == null ? allowed.without(field) : allowed.with(field, value);
        }
        allowed = withNodeAffinity(allowed, now);
        for (String list : List.of("containers", "initContainers")) {
            allowed = withResources(allowed, now, list);
        }
        if (!now.equals(allowed)) {
            InternalForm.shown("core.v1.PodSpec", template.at("spec")).invalid("field is immutable");
        }
    }

    private static JsonObject withNodeAffinity(JsonObject spec, JsonObject from) {
        JsonValue node = from.get("affinity", "nodeAffinity");
        if (node != null) {
            return spec.with(List.of("affinity", "nodeAffinity"), node);
        }
        JsonObject rest = spec.object("affinity").without("nodeAffinity");
        return rest.isEmpty() && !from.has("affinity") ? spec.without("affinity") : spec.with("affinity", rest);
    }

    private static JsonObject withResources(JsonObject spec, JsonObject from, String list) {
        List<JsonObject> containers = spec.array(list).objects().toList();
        List<JsonObject> now = from.array(list).objects().toList();
        if (containers.size() != now.size() || now.isEmpty()) {
            return spec;
        }
        List<JsonObject> result = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            JsonObject container = containers.get(i);
            result.add(
                    container.string("name").equals(now.get(i).string("name"))
                            ? container.with("resources", now.get(i).object("resources"))
                            : container);
        }
        return spec.with(list, JsonArray.of(result));
    }

    /** Validates the template of the jobs of a CronJob. */
    static void template(FieldCursor template) {
        FieldCursor spec = template.at("spec");
        spec(spec);
        spec.at("selector").ifSet(selector -> selector.invalid("`selector` will be auto-generated"));
        if (spec.at("manualSelector").isTrue()) {
            spec.at("manualSelector").notSupported(List.of("nil", "false"));
        }
    }
}
