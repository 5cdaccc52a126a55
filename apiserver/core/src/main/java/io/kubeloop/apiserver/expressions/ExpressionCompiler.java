/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Compiles expressions in the Common Expression Language, with the functions and types that Kubernetes adds (upstream:
 * {@code apiserver/pkg/cel/environment}). Implementations are found with {@link ServiceLoader} and must be thread-safe.
 */
public interface ExpressionCompiler {

    /** The words that are no identifiers. */
    Set<String> RESERVED = Set.of(
            ("true false null in as break const continue else for function if import let loop package namespace return"
                            + " var void while")
                    .split(" "));

    /** A type of values, made by the compiler that receives it again. Immutable. */
    interface Type {}

    /** Returns the type whose values are checked at run time only. */
    Type any();

    /**
     * Returns the type of the values of a schema, in which only the declared properties can be read.
     *
     * @param schema a structural schema
     * @param resource whether kind, version and the names in the metadata can be read even if the schema lacks them
     * @return empty if expressions cannot use such values
     */
    default Optional<Type> of(JsonObject schema, boolean resource) {
        return of("selfType", schema, resource);
    }

    /**
     * Returns the type that {@link #of(JsonObject, boolean)} returns, with a name of its own. Variables whose schemas
     * differ need types with different names.
     *
     * @param name the name in messages
     */
    Optional<Type> of(String name, JsonObject schema, boolean resource);

    /** Returns how many values of a schema fit into a request at most. */
    long mostValues(JsonObject schema, boolean resource);

    /** Returns the type of a value of this type that may be absent. */
    Type optional(Type type);

    /**
     * Returns the type of an object with these properties.
     *
     * @param name the name in messages, such as {@code kubernetes.AdmissionRequest}
     */
    Type object(String name, Map<String, Type> properties);

    /**
     * Returns the type of an {@link AccessCheck}.
     *
     * @param ofResource whether the resource is known already
     */
    Type access(boolean ofResource);

    /**
     * Compiles an expression.
     *
     * @param variables the types of the variables by name
     * @throws ExpressionException if the expression has errors
     */
    Expression compile(String text, Map<String, Type> variables) throws ExpressionException;

    /**
     * Compiles an expression that describes a change of an object, with literals such as <code>Object.spec{replicas:
     * 3}</code> and {@code JSONPatch}. Its results are {@link io.kubeloop.json.tree.JsonValue}s.
     *
     * @param variables the types of the variables by name
     * @throws ExpressionException if the expression has errors
     */
    Expression compileChange(String text, Map<String, Type> variables) throws ExpressionException;

    /**
     * Compiles an expression that can name values with {@code cel.bind}.
     *
     * @param variables the types of the variables by name
     * @throws ExpressionException if the expression has errors
     */
    Expression compileWithBindings(String text, Map<String, Type> variables) throws ExpressionException;

    /** Returns the compiler of this process; empty if the module {@code apiserver-cel} is absent. */
    static Optional<ExpressionCompiler> installed() {
        return InstalledCompiler.COMPILER;
    }
}
