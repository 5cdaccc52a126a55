/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.extensions.CelExtensions;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.validator.CelAstValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.apiserver.expressions.GoPattern;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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

    private static Expression compile(String text, Map<String, Type> variables, Dialect dialect)
            throws ExpressionException {
        boolean isChange = dialect == Dialect.CHANGE;
        Map<String, DeclaredType> declared = new HashMap<>();
        variables.forEach((name, type) -> declared.put(name, (DeclaredType) type));
        CelCompilerBuilder builder = CelLibrary.COMPILER.toCompilerBuilder();
        declared.forEach((name, type) -> builder.addVar(name, type.type()));
        if (isChange) {
            builder.addFunctionDeclarations(FunctionTable.ALL.declarations(true));
        }
        if (dialect == Dialect.BINDINGS) {
            builder.addLibraries(CelExtensions.bindings());
        }
        CelTypeProvider types = DeclaredType.provider(declared.values());
        CelCompiler compiler = builder.setTypeProvider(types).build();
        CelValidationResult parsed = compiler.parse(text, SOURCE);
        try {
            if (!parsed.hasError()) {
                CelAbstractSyntaxTree source = parsed.getAst();
                if (isChange) {
                    compiler = builder.setTypeProvider(ChangeLiterals.types(source, types))
                            .build();
                }
                CelValidationResult checked = compiler.check(source);
                if (!checked.hasError()) {
                    checked = LiteralCheck.validate(compiler, checked.getAst());
                }
                if (checked.hasError()) {
                    throw new ExpressionException(ErrorTexts.ofIssues(checked.getErrors(), checked.getSource()));
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

    /**
     * Finds literals that can never be evaluated, such as a wrong duration (upstream: the validators in {@code
     * base.go}). Static functions only.
     */
    private static final class LiteralCheck {

        private static final List<CelAstValidator> VALIDATORS = List.of(
                DurationLiteralValidator.INSTANCE, TimestampLiteralValidator.INSTANCE, LiteralCheck::checkRegex);

        private static final CelAstValidator HOMOGENEOUS = HomogeneousLiteralValidator.newInstance("format");

        private LiteralCheck() {}

        static CelValidationResult validate(CelCompiler compiler, CelAbstractSyntaxTree ast) {
            List<CelAstValidator> validators = new ArrayList<>(VALIDATORS);
            if (optionalValues(ast).allMatch(value -> ast.getType(value.id()).orElse(null) instanceof OptionalType)) {
                // Like cel-go's validator, this one fails if an optional's type is known only at run time.
                validators.add(HOMOGENEOUS);
            }
            return CelValidatorFactory.standardCelValidatorBuilder(compiler, CelLibrary.RUNTIME)
                    .addAstValidators(validators)
                    .build()
                    .validate(ast);
        }

        /** Checks the literals of {@code matches}. The library's validator checks them against Java's syntax. */
        private static void checkRegex(CelNavigableAst ast, Cel cel, CelAstValidator.IssuesFactory issues) {
            ast.getRoot()
                    .allNodes()
                    .map(node -> node.expr())
                    .filter(expression -> expression.getKind() == CelExpr.ExprKind.Kind.CALL
                            && expression.call().function().equals("matches")
                            && !expression.call().args().isEmpty())
                    .map(expression -> expression
                            .call()
                            .args()
                            .get(expression.call().args().size() - 1))
                    .filter(argument -> argument.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                            && argument.constant().getKind() == CelConstant.Kind.STRING_VALUE)
                    .forEach(argument -> {
                        String problem = new GoPattern(argument.constant().stringValue()).error();
                        if (problem != null) {
                            issues.addError(argument.id(), "Regex validation failed. Reason: " + problem);
                        }
                    });
        }

        /** Returns the values that a literal contains only if they are present. */
        private static Stream<CelExpr> optionalValues(CelAbstractSyntaxTree ast) {
            return CelNavigableAst.fromAst(ast)
                    .getRoot()
                    .allNodes()
                    .map(node -> node.expr())
                    .flatMap(expression -> switch (expression.getKind()) {
                        case LIST ->
                            expression.list().optionalIndices().stream()
                                    .map(index -> expression.list().elements().get(index));
                        case MAP ->
                            expression.map().entries().stream()
                                    .filter(CelExpr.CelMap.Entry::optionalEntry)
                                    .map(CelExpr.CelMap.Entry::value);
                        default -> Stream.empty();
                    });
        }
    }
}
