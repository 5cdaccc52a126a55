/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Optional;

/**
 * The compiler of Kubernetes' expressions: CEL with the types of schemas and the functions of Kubernetes (upstream:
 * {@code apiserver/pkg/cel/environment/base.go}). Thread-safe. The first compilation takes some hundred milliseconds.
 *
 * <p>Every server creates a compiler. This class names no class of cel-java, so a server without expressions loads
 * none.
 */
public final class KubernetesCel implements ExpressionCompiler {

    /** Creates a compiler. */
    public KubernetesCel() {}

    private static final class Holder {
        static final ExpressionCompiler COMPILATION = new CelCompilation();
    }

    @Override
    public Type any() {
        return Holder.COMPILATION.any();
    }

    @Override
    public Optional<Type> of(String name, JsonObject schema, boolean resource) {
        return Holder.COMPILATION.of(name, schema, resource);
    }

    @Override
    public long mostValues(JsonObject schema, boolean resource) {
        return Holder.COMPILATION.mostValues(schema, resource);
    }

    @Override
    public Type optional(Type type) {
        return Holder.COMPILATION.optional(type);
    }

    @Override
    public Type access(boolean ofResource) {
        return Holder.COMPILATION.access(ofResource);
    }

    @Override
    public Type object(String name, Map<String, Type> properties) {
        return Holder.COMPILATION.object(name, properties);
    }

    @Override
    public Expression compile(String text, Map<String, Type> variables) throws ExpressionException {
        return Holder.COMPILATION.compile(text, variables);
    }

    @Override
    public Expression compileChange(String text, Map<String, Type> variables) throws ExpressionException {
        return Holder.COMPILATION.compileChange(text, variables);
    }

    @Override
    public Expression compileWithBindings(String text, Map<String, Type> variables) throws ExpressionException {
        return Holder.COMPILATION.compileWithBindings(text, variables);
    }
}
