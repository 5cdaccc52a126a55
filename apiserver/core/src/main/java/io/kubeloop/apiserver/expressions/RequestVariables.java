/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of the variables of expressions about requests (upstream: {@code plugin/cel/compile.go}). Immutable;
 * thread-safe.
 */
public final class RequestVariables {

    /** The object after the write. */
    public static final String OBJECT = "object";
    /** The object before the write. */
    public static final String OLD_OBJECT = "oldObject";
    /** The request. */
    public static final String REQUEST = "request";
    /** The namespace of the object. */
    public static final String NAMESPACE = "namespaceObject";
    /** The parameters of a policy. */
    public static final String PARAMS = "params";
    /** The variables of a policy. */
    public static final String VARIABLES = "variables";
    /** Checks the access of the user. */
    public static final String AUTHORIZER = "authorizer";
    /** Checks the access of the user to the resource of the request. */
    public static final String REQUEST_RESOURCE = "authorizer.requestResource";

    private static final String COMPOSED = "kubernetes.variables";

    private static final JsonObject STRING = JsonObject.EMPTY.with("type", "string");
    private static final JsonObject STRINGS = list(STRING);

    private final ExpressionCompiler compiler;
    private final Map<String, ExpressionCompiler.Type> common = new HashMap<>();

    /** Creates the types of a compiler. */
    public RequestVariables(ExpressionCompiler compiler) {
        this.compiler = compiler;
        common.put(OBJECT, compiler.any());
        common.put(OLD_OBJECT, compiler.any());
        common.put(REQUEST, request());
        common.put(NAMESPACE, namespace());
    }

    private static JsonObject list(JsonObject items) {
        return JsonObject.EMPTY.with("type", "array").with("items", items);
    }

    private static JsonObject map(JsonObject values) {
        return JsonObject.EMPTY.with("type", "object").with("additionalProperties", values);
    }

    private ExpressionCompiler.Type of(JsonObject schema) {
        return compiler.of(schema, false).orElseGet(compiler::any);
    }

    private ExpressionCompiler.Type object(
            String name, Map<String, ExpressionCompiler.Type> others, String... strings) {
        Map<String, ExpressionCompiler.Type> properties = new LinkedHashMap<>(others);
        for (String property : strings) {
            properties.put(property, of(STRING));
        }
        return compiler.object("kubernetes." + name, properties);
    }

    private ExpressionCompiler.Type request() {
        ExpressionCompiler.Type kind = object("GroupVersionKind", Map.of(), "group", "version", "kind");
        ExpressionCompiler.Type resource = object("GroupVersionResource", Map.of(), "group", "version", "resource");
        ExpressionCompiler.Type user =
                object("UserInfo", Map.of("groups", of(STRINGS), "extra", of(map(STRINGS))), "username", "uid");
        Map<String, ExpressionCompiler.Type> others = Map.of(
                "kind", kind,
                "resource", resource,
                "requestKind", kind,
                "requestResource", resource,
                "userInfo", user,
                "dryRun", of(JsonObject.EMPTY.with("type", "boolean")),
                "options", compiler.any());
        return object(
                "AdmissionRequest", others, "subResource", "requestSubResource", "name", "namespace", "operation");
    }

    private ExpressionCompiler.Type namespace() {
        JsonObject time = STRING.with("format", "date-time");
        ExpressionCompiler.Type integer = of(JsonObject.EMPTY.with("type", "integer"));
        JsonObject condition = JsonObject.EMPTY
                .with("type", "object")
                .with(
                        "properties",
                        JsonObject.EMPTY
                                .with("type", STRING)
                                .with("status", STRING)
                                .with("message", STRING)
                                .with("reason", STRING)
                                .with("lastTransitionTime", time));
        ExpressionCompiler.Type metadata = object(
                "NamespaceMetadata",
                Map.of(
                        "labels", of(map(STRING)),
                        "annotations", of(map(STRING)),
                        "finalizers", of(STRINGS),
                        "creationTimestamp", of(time),
                        "deletionTimestamp", of(time),
                        "deletionGracePeriodSeconds", integer,
                        "generation", integer),
                "name",
                "generateName",
                "namespace",
                "UID",
                "resourceVersion");
        ExpressionCompiler.Type spec = object("NamespaceSpec", Map.of("finalizers", of(STRINGS)));
        ExpressionCompiler.Type status = object("NamespaceStatus", Map.of("conditions", of(list(condition))), "phase");
        return object("Namespace", Map.of("metadata", metadata, "spec", spec, "status", status));
    }

    /**
     * Returns the types by the names of the variables.
     *
     * @param params whether there are parameters
     * @param access whether there is an authorizer
     * @param variables the types of the variables of a policy; null for none
     */
    public Map<String, ExpressionCompiler.Type> types(
            boolean params, boolean access, @Nullable Map<String, ExpressionCompiler.Type> variables) {
        Map<String, ExpressionCompiler.Type> types = new HashMap<>(common);
        if (params) {
            types.put(PARAMS, compiler.any());
        }
        if (access) {
            types.put(AUTHORIZER, compiler.access(false));
            types.put(REQUEST_RESOURCE, compiler.access(true));
        }
        if (variables != null) {
            types.put(VARIABLES, compiler.object(COMPOSED, variables));
        }
        return types;
    }

    /** Returns the compiler. */
    public ExpressionCompiler compiler() {
        return compiler;
    }
}
