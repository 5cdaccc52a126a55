/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.apiserver.expressions.RequestVariables;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compiles the expressions of a policy once for each kind that the policy matches, with the types of the kind
 * (upstream: {@code validating.TypeChecker}). Rules with wildcards, subresources, and kinds beyond {@link #MOST_KINDS}
 * of a rule are not checked. Thread-safe; {@link #check} blocks for requests.
 */
final class PolicyTypeChecker {

    private static final int MOST_KINDS = 10;

    private final ExpressionCompiler compiler;
    private final RequestVariables variables;
    private final KindSchemas kinds;

    PolicyTypeChecker(ExpressionCompiler compiler, KindSchemas kinds) {
        this.compiler = compiler;
        this.kinds = kinds;
        variables = new RequestVariables(compiler);
    }

    /**
     * Returns the members of {@code status.typeChecking.expressionWarnings}.
     *
     * @param spec the spec of the policy
     */
    List<JsonObject> check(JsonObject spec) {
        Map<ServedKind, Map<String, ExpressionCompiler.Type>> environments = environments(spec);
        List<JsonObject> warnings = new ArrayList<>();
        List<JsonObject> validations = spec.array("validations").objects().toList();
        for (int i = 0; i < validations.size(); i++) {
            for (String member : List.of("expression", "messageExpression")) {
                String expression = validations.get(i).string(member);
                String warning = expression.isEmpty() ? "" : warning(expression, environments);
                if (!warning.isEmpty()) {
                    warnings.add(JsonObject.EMPTY
                            .with("fieldRef", "spec.validations[" + i + "]." + member)
                            .with("warning", warning));
                }
            }
        }
        return warnings;
    }

    private String warning(String expression, Map<ServedKind, Map<String, ExpressionCompiler.Type>> environments) {
        return environments.entrySet().stream()
                .flatMap(entry ->
                        error(expression, entry.getValue()).stream().map(error -> entry.getKey() + ": " + error + "\n"))
                .collect(Collectors.joining("\n"));
    }

    private Optional<String> error(String expression, Map<String, ExpressionCompiler.Type> environment) {
        try {
            compiler.compile(expression, environment);
            return Optional.empty();
        } catch (ExpressionException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the types of the variables for each kind that has a schema. */
    private Map<ServedKind, Map<String, ExpressionCompiler.Type>> environments(JsonObject spec) {
        Map<String, JsonObject> documents = new HashMap<>();
        boolean hasParams = spec.has("paramKind");
        ExpressionCompiler.Type params = hasParams
                ? schema(paramKind(spec.object("paramKind")), documents)
                        .map(schema -> type("Params", schema))
                        .orElseGet(compiler::any)
                : compiler.any();
        Map<ServedKind, Map<String, ExpressionCompiler.Type>> environments = new TreeMap<>();
        for (ServedKind kind : matched(spec)) {
            schema(kind, documents).ifPresent(schema -> {
                ExpressionCompiler.Type object = type(kind.kind(), schema);
                Map<String, ExpressionCompiler.Type> types = new HashMap<>(variables.types(hasParams, true, null));
                types.remove(RequestVariables.REQUEST_RESOURCE); // upstream does not declare it here
                types.put(RequestVariables.OBJECT, object);
                types.put(RequestVariables.OLD_OBJECT, object);
                if (hasParams) {
                    types.put(RequestVariables.PARAMS, params);
                }
                environments.put(kind, composed(spec, types));
            });
        }
        return environments;
    }

    private ExpressionCompiler.Type type(String name, JsonObject schema) {
        return compiler.of(name, schema, true).orElseGet(compiler::any);
    }

    private Optional<JsonObject> schema(ServedKind kind, Map<String, JsonObject> documents) {
        JsonObject document = documents.computeIfAbsent(
                kind.group() + "/" + kind.version(), key -> kinds.document(kind.group(), kind.version()));
        return OpenApiReferences.schema(document, kind);
    }

    private static ServedKind paramKind(JsonObject kind) {
        String apiVersion = kind.string("apiVersion");
        int slash = apiVersion.indexOf('/');
        return new ServedKind(
                slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind.string("kind"));
    }

    /** Adds the variables of the policy, each of which can use those before it. Their own errors are no warnings. */
    private Map<String, ExpressionCompiler.Type> composed(JsonObject spec, Map<String, ExpressionCompiler.Type> types) {
        Map<String, ExpressionCompiler.Type> declared = new HashMap<>();
        types.put(RequestVariables.VARIABLES, variablesType(declared));
        spec.array("variables").objects().forEach(variable -> {
            ExpressionCompiler.Type result;
            try {
                result = compiler.compile(variable.string("expression"), types).type();
            } catch (ExpressionException e) {
                result = compiler.any();
            }
            declared.put(variable.string("name"), result);
            types.put(RequestVariables.VARIABLES, variablesType(declared));
        });
        return types;
    }

    private ExpressionCompiler.Type variablesType(Map<String, ExpressionCompiler.Type> declared) {
        return variables.types(false, false, declared).getOrDefault(RequestVariables.VARIABLES, compiler.any());
    }

    private Collection<ServedKind> matched(JsonObject spec) {
        TreeSet<ServedKind> matched = new TreeSet<>();
        boolean isRefreshed = false;
        for (JsonObject rule :
                spec.array("matchConstraints", "resourceRules").objects().toList()) {
            List<String> groups = names(rule, "apiGroups");
            List<String> versions = names(rule, "apiVersions");
            if (groups.stream().anyMatch(name -> name.contains("*"))
                    || versions.stream().anyMatch(name -> name.contains("*"))) {
                continue;
            }
            int count = 0;
            for (String group : groups) {
                for (String version : versions) {
                    for (String resource : names(rule, "resources")) {
                        if (resource.contains("*") || resource.contains("/")) {
                            continue;
                        }
                        Collection<ServedKind> found = kinds.kindsOf(group, version, resource, false);
                        if (found.isEmpty() && !isRefreshed) {
                            isRefreshed = true;
                            found = kinds.kindsOf(group, version, resource, true);
                        }
                        for (ServedKind kind : found) {
                            matched.add(kind);
                            if (++count == MOST_KINDS) {
                                return matched;
                            }
                        }
                    }
                }
            }
        }
        return matched;
    }

    private static List<String> names(JsonObject rule, String member) {
        return rule.array(member).strings().sorted().toList();
    }
}
