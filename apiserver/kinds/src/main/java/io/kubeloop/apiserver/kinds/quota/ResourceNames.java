/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.quota.QuotaUsage;
import java.util.Set;

/**
 * Validation of the names of node and container resources (upstream: {@code validateResourceName}, {@code
 * core/helper}).
 */
final class ResourceNames {

    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");

    private ResourceNames() {}

    /**
     * Validates a resource name.
     *
     * @param ofContainer whether the name must be valid for containers
     */
    static void validate(String field, String name, boolean ofContainer, FieldErrors errors) {
        if (!NameValidation.qualifiedName(name).isEmpty()) {
            errors.invalid(field, name, NameValidation.qualifiedName(name));
        } else if (name.indexOf('/') < 0 && !QuotaUsage.isStandard(name) && !name.equals("storage")) {
            errors.invalid(field, name, "must be a standard resource type or fully qualified");
        }
        if (!ofContainer) {
            return;
        }
        if (name.indexOf('/') < 0) {
            if (!OF_CONTAINERS.contains(name) && !name.startsWith("hugepages-")) {
                errors.invalid(field, name, "must be a standard resource for containers");
            }
        } else if (!isNative(name) && !isExtended(name)) {
            errors.invalid(field, name, "doesn't follow extended resource name standard");
        }
    }

    /** Returns whether the resource is defined by Kubernetes. */
    static boolean isNative(String name) {
        return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
    }

    /**
     * Returns whether the resource is an extended resource, with a name that can take the {@code requests.} prefix
     * of quotas.
     */
    static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && NameValidation.qualifiedName("requests." + name).isEmpty();
    }
}
