/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the security contexts of pods and containers. */
final class SecurityRules {

    private static final List<String> SECCOMP = List.of("Localhost", "RuntimeDefault", "Unconfined");
    private static final String SYSCTL_FORM = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
    private static final Pattern SYSCTL = Pattern.compile(SYSCTL_FORM);
    private static final Pattern IPC =
            Pattern.compile("kernel\\.(sem|shm(all|max|mni|_rmid_forced)?|msg(max|mnb|mni)?)|fs\\.mqueue\\..*");
    private static final int MAX_SYSCTL = 253;
    private static final int MAX_PATH = 4095;

    private SecurityRules() {}

    /** Validates the security context of a pod, whose spec is given. */
    static void pod(FieldCursor spec) {
        FieldCursor context = spec.at("securityContext");
        context.at("fsGroup").ifSet(SecurityRules::id);
        context.at("runAsUser").ifSet(SecurityRules::id);
        context.at("runAsGroup").ifSet(SecurityRules::id);
        context.at("supplementalGroups").each(SecurityRules::id);
        sysctls(context.at("sysctls"), spec);
        context.at("fsGroupChangePolicy").oneOfIfSet(List.of("Always", "OnRootMismatch"));
        context.at("seccompProfile").ifSet(SecurityRules::seccomp);
        WindowsRules.options(context.at("windowsOptions"));
        context.at("appArmorProfile").ifSet(SecurityRules::appArmor);
        context.at("supplementalGroupsPolicy").oneOfIfSet(List.of("Merge", "Strict"));
        context.at("seLinuxChangePolicy").oneOfIfSet(List.of("MountOption", "Recursive"));
        if (spec.at("shareProcessNamespace").isTrue() && spec.at("hostPID").isTrue()) {
            spec.at("shareProcessNamespace").invalid("ShareProcessNamespace and HostPID cannot both be enabled");
        }
    }

    private static void id(FieldCursor id) {
        id.between(0, Integer.MAX_VALUE);
    }

    private static void sysctls(FieldCursor sysctls, FieldCursor spec) {
        Set<String> seen = new HashSet<>();
        sysctls.each(sysctl -> {
            FieldCursor name = sysctl.at("name");
            String text = name.text();
            if (name.require()) {
                if (text.length() > MAX_SYSCTL || !SYSCTL.matcher(text).matches()) {
                    name.invalid("must have at most " + MAX_SYSCTL + " characters and match regex " + SYSCTL_FORM);
                } else if (seen.contains(text)) {
                    name.duplicate();
                }
            }
            seen.add(text);
            String dotted = dotted(text);
            if (spec.at("hostNetwork").isTrue() && dotted.startsWith("net.")) {
                name.invalid("may not be specified when 'hostNetwork' is true");
            } else if (spec.at("hostIPC").isTrue() && IPC.matcher(dotted).matches()) {
                name.invalid("may not be specified when 'hostIPC' is true");
            }
        });
    }

    /** Returns a name whose parts are separated by dots: in the form with slashes, dots are part of a name. */
    private static String dotted(String name) {
        int dot = name.indexOf('.');
        int slash = name.indexOf('/');
        return slash >= 0 && (dot < 0 || slash < dot) ? name.replace('.', '\0').replace('/', '.') : name;
    }

    private static void seccomp(FieldCursor profile) {
        FieldCursor type = profile.at("type");
        FieldCursor local = profile.at("localhostProfile");
        if (type.require("type is required when seccompProfile is set")) {
            type.oneOf(SECCOMP);
        }
        if (!type.text().equals("Localhost")) {
            if (local.isSet()) {
                local.holding(InternalForm.of("core.v1.SeccompProfile", profile.object()))
                        .invalid("can only be set when seccomp type is Localhost");
            }
        } else if (local.isSet()) {
            VolumeRules.descendingPath(local);
        } else {
            local.required("must be set when seccomp type is Localhost");
        }
    }

    private static void appArmor(FieldCursor profile) {
        FieldCursor local = profile.at("localhostProfile");
        switch (profile.at("type").text()) {
            case "Localhost" -> {
                if (local.text().isBlank()) {
                    local.required("must be set when AppArmor type is Localhost");
                } else if (!local.text().equals(local.text().strip())) {
                    local.invalid("must not be padded with whitespace");
                }
                if (local.text().length() > MAX_PATH) {
                    local.errors().tooLong(local.path(), MAX_PATH);
                }
            }
            case "RuntimeDefault", "Unconfined" -> {
                if (local.isSet()) {
                    local.invalid("can only be set when AppArmor type is Localhost");
                }
            }
            case "" -> profile.at("type").required("type is required when appArmorProfile is set");
            default -> profile.at("type").notSupported(SECCOMP);
        }
    }

    /** Validates the security context of a container. */
    static void container(FieldCursor context, boolean hostUsers) {
        context.at("runAsUser").ifSet(SecurityRules::id);
        context.at("runAsGroup").ifSet(SecurityRules::id);
        FieldCursor mount = context.at("procMount");
        if (mount.isSet()) {
            mount.oneOf(List.of("Default", "Unmasked"));
            if (hostUsers && mount.text().equals("Unmasked")) {
                mount.invalid("`hostUsers` must be false to use `Unmasked`");
            }
        }
        context.at("seccompProfile").ifSet(SecurityRules::seccomp);
        FieldCursor escalation = context.at("allowPrivilegeEscalation");
        if (escalation.isSet() && !escalation.isTrue()) {
            if (context.at("privileged").isTrue()) {
                InternalForm.shown("core.v1.SecurityContext", context)
                        .invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
            }
            if (context.at("capabilities", "add").array().strings().anyMatch("CAP_SYS_ADMIN"::equals)) {
                InternalForm.shown("core.v1.SecurityContext", context)
                        .invalid("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
            }
        }
        WindowsRules.options(context.at("windowsOptions"));
        context.at("appArmorProfile").ifSet(SecurityRules::appArmor);
    }
}
