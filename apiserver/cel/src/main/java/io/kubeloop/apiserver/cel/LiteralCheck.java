package io.kubeloop.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.OptionalType;
import dev.cel.compiler.CelCompiler;
import dev.cel.validator.CelAstValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import dev.cel.validator.validators.RegexLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds literals that can never be evaluated, such as a wrong duration (upstream: the validators in {@code base.go}). Static functions only. */
final class LiteralCheck {

    private static final List<CelAstValidator> VALIDATORS = List.of(
            DurationLiteralValidator.INSTANCE, TimestampLiteralValidator.INSTANCE, RegexLiteralValidator.INSTANCE);

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
