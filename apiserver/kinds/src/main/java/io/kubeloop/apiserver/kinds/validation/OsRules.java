/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.List;

/** What the operating system of a pod excludes (upstream: {@code validateOS}, {@code validateWindows}). */
final class OsRules {

    private static final List<String> NAMES = List.of("linux", "windows");
    private static final String SECURITY = "securityContext";
    private static final String NOT_ON_WINDOWS = "cannot be set for a windows pod";

    /** The fields of a pod that windows does not have. */
    private static final List<String> OF_PODS = List.of(
            "securityContext.appArmorProfile",
            "securityContext.seLinuxOptions",
            "securityContext.seccompProfile",
            "securityContext.fsGroup",
            "securityContext.fsGroupChangePolicy",
            "securityContext.sysctls",
            "securityContext.runAsUser",
            "securityContext.runAsGroup",
            "securityContext.supplementalGroups",
            "securityContext.supplementalGroupsPolicy",
            "securityContext.seLinuxChangePolicy",
            "hostUsers",
            "hostPID",
            "hostIPC",
            "shareProcessNamespace");

    /** The fields without a pointer in upstream, for which false is as good as absent. */
    private static final List<String> PLAIN = List.of("hostPID", "hostIPC");

    private static final List<String> OF_CONTAINERS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "capabilities",
            "readOnlyRootFilesystem",
            "privileged",
            "allowPrivilegeEscalation",
            "procMount",
            "runAsUser",
            "runAsGroup");

    private OsRules() {}

    static void check(FieldCursor spec) {
        FieldCursor os = spec.at("os");
        if (!os.isSet() || !os.at("name").require()) {
            return;
        }
        switch (os.at("name").text()) {
            case "windows" -> windows(spec);
            case "linux" -> linux(spec);
            default -> os.holding(os.at("name").value()).notSupported(NAMES);
        }
    }

    private static void windows(FieldCursor spec) {
        for (String path : OF_PODS) {
            FieldCursor field = spec.at(path.split("\\."));
            if (PLAIN.contains(path) ? field.isTrue() : field.isSet()) {
                field.forbidden(NOT_ON_WINDOWS);
            }
        }
        for (FieldCursor context : contexts(spec)) {
            OF_CONTAINERS.forEach(name -> context.at(name).mustBeAbsent(NOT_ON_WINDOWS));
        }
    }

    private static void linux(FieldCursor spec) {
        String notOnLinux = "windows options cannot be set for a linux pod";
        spec.at(SECURITY, "windowsOptions").mustBeAbsent(notOnLinux);
        contexts(spec).forEach(context -> context.at("windowsOptions").mustBeAbsent(notOnLinux));
    }

    /** Returns the security contexts of all containers. */
    static List<FieldCursor> contexts(FieldCursor spec) {
        return List.of("initContainers", "containers", EphemeralContainers.LIST).stream()
                .flatMap(list -> spec.at(list).items().stream())
                .map(container -> container.at(SECURITY))
                .toList();
    }
}
