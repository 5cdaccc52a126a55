/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.podsecurity;

import static io.kubeloop.apiserver.kinds.podsecurity.CheckedPod.named;
import static io.kubeloop.apiserver.kinds.podsecurity.CheckedPod.plural;
import static io.kubeloop.apiserver.kinds.podsecurity.CheckedPod.quoted;

import io.kubeloop.apiserver.kinds.podsecurity.CheckedPod.Setters;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityLevel.Level;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The checks of the levels baseline and restricted, in the order of their messages. Static functions only. */
final class PodSecurityChecks {

    /** The newest version with a rule of its own. */
    private static final int NEWEST = 37;

    private static final int NEVER = Integer.MAX_VALUE;

    /** The versions from which pods of Windows need no field of Linux, and user namespaces relax some rules. */
    private static final int WINDOWS = 25;

    private static final int USER_NAMESPACES = 35;

    private static final Set<String> CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    /** The allowed sysctls, with the version that allowed them. */
    private static final Map<String, Integer> SYSCTLS = Map.ofEntries(
            Map.entry("kernel.shm_rmid_forced", 0),
            Map.entry("net.ipv4.ip_local_port_range", 0),
            Map.entry("net.ipv4.tcp_syncookies", 0),
            Map.entry("net.ipv4.ping_group_range", 0),
            Map.entry("net.ipv4.ip_unprivileged_port_start", 0),
            Map.entry("net.ipv4.ip_local_reserved_ports", 27),
            Map.entry("net.ipv4.tcp_keepalive_time", 29),
            Map.entry("net.ipv4.tcp_fin_timeout", 29),
            Map.entry("net.ipv4.tcp_keepalive_intvl", 29),
            Map.entry("net.ipv4.tcp_keepalive_probes", 29),
            Map.entry("net.ipv4.tcp_rmem", 32),
            Map.entry("net.ipv4.tcp_wmem", 32),
            Map.entry("net.ipv4.tcp_slow_start_after_idle", 37),
            Map.entry("net.ipv4.tcp_notsent_lowat", 37));

    private static final Set<String> SELINUX_TYPES = Set.of("", "container_t", "container_init_t", "container_kvm_t");

    private static final Set<String> VOLUMES = Set.of(
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "image",
            "persistentVolumeClaim",
            "projected",
            "secret");

    private static final Set<String> PROFILES = Set.of("RuntimeDefault", "Localhost");
    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    private static final String SECCOMP = "seccomp.security.alpha.kubernetes.io/pod";
    private static final String SECCOMP_OF_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

    /**
     * The checks: those of the baseline by name, then those of the level restricted. The numbers are the version in
     * which a check begins, and the one from which another check replaces it in the level restricted.
     */
    private static final List<Check> TABLE = List.of(
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::appArmorProfile),
            new Check(Level.BASELINE, 0, 22, PodSecurityChecks::capabilities),
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::hostNamespaces),
            new Check(Level.BASELINE, 0, 0, PodSecurityChecks::hostPathVolumes),
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::hostPorts),
            new Check(Level.BASELINE, 34, NEVER, PodSecurityChecks::hostsOfProbes),
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::privileged),
            new Check(Level.BASELINE, 0, 35, PodSecurityChecks::procMountOutsideUserNamespace),
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::seLinuxOptions),
            new Check(Level.BASELINE, 0, 19, PodSecurityChecks::seccompProfile),
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::sysctls),
            new Check(Level.BASELINE, 0, NEVER, PodSecurityChecks::windowsHostProcess),
            new Check(Level.RESTRICTED, 8, NEVER, PodSecurityChecks::allowPrivilegeEscalation),
            new Check(Level.RESTRICTED, 22, NEVER, PodSecurityChecks::droppedCapabilities),
            new Check(Level.RESTRICTED, 35, NEVER, (pod, version) -> procMount(pod)),
            new Check(Level.RESTRICTED, 0, NEVER, PodSecurityChecks::volumeTypes),
            new Check(Level.RESTRICTED, 0, NEVER, PodSecurityChecks::runAsNonRoot),
            new Check(Level.RESTRICTED, 23, NEVER, PodSecurityChecks::runAsUser),
            new Check(Level.RESTRICTED, 19, NEVER, PodSecurityChecks::requiredSeccompProfile));

    private PodSecurityChecks() {}

    /**
     * A violation.
     *
     * @param reason the rule
     * @param detail what violates it
     */
    record Violation(String reason, String detail) {

        @Override
        public String toString() {
            return detail.isEmpty() ? reason : reason + " (" + detail + ")";
        }
    }

    /** One rule of a version; null is no violation. */
    private interface Rule {
        @Nullable
        Violation violation(CheckedPod pod, int version);
    }

    private record Check(Level level, int since, int replacedSince, Rule rule) {

        boolean isPartOf(Level wanted, int version) {
            return level.compareTo(wanted) <= 0
                    && version >= since
                    && !(wanted == Level.RESTRICTED && version >= replacedSince);
        }
    }

    /** Returns the violations of a level. */
    static List<Violation> violations(PodSecurityLevel wanted, CheckedPod pod) {
        List<Violation> found = new ArrayList<>();
        int version = Math.min(wanted.version(), NEWEST);
        for (Check check : TABLE) {
            Violation violation = check.isPartOf(wanted.level(), version) ? check.rule.violation(pod, version) : null;
            if (violation != null) {
                found.add(violation);
            }
        }
        return found;
    }

    private static @Nullable Violation ifAny(List<String> containers, String reason, String requirement) {
        return containers.isEmpty() ? null : new Violation(reason, named("container", containers) + " " + requirement);
    }

    private static @Nullable Violation appArmorProfile(CheckedPod pod, int version) {
        Setters setters = pod.settersOf(context -> badProfile(context, "appArmorProfile"));
        List<String> annotations = pod.annotations().strings().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(APP_ARMOR)
                        && !entry.getValue().isEmpty()
                        && !entry.getValue().equals("runtime/default")
                        && !entry.getValue().startsWith("localhost/"))
                .map(entry -> entry.getKey() + "=" + GoText.quoted(entry.getValue()))
                .sorted()
                .toList();
        List<String> values =
                Stream.concat(setters.values().stream(), annotations.stream()).toList();
        if (!annotations.isEmpty()) {
            setters.subjects().add(plural("annotation", annotations));
        }
        return setters.isEmpty()
                ? null
                : new Violation(
                        plural("forbidden AppArmor profile", values),
                        setters.subject() + " must not set AppArmor profile type to " + quoted(values));
    }

    private static List<String> badProfile(JsonObject context, String field) {
        String type = context.string(field, "type");
        return context.has(field) && !PROFILES.contains(type) ? List.of(type) : List.of();
    }

    private static @Nullable Violation capabilities(CheckedPod pod, int version) {
        TreeSet<String> added = new TreeSet<>();
        List<String> containers = pod.containersWith(context -> adds(context, CAPABILITIES, added));
        return ifAny(
                containers,
                "non-default capabilities",
                "must not include " + quoted(added) + " in securityContext.capabilities.add");
    }

    private static boolean adds(JsonObject context, Set<String> allowed, Set<String> added) {
        List<String> others = context.array("capabilities", "add")
                .strings()
                .filter(name -> !allowed.contains(name))
                .toList();
        added.addAll(others);
        return !others.isEmpty();
    }

    private static @Nullable Violation droppedCapabilities(CheckedPod pod, int version) {
        if (pod.isOfWindows() && version >= WINDOWS) {
            return null;
        }
        TreeSet<String> added = new TreeSet<>();
        List<String> keeping = pod.containersWith(
                context -> context.array("capabilities", "drop").strings().noneMatch("ALL"::equals));
        List<String> adding = pod.containersWith(context -> adds(context, Set.of("NET_BIND_SERVICE"), added));
        List<String> details = new ArrayList<>();
        if (!keeping.isEmpty()) {
            details.add(named("container", keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        if (!adding.isEmpty()) {
            details.add(named("container", adding) + " must not include " + quoted(added)
                    + " in securityContext.capabilities.add");
        }
        return details.isEmpty() ? null : new Violation("unrestricted capabilities", String.join("; ", details));
    }

    private static @Nullable Violation hostNamespaces(CheckedPod pod, int version) {
        List<String> shared = Stream.of("hostNetwork", "hostPID", "hostIPC")
                .filter(pod.spec()::bool)
                .map(field -> field + "=true")
                .toList();
        return shared.isEmpty() ? null : new Violation("host namespaces", String.join(", ", shared));
    }

    private static @Nullable Violation hostPathVolumes(CheckedPod pod, int version) {
        List<String> volumes = pod.spec()
                .array("volumes")
                .objects()
                .filter(volume -> volume.has("hostPath"))
                .map(volume -> volume.string("name"))
                .toList();
        return volumes.isEmpty() ? null : new Violation("hostPath volumes", named("volume", volumes));
    }

    private static @Nullable Violation hostPorts(CheckedPod pod, int version) {
        TreeSet<String> ports = new TreeSet<>();
        List<String> containers = new ArrayList<>();
        for (JsonObject container : pod.containers()) {
            List<String> found = container
                    .array("ports")
                    .objects()
                    .map(port -> port.number("hostPort"))
                    .filter(port -> port != null && port != 0)
                    .map(String::valueOf)
                    .toList();
            if (!found.isEmpty()) {
                containers.add(container.string("name"));
                ports.addAll(found);
            }
        }
        return ifAny(
                containers, "hostPort", uses(containers) + plural("hostPort", ports) + " " + String.join(", ", ports));
    }

    private static String uses(List<String> subjects) {
        return subjects.size() == 1 ? "uses " : "use ";
    }

    private static @Nullable Violation hostsOfProbes(CheckedPod pod, int version) {
        TreeSet<String> hosts = new TreeSet<>();
        TreeSet<String> containers = new TreeSet<>();
        for (JsonObject container : pod.containers()) {
            List<String> found = Stream.of(
                            container.object("livenessProbe"),
                            container.object("readinessProbe"),
                            container.object("startupProbe"),
                            container.object("lifecycle", "postStart"),
                            container.object("lifecycle", "preStop"))
                    .flatMap(handler ->
                            Stream.of(handler.string("httpGet", "host"), handler.string("tcpSocket", "host")))
                    .filter(host -> !host.isEmpty())
                    .toList();
            if (!found.isEmpty()) {
                containers.add(container.string("name"));
                hosts.addAll(found);
            }
        }
        List<String> names = List.copyOf(containers);
        return ifAny(names, "probe or lifecycle host", uses(names) + named("probe or lifecycle host", hosts));
    }

    private static @Nullable Violation privileged(CheckedPod pod, int version) {
        return ifAny(
                pod.containersWith(context -> context.bool("privileged")),
                "privileged",
                "must not set securityContext.privileged=true");
    }

    private static @Nullable Violation procMountOutsideUserNamespace(CheckedPod pod, int version) {
        return version >= USER_NAMESPACES && pod.hasUserNamespace() ? null : procMount(pod);
    }

    private static @Nullable Violation procMount(CheckedPod pod) {
        TreeSet<String> types = new TreeSet<>();
        List<String> containers = pod.containersWith(context -> {
            boolean bad =
                    context.has("procMount") && !context.string("procMount").equals("Default");
            return bad && (types.add(context.string("procMount")) || bad);
        });
        return ifAny(containers, "procMount", "must not set securityContext.procMount to " + quoted(types));
    }

    private static @Nullable Violation seLinuxOptions(CheckedPod pod, int version) {
        TreeSet<String> types = new TreeSet<>();
        Setters setters = pod.settersOf(context -> {
            List<String> bad = new ArrayList<>();
            JsonObject options = context.object("seLinuxOptions");
            String type = options.string("type");
            if (!SELINUX_TYPES.contains(type) && !(version >= 31 && type.equals("container_engine_t"))) {
                types.add(type);
                bad.add("");
            }
            Stream.of("user", "role")
                    .filter(field -> !options.string(field).isEmpty())
                    .forEach(bad::add);
            return bad;
        });
        List<String> details = new ArrayList<>();
        if (!types.isEmpty()) {
            details.add(named("type", types));
        }
        Stream.of("user", "role")
                .filter(setters.values()::contains)
                .forEach(field -> details.add(field + " may not be set"));
        return setters.isEmpty()
                ? null
                : new Violation(
                        "seLinuxOptions",
                        setters.subject() + " set forbidden securityContext.seLinuxOptions: "
                                + String.join("; ", details));
    }

    private static @Nullable Violation seccompProfile(CheckedPod pod, int version) {
        if (version >= 19) {
            return badSeccompProfile(pod);
        }
        TreeSet<String> forbidden = new TreeSet<>();
        Stream.concat(
                        Stream.of(SECCOMP),
                        pod.containers().stream().map(container -> SECCOMP_OF_CONTAINER + container.string("name")))
                .filter(pod.annotations()::has)
                .forEach(name -> {
                    String value = pod.annotations().string(name);
                    if (!Set.of("runtime/default", "docker/default").contains(value)
                            && !value.startsWith("localhost/")) {
                        forbidden.add(name + "=" + GoText.quoted(value));
                    }
                });
        return forbidden.isEmpty()
                ? null
                : new Violation(
                        "seccompProfile",
                        "forbidden " + plural("annotation", forbidden) + " " + String.join(", ", forbidden));
    }

    private static @Nullable Violation badSeccompProfile(CheckedPod pod) {
        Setters setters = pod.settersOf(context -> badProfile(context, "seccompProfile"));
        return setters.isEmpty()
                ? null
                : new Violation(
                        "seccompProfile",
                        setters.subject() + " must not set securityContext.seccompProfile.type to "
                                + quoted(setters.values()));
    }

    private static @Nullable Violation requiredSeccompProfile(CheckedPod pod, int version) {
        if (pod.isOfWindows() && version >= WINDOWS) {
            return null;
        }
        Violation explicit = badSeccompProfile(pod);
        return explicit != null || pod.context().has("seccompProfile")
                ? explicit
                : ofPodOr(
                        pod.containersWith(context -> !context.has("seccompProfile")),
                        "seccompProfile",
                        "must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"");
    }

    private static @Nullable Violation ofPodOr(List<String> containers, String reason, String requirement) {
        return containers.isEmpty()
                ? null
                : new Violation(reason, "pod or " + named("container", containers) + " " + requirement);
    }

    private static @Nullable Violation sysctls(CheckedPod pod, int version) {
        List<String> forbidden = pod.context()
                .array("sysctls")
                .objects()
                .map(sysctl -> sysctl.string("name"))
                .filter(name -> SYSCTLS.getOrDefault(name, NEVER) > version)
                .toList();
        return forbidden.isEmpty() ? null : new Violation("forbidden sysctls", String.join(", ", forbidden));
    }

    private static @Nullable Violation windowsHostProcess(CheckedPod pod, int version) {
        return ofFlag(
                pod,
                context -> context.bool("windowsOptions", "hostProcess"),
                "hostProcess",
                "must not set securityContext.windowsOptions.hostProcess=true");
    }

    private static @Nullable Violation ofFlag(
            CheckedPod pod, java.util.function.Predicate<JsonObject> bad, String reason, String requirement) {
        Setters setters = pod.settersOf(context -> bad.test(context) ? List.of(reason) : List.of());
        return setters.isEmpty() ? null : new Violation(reason, setters.subject() + " " + requirement);
    }

    private static @Nullable Violation allowPrivilegeEscalation(CheckedPod pod, int version) {
        if (pod.isOfWindows() && version >= WINDOWS) {
            return null;
        }
        return ifAny(
                pod.containersWith(context -> !isFalse(context, "allowPrivilegeEscalation")),
                "allowPrivilegeEscalation != false",
                "must set securityContext.allowPrivilegeEscalation=false");
    }

    private static boolean isFalse(JsonObject context, String field) {
        return context.has(field) && !context.bool(field);
    }

    private static @Nullable Violation volumeTypes(CheckedPod pod, int version) {
        List<String> volumes = new ArrayList<>();
        TreeSet<String> types = new TreeSet<>();
        for (JsonObject volume : pod.spec().array("volumes").objects().toList()) {
            List<String> sources = volume.members().keySet().stream()
                    .filter(name -> !name.equals("name"))
                    .toList();
            if (sources.stream().noneMatch(VOLUMES::contains)) {
                volumes.add(volume.string("name"));
                types.add(sources.isEmpty() ? "unknown" : sources.get(0));
            }
        }
        return volumes.isEmpty()
                ? null
                : new Violation(
                        "restricted volume types",
                        named("volume", volumes) + " " + uses(volumes) + named("restricted volume type", types));
    }

    private static @Nullable Violation runAsNonRoot(CheckedPod pod, int version) {
        if (version >= USER_NAMESPACES && pod.hasUserNamespace()) {
            return null;
        }
        String reason = "runAsNonRoot != true";
        Violation explicit = ofFlag(
                pod,
                context -> isFalse(context, "runAsNonRoot"),
                reason,
                "must not set securityContext.runAsNonRoot=false");
        return explicit != null || pod.context().bool("runAsNonRoot")
                ? explicit
                : ofPodOr(
                        pod.containersWith(context -> !context.has("runAsNonRoot")),
                        reason,
                        "must set securityContext.runAsNonRoot=true");
    }

    private static @Nullable Violation runAsUser(CheckedPod pod, int version) {
        if (version >= USER_NAMESPACES && pod.hasUserNamespace()) {
            return null;
        }
        return ofFlag(
                pod,
                context -> Long.valueOf(0).equals(context.number("runAsUser")),
                "runAsUser=0",
                "must not set runAsUser=0");
    }
}
