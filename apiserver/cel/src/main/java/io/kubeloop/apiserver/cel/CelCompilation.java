/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.extensions.CelExtensions;
import dev.cel.runtime.CelEvaluationException;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@link KubernetesCel} does. Its first use loads classes of cel-java; the first compilation loads {@link
 * CelLibrary}.
 */
final class CelCompilation implements ExpressionCompiler {

    private static final String SOURCE = "<input>";

    private volatile @Nullable Prepared last;

    CelCompilation() {}

    @Override
    public Type any() {
        return new DeclaredType(SimpleType.DYN, null, List.of());
    }

    @Override
    public Optional<Type> of(String name, JsonObject schema, boolean resource) {
        return DeclaredType.of(name, schema, resource).map(type -> type);
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
        return compile(text, variables, Dialect.PLAIN);
    }

    @Override
    public Expression compileChange(String text, Map<String, Type> variables) throws ExpressionException {
        return compile(text, variables, Dialect.CHANGE);
    }

    @Override
    public Expression compileWithBindings(String text, Map<String, Type> variables) throws ExpressionException {
        return compile(text, variables, Dialect.BINDINGS);
    }

    /** What an expression can contain beside the functions that all have. */
    private enum Dialect {
        PLAIN,
        CHANGE,
        BINDINGS
    }

    private Expression compile(String text, Map<String, Type> variables, Dialect dialect) throws ExpressionException {
        boolean isChange = dialect == Dialect.CHANGE;
        Map<String, DeclaredType> declared = new HashMap<>();
        variables.forEach((name, type) -> declared.put(name, (DeclaredType) type));
        CelCompiler base = dialect == Dialect.BINDINGS
                ? CelLibrary.COMPILER
                        .toCompilerBuilder()
                        .addLibraries(CelExtensions.bindings())
                        .build()
                : CelLibrary.COMPILER;
        CelValidationResult parsed = base.parse(text, SOURCE);
        try {
            if (!parsed.hasError()) {
                CelAbstractSyntaxTree source = parsed.getAst();
                CelCompiler compiler = isChange
                        ? ofChanges(source, declared)
                        : dialect == Dialect.PLAIN
                                ? plain(variables, declared)
                                : compiler(base, DeclaredType.provider(declared.values()), declared);
                CelValidationResult checked = compiler.check(source);
                if (!checked.hasError()) {
                    checked = LiteralCheck.validate(compiler, checked.getAst());
                }
                if (checked.hasError()) {
                    throw new ExpressionException(ErrorTexts.ofIssues(checked.getErrors(), checked.getSource()));
                }
                String problem = Conversions.problem(checked.getAst());
                if (problem != null) {
                    throw ExpressionException.ofProgram(problem);
                }
                CelType results = checked.getAst().getResultType();
                CelAbstractSyntaxTree run = isChange
                        ? compiler.check(ChangeLiterals.asCalls(source)).getAst()
                        : checked.getAst();
                return new CelExpression(run, CelLibrary.RUNTIME.createProgram(run), declared, results, isChange);
            }
        } catch (CelValidationException | CelEvaluationException e) {
            throw new ExpressionException(String.valueOf(e.getMessage()));
        }
        throw new ExpressionException(ErrorTexts.ofIssues(parsed.getErrors(), parsed.getSource()));
    }

    /** A compiler for expressions with these variables. */
    private record Prepared(Map<String, Type> variables, CelCompiler compiler) {}

    /** Returns the compiler of the last expression if this one has the same variables, as those of one policy do. */
    private CelCompiler plain(Map<String, Type> variables, Map<String, DeclaredType> declared) {
        Prepared known = last;
        boolean isSame = known != null
                && known.variables.size() == variables.size()
                && variables.entrySet().stream()
                        .allMatch(entry -> known.variables.get(entry.getKey()) == entry.getValue());
        if (known != null && isSame) {
            return known.compiler;
        }
        CelCompiler compiler = compiler(CelLibrary.COMPILER, DeclaredType.provider(declared.values()), declared);
        last = new Prepared(Map.copyOf(variables), compiler);
        return compiler;
    }

    private static CelCompiler ofChanges(CelAbstractSyntaxTree source, Map<String, DeclaredType> variables) {
        CelTypeProvider types = ChangeLiterals.types(source, DeclaredType.provider(variables.values()));
        return compiler(CelLibrary.COMPILER, types, variables)
                .toCompilerBuilder()
                .addFunctionDeclarations(FunctionTable.ALL.declarations(true))
                .build();
    }

    private static CelCompiler compiler(CelCompiler base, CelTypeProvider types, Map<String, DeclaredType> variables) {
        CelCompilerBuilder builder = base.toCompilerBuilder().setTypeProvider(types);
        variables.forEach((name, type) -> builder.addVar(name, type.type()));
        return builder.build();
    }
}
