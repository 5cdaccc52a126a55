/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.podsecurity;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityChecks.Violation;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityLevel.Level;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityLevel.Mode;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks pods, and the templates of pods, against the levels that the labels of their namespace select (upstream: the
 * plug-in {@code PodSecurity}). Immutable; thread-safe.
 *
 * <p>Violations of the mode {@code enforce} reject a pod; those of the mode {@code warn} are warned of, for pods and
 * templates. The mode {@code audit} is validated and has no effect, because the server writes no audit log.
 */
public final class PodSecurity implements AdmissionPlugin {

    private static final String NAMESPACES = "namespaces";
    private static final String PODS = "pods";

    /** The resources with a template of pods, and where it is. */
    private static final Map<String, String[]> TEMPLATES = Map.of(
            "replicationcontrollers", new String[] {"spec", "template"},
            "podtemplates", new String[] {"template"},
            "replicasets.apps", new String[] {"spec", "template"},
            "deployments.apps", new String[] {"spec", "template"},
            "statefulsets.apps", new String[] {"spec", "template"},
            "daemonsets.apps", new String[] {"spec", "template"},
            "jobs.batch", new String[] {"spec", "template"},
            "cronjobs.batch", new String[] {"spec", "jobTemplate", "spec", "template"});

    /** The subresources of pods that cannot change what is checked. */
    private static final Set<String> IGNORED =
            Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

    /** The most pods that a change of a namespace is checked against. */
    private static final int MOST_PODS = 3000;

    private final ResourceStore namespaces;
    private final ResourceStore pods;
    private final PodSecurityLevels defaults;
    private final JsonObject exemptions;

    /**
     * Creates the plug-in.
     *
     * @param configuration a {@code PodSecurityConfiguration} with {@code defaults} and {@code exemptions}; empty for
     *     none
     */
    public PodSecurity(ResourceStore namespaces, ResourceStore pods, JsonObject configuration) {
        this.namespaces = namespaces;
        this.pods = pods;
        defaults = check(configuration);
        exemptions = configuration.object("exemptions");
    }

    /**
     * Checks a configuration.
     *
     * @throws IllegalArgumentException if a default level is invalid
     */
    public static void require(JsonObject configuration) {
        check(configuration);
    }

    private static PodSecurityLevels check(JsonObject configuration) {
        FieldErrors errors = new FieldErrors();
        PodSecurityLevels levels = PodSecurityLevels.ofDefaults(configuration.object("defaults"), errors);
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("invalid configuration of PodSecurity: " + errors.message());
        }
        return levels;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        String resource = request.store().resource().toString();
        if (request.operation() != Operation.CREATE && request.operation() != Operation.UPDATE) {
            return;
        }
        if (resource.equals(NAMESPACES)) {
            if (request.isMain()) {
                checkNamespace(request, object);
            }
        } else if (resource.equals(PODS)) {
            if (!IGNORED.contains(request.subresource()) && isSignificant(object, request.old())) {
                check(request, object, true);
            }
        } else if (TEMPLATES.containsKey(resource) && request.isMain()) {
            JsonObject template = object.object(TEMPLATES.get(resource));
            if (!template.isEmpty()) {
                check(request, template, false);
            }
        }
    }

    private void check(AdmissionRequest request, JsonObject pod, boolean enforces) {
        StoredObject namespace = request.now().get(namespaces.bucket(), request.namespace());
        if (namespace == null
                || isExempt("namespaces", request.namespace())
                || isExempt("usernames", request.options().user().name())
                || isExempt("runtimeClasses", pod.string("spec", "runtimeClassName"))) {
            return;
        }
        PodSecurityLevels levels = levels(namespace.tree(), new FieldErrors());
        if (levels.arePrivileged()) {
            return;
        }
        CheckedPod checked = CheckedPod.of(pod);
        List<Violation> enforced = enforces ? PodSecurityChecks.violations(levels.enforce(), checked) : List.of();
        if (!enforced.isEmpty()) {
            throw request.forbidden("violates PodSecurity " + described(levels.enforce(), enforced));
        }
        List<Violation> warned = PodSecurityChecks.violations(levels.warn(), checked);
        if (!warned.isEmpty()) {
            request.options().warnings().add("would violate PodSecurity " + described(levels.warn(), warned));
        }
    }

    private static String described(PodSecurityLevel level, List<Violation> violations) {
        return GoText.quoted(level.toString()) + ": "
                + violations.stream().map(Violation::toString).collect(Collectors.joining(", "));
    }

    private PodSecurityLevels levels(JsonObject namespace, FieldErrors errors) {
        return PodSecurityLevels.of(Meta.of(namespace).object("labels"), defaults, errors);
    }

    private boolean isExempt(String list, String name) {
        return !name.isEmpty() && exemptions.array(list).strings().anyMatch(name::equals);
    }

    /**
     * Returns whether a change of a pod may violate more than before: another image, or another number of containers.
     */
    private static boolean isSignificant(JsonObject pod, @Nullable JsonObject old) {
        if (old == null) {
            return true;
        }
        for (String list : List.of("containers", "initContainers")) {
            if (!images(pod, list).equals(images(old, list))) {
                return true;
            }
        }
        Map<String, String> before = new TreeMap<>();
        old.array("spec", "ephemeralContainers")
                .objects()
                .forEach(container -> before.put(container.string("name"), container.string("image")));
        return pod.array("spec", "ephemeralContainers")
                .objects()
                .anyMatch(container -> !container.string("image").equals(before.get(container.string("name"))));
    }

    private static List<String> images(JsonObject pod, String list) {
        return pod.array("spec", list)
                .objects()
                .map(container -> container.string("image"))
                .toList();
    }

    private void checkNamespace(AdmissionRequest request, JsonObject namespace) {
        FieldErrors errors = new FieldErrors();
        PodSecurityLevels levels = levels(namespace, errors);
        JsonObject old = request.old();
        FieldErrors before = new FieldErrors();
        PodSecurityLevel enforcedBefore =
                old == null ? levels.enforce() : levels(old, before).enforce();
        if (!errors.isEmpty() && (old == null || !errors.message().equals(before.message()))) {
            throw request.store().invalid(request.name(), errors);
        }
        PodSecurityLevel enforced = levels.enforce();
        boolean isRelaxed = enforced.version() == enforcedBefore.version()
                && enforced.level().compareTo(enforcedBefore.level()) <= 0;
        if (isExempt("namespaces", Meta.name(namespace)) && (old == null || !isRelaxed)) {
            warnOfExemption(request, namespace, levels);
        } else if (old != null && !enforced.isPrivileged() && !isRelaxed) {
            request.options().warnings().addAll(violationsOfPods(request, Meta.name(namespace), enforced));
        }
    }

    private void warnOfExemption(AdmissionRequest request, JsonObject namespace, PodSecurityLevels levels) {
        if (!levels.arePrivileged() && !levels.equals(defaults)) {
            request.options()
                    .warnings()
                    .add("namespace " + GoText.quoted(Meta.name(namespace))
                            + " is exempt from Pod Security, and the policy ("
                            + levels.described(Meta.of(namespace).object("labels")) + ") will be ignored");
        }
    }

    private List<String> violationsOfPods(AdmissionRequest request, String namespace, PodSecurityLevel level) {
        List<JsonObject> known = prioritized(request, namespace);
        Map<String, List<String>> podsByReasons = new TreeMap<>();
        for (JsonObject pod : known.subList(0, Math.min(MOST_PODS, known.size()))) {
            String reasons = PodSecurityChecks.violations(level, CheckedPod.of(pod)).stream()
                    .map(Violation::reason)
                    .collect(Collectors.joining(", "));
            if (!reasons.isEmpty()) {
                podsByReasons.computeIfAbsent(reasons, key -> new ArrayList<>()).add(Meta.name(pod));
            }
        }
        List<String> warnings = new ArrayList<>();
        podsByReasons.forEach((reasons, names) -> {
            int others = names.size() - 1;
            String first = names.stream().sorted().findFirst().orElseThrow();
            warnings.add(first
                    + (others == 0 ? "" : " (and " + others + " other pod" + (others == 1 ? "" : "s") + ")")
                    + ": " + reasons);
        });
        warnings.sort(null);
        if (!warnings.isEmpty()) {
            warnings.add(
                    0,
                    "existing pods in namespace " + GoText.quoted(namespace)
                            + " violate the new PodSecurity enforce level " + GoText.quoted(level.toString()));
        }
        if (known.size() > MOST_PODS) {
            warnings.add(
                    0,
                    "new PodSecurity enforce level only checked against the first " + MOST_PODS + " of " + known.size()
                            + " existing pods");
        }
        return warnings;
    }

    /** Returns the pods that are not exempt: one of each owner first, because the others are probably alike. */
    private List<JsonObject> prioritized(AdmissionRequest request, String namespace) {
        List<JsonObject> first = new ArrayList<>();
        List<JsonObject> more = new ArrayList<>();
        Set<String> owners = new HashSet<>();
        for (StoredObject stored : pods.objects(request.now(), namespace)) {
            JsonObject pod = stored.tree();
            if (!isExempt("runtimeClasses", pod.string("spec", "runtimeClassName"))) {
                String owner = Meta.of(pod)
                        .array("ownerReferences")
                        .objects()
                        .filter(reference -> reference.bool("controller"))
                        .map(reference -> reference.string("uid"))
                        .findFirst()
                        .orElse("");
                (owner.isEmpty() || owners.add(owner) ? first : more).add(pod);
            }
        }
        first.addAll(more);
        return first;
    }

    /**
     * The levels of a namespace (upstream: {@code api.Policy}).
     *
     * @param enforce the level whose violations are rejected
     * @param audit the level whose violations are audited
     * @param warn the level whose violations are warned of
     */
    private record PodSecurityLevels(PodSecurityLevel enforce, PodSecurityLevel audit, PodSecurityLevel warn) {

        private static final String PREFIX = "pod-security.kubernetes.io/";
        private static final PodSecurityLevels PRIVILEGED =
                new PodSecurityLevels(PodSecurityLevel.DEFAULT, PodSecurityLevel.DEFAULT, PodSecurityLevel.DEFAULT);

        /** Returns the levels in the member {@code defaults} of a configuration. */
        static PodSecurityLevels ofDefaults(JsonObject defaults, FieldErrors errors) {
            return read(defaults, "", PRIVILEGED, errors);
        }

        /** Returns the levels of a namespace with these labels; invalid labels are added to the errors. */
        static PodSecurityLevels of(JsonObject labels, PodSecurityLevels defaults, FieldErrors errors) {
            PodSecurityLevels stated = read(labels, PREFIX, defaults, errors);
            boolean enforces = Level.of(labels.string(PREFIX + Mode.ENFORCE)) != null;
            if (labels.has(PREFIX + Mode.WARN)
                    || !enforces
                    || stated.enforce.level().compareTo(stated.warn.level()) <= 0) {
                return stated;
            }
            // A client is warned of what is enforced, unless the labels state something else.
            boolean ownVersion = labels.has(PREFIX + Mode.WARN + "-version");
            return new PodSecurityLevels(
                    stated.enforce,
                    stated.audit,
                    new PodSecurityLevel(
                            stated.enforce.level(), ownVersion ? stated.warn.version() : stated.enforce.version()));
        }

        private static PodSecurityLevels read(
                JsonObject labels, String prefix, PodSecurityLevels defaults, FieldErrors errors) {
            return new PodSecurityLevels(
                    PodSecurityLevel.read(labels, prefix, Mode.ENFORCE, defaults.enforce, errors),
                    PodSecurityLevel.read(labels, prefix, Mode.AUDIT, defaults.audit, errors),
                    PodSecurityLevel.read(labels, prefix, Mode.WARN, defaults.warn, errors));
        }

        /** Returns the levels that are not privileged and have a label, for a message. */
        String described(JsonObject labels) {
            StringBuilder text = new StringBuilder();
            for (Mode mode : Mode.values()) {
                PodSecurityLevel level = mode == Mode.ENFORCE ? enforce : mode == Mode.AUDIT ? audit : warn;
                boolean stated = labels.has(PREFIX + mode) || labels.has(PREFIX + mode + "-version");
                if (stated && !level.isPrivileged()) {
                    text.append(text.length() == 0 ? "" : ", ")
                            .append(mode)
                            .append('=')
                            .append(level);
                }
            }
            return text.toString();
        }

        boolean arePrivileged() {
            return enforce.isPrivileged() && audit.isPrivileged() && warn.isPrivileged();
        }
    }
}
