/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.runtime.CelEvaluationException;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@link KubernetesCel} does. Its first use loads classes of cel-java; the first compilation loads {@link
 * CelLibrary}.
 */
final class CelCompilation implements ExpressionCompiler {

    private static final String SOURCE = "<input>";

    CelCompilation() {}

    @Override
    public Type any() {
        return new DeclaredType(SimpleType.DYN, null, List.of());
    }

    @Override
    public Optional<Type> of(JsonObject schema, boolean resource) {
        return DeclaredType.of(schema, resource).map(type -> type);
    }

    @Override
    public long mostValues(JsonObject schema, boolean resource) {
        return SchemaSizes.mostValues(resource ? CelSchemas.withObjectMeta(schema) : schema);
    }

    @Override
    public Type optional(Type type) {
        return ((DeclaredType) type).optional();
    }

    @Override
    public Type access(boolean ofResource) {
        return new DeclaredType(
                ofResource ? AccessFunctions.RESOURCE_CHECK : AccessFunctions.AUTHORIZER, null, List.of());
    }

    @Override
    public Type object(String name, Map<String, Type> properties) {
        Map<String, DeclaredType> declared = new HashMap<>();
        properties.forEach((property, type) -> declared.put(property, (DeclaredType) type));
        return DeclaredType.object(name, declared);
    }

    @Override
    public Expression compile(String text, Map<String, Type> variables) throws ExpressionException {
        return compile(text, variables, false);
    }

    @Override
    public Expression compileChange(String text, Map<String, Type> variables) throws ExpressionException {
        return compile(text, variables, true);
    }

    private static Expression compile(String text, Map<String, Type> variables, boolean isChange)
            throws ExpressionException {
        Map<String, DeclaredType> declared = new HashMap<>();
        variables.forEach((name, type) -> declared.put(name, (DeclaredType) type));
        CelCompilerBuilder builder = CelLibrary.COMPILER.toCompilerBuilder();
        declared.forEach((name, type) -> builder.addVar(name, type.type()));
        if (isChange) {
            builder.addFunctionDeclarations(FunctionTable.ALL.declarations(true));
        }
        CelCompiler compiler = builder.setTypeProvider(DeclaredType.provider(declared.values()))
                .build();
        CelValidationResult checked = isChange ? change(compiler, text) : compiler.compile(text, SOURCE);
        if (!checked.hasError()) {
            try {
                checked = LiteralCheck.validate(compiler, checked.getAst());
                if (!checked.hasError()) {
                    return new CelExpression(
                            checked.getAst(), CelLibrary.RUNTIME.createProgram(checked.getAst()), declared, isChange);
                }
            } catch (CelValidationException | CelEvaluationException e) {
                throw new ExpressionException(String.valueOf(e.getMessage()));
            }
        }
        throw new ExpressionException(ErrorTexts.ofIssues(checked.getErrors(), checked.getSource()));
    }

    private static CelValidationResult change(CelCompiler compiler, String text) throws ExpressionException {
        CelValidationResult parsed = compiler.parse(text, SOURCE);
        try {
            return parsed.hasError() ? parsed : compiler.check(ChangeLiterals.asMaps(parsed.getAst()));
        } catch (CelValidationException e) {
            throw new ExpressionException(String.valueOf(e.getMessage()));
        }
    }
}
