/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.cel.common.ast.CelMutableExpr.CelMutableStruct;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableMutableAst;
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

    /**
     * Reads the literals of changes, such as <code>Object.spec{replicas: 3}</code> and <code>JSONPatch{op:
     * "remove"}</code>, as maps, whose members are checked when the change is applied (upstream: {@code
     * plugin/policy/mutating/patch}, whose types the compiler checks). Static functions only.
     */
    private static final class ChangeLiterals {

        private static final String OBJECT = "Object";

        /** The identifiers of new expressions start here, above those of any parser. */
        private static final long FIRST_ID = 1L << 24;

        private ChangeLiterals() {}

        /** Returns the parsed expression with maps. */
        static CelAbstractSyntaxTree asMaps(CelAbstractSyntaxTree parsed) {
            CelMutableAst ast = CelMutableAst.fromCelAst(parsed);
            List<CelMutableExpr> literals = CelNavigableMutableAst.fromAst(ast)
                    .getRoot()
                    .allNodes()
                    .map(node -> node.expr())
                    .filter(node -> node.getKind() == Kind.STRUCT
                            && isChange(node.struct().messageName()))
                    .toList();
            long id = FIRST_ID;
            for (CelMutableExpr literal : literals) {
                List<CelMutableMap.Entry> members = new ArrayList<>();
                for (CelMutableStruct.Entry field : literal.struct().entries()) {
                    String name = CelNames.unescape(field.fieldKey());
                    CelConstant key = CelConstant.ofValue(name == null ? field.fieldKey() : name);
                    // members of any type fit together
                    CelMutableExpr value = field.optionalEntry()
                            ? field.value()
                            : CelMutableExpr.ofCall(id++, CelMutableCall.create("dyn", field.value()));
                    members.add(CelMutableMap.Entry.create(
                            field.id(), CelMutableExpr.ofConstant(id++, key), value, field.optionalEntry()));
                }
                literal.setMap(CelMutableMap.create(members));
            }
            return CelAbstractSyntaxTree.newParsedAst(ast.toParsedAst().getExpr(), parsed.getSource());
        }

        private static boolean isChange(String type) {
            return type.equals(OBJECT) || type.startsWith(OBJECT + ".") || type.equals("JSONPatch");
        }
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
