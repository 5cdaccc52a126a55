/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.OptionalType;
import dev.cel.compiler.CelCompiler;
import dev.cel.validator.CelAstValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import io.kubeloop.apiserver.expressions.GoPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds literals that can never be evaluated, such as a wrong duration (upstream: the validators in {@code base.go}).
 * Static functions only.
 */
final class LiteralCheck {

    private static final List<CelAstValidator> VALIDATORS =
            List.of(DurationLiteralValidator.INSTANCE, TimestampLiteralValidator.INSTANCE, LiteralCheck::checkRegex);

    private static final CelAstValidator HOMOGENEOUS = HomogeneousLiteralValidator.newInstance("format");

    private LiteralCheck() {}

    static CelValidationResult validate(CelCompiler compiler, CelAbstractSyntaxTree ast) {
        List<CelAstValidator> validators = new ArrayList<>(VALIDATORS);
        if (optionalValues(ast).allMatch(value -> ast.getType(value.id()).orElse(null) instanceof OptionalType)) {
            // It fails on an optional value whose type is known at run time only, as the one of cel-go does.
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
                .map(expression ->
                        expression.call().args().get(expression.call().args().size() - 1))
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
