/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.kubeloop.apiserver.expressions.AccessCheck;
import java.util.List;

/**
 * The functions of the authorizer (upstream: {@code library/authz.go}). The selectors of a check are ignored. Static
 * functions only.
 */
final class AccessFunctions {

    static final CelType AUTHORIZER = type("Authorizer");
    static final CelType RESOURCE_CHECK = type("ResourceCheck");
    static final CelType PATH_CHECK = type("PathCheck");
    static final CelType GROUP_CHECK = type("GroupCheck");
    static final CelType DECISION = type("Decision");
    private static final CelType STRING = SimpleType.STRING;
    private static final CelType BOOL = SimpleType.BOOL;

    static final List<FunctionRow> ROWS = List.of(
            part("path", "authorizer_path", AUTHORIZER, AccessCheck.PATH, PATH_CHECK),
            part("group", "authorizer_group", AUTHORIZER, AccessCheck.GROUP, GROUP_CHECK),
            FunctionRow.member(
                    "serviceAccount",
                    "authorizer_serviceaccount",
                    AUTHORIZER,
                    a -> ((AccessCheck) a[0]).with(AccessCheck.ACCOUNT, a[1] + ":" + a[2]),
                    AUTHORIZER,
                    STRING,
                    STRING),
            part("resource", "groupcheck_resource", GROUP_CHECK, AccessCheck.RESOURCE, RESOURCE_CHECK),
            part("subresource", "resourcecheck_subresource", RESOURCE_CHECK, AccessCheck.SUBRESOURCE, RESOURCE_CHECK),
            part("namespace", "resourcecheck_namespace", RESOURCE_CHECK, AccessCheck.NAMESPACE, RESOURCE_CHECK),
            part("name", "resourcecheck_name", RESOURCE_CHECK, AccessCheck.NAME, RESOURCE_CHECK),
            part("fieldSelector", "authorizer_fieldselector", RESOURCE_CHECK, "fieldSelector", RESOURCE_CHECK),
            part("labelSelector", "authorizer_labelselector", RESOURCE_CHECK, "labelSelector", RESOURCE_CHECK),
            check("pathcheck_check", PATH_CHECK),
            check("resourcecheck_check", RESOURCE_CHECK),
            FunctionRow.member("errored", "decision_errored", BOOL, a -> false, DECISION),
            FunctionRow.member("error", "decision_error", STRING, a -> "", DECISION),
            FunctionRow.member(
                    "allowed", "decision_allowed", BOOL, a -> ((AccessCheck.Decision) a[0]).allowed(), DECISION),
            FunctionRow.member(
                    "reason", "decision_reason", STRING, a -> ((AccessCheck.Decision) a[0]).reason(), DECISION));

    private AccessFunctions() {}

    private static CelType type(String name) {
        return OpaqueType.create("kubernetes.authorization." + name);
    }

    private static FunctionRow part(String name, String overload, CelType receiver, String key, CelType result) {
        return FunctionRow.member(
                name, overload, result, a -> ((AccessCheck) a[0]).with(key, (String) a[1]), receiver, STRING);
    }

    private static FunctionRow check(String overload, CelType receiver) {
        return FunctionRow.member(
                "check", overload, DECISION, a -> ((AccessCheck) a[0]).decide((String) a[1]), receiver, STRING);
    }
}
