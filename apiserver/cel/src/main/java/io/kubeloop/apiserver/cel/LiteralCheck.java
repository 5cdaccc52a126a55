/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.compiler.CelCompiler;
import dev.cel.validator.CelAstValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds literals that can never be evaluated, such as a wrong duration (upstream: the validators in {@code base.go} and
 * of cel-go's {@code ext/formatting.go}). Static functions only.
 */
final class LiteralCheck {

    private static final List<CelAstValidator> VALIDATORS =
            List.of((ast, cel, issues) -> calls(ast).forEach(call -> check(ast, call, issues)));

    private static final CelAstValidator HOMOGENEOUS = HomogeneousLiteralValidator.newInstance("format");

    /** The kinds of the arguments of the clause {@code %s}. */
    private static final Set<CelKind> TEXTS = EnumSet.of(
            CelKind.LIST,
            CelKind.MAP,
            CelKind.INT,
            CelKind.UINT,
            CelKind.DOUBLE,
            CelKind.BOOL,
            CelKind.STRING,
            CelKind.TIMESTAMP,
            CelKind.BYTES,
            CelKind.DURATION,
            CelKind.TYPE,
            CelKind.NULL_TYPE);

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

    private static Stream<CelExpr> calls(CelNavigableAst ast) {
        return ast.getRoot()
                .allNodes()
                .map(node -> node.expr())
                .filter(expression -> expression.getKind() == Kind.CALL
                        && !expression.call().args().isEmpty());
    }

    private static void check(CelNavigableAst ast, CelExpr call, CelAstValidator.IssuesFactory issues) {
        String function = call.call().function();
        List<CelExpr> arguments = call.call().args();
        CelExpr last = arguments.get(arguments.size() - 1);
        boolean isConstant = last.getKind() == Kind.CONSTANT;
        switch (function) {
            case "duration", "timestamp", "matches" -> {
                String problem = isConstant ? Conversions.problem(call) : null;
                if (problem != null) {
                    String what = function.equals("matches") ? "Regex" : function;
                    issues.addError(last.id(), what + " validation failed. Reason: " + problem);
                }
            }
            case "format" -> call.call().target().ifPresent(format -> checkFormat(ast, call, format, last, issues));
            default -> {}
        }
    }

    /** Checks a format that is written as a literal against the types of a written list of arguments. */
    private static void checkFormat(
            CelNavigableAst ast, CelExpr call, CelExpr format, CelExpr list, CelAstValidator.IssuesFactory issues) {
        if (format.getKind() != Kind.CONSTANT
                || format.constant().getKind() != CelConstant.Kind.STRING_VALUE
                || list.getKind() != Kind.LIST) {
            return;
        }
        List<CelExpr> arguments = list.list().elements();
        FormatTypes types = new FormatTypes(ast.getAst(), arguments);
        try {
            int used = StringFormat.write(format.constant().stringValue(), new StringBuilder(), types);
            if (arguments.size() > used) {
                issues.addError(
                        call.id(),
                        "too many arguments supplied to string.format (expected " + used + ", got " + arguments.size()
                                + ")");
            }
        } catch (CelInvalidArgumentException e) {
            issues.addError(types.wrong == null ? call.id() : types.wrong.id(), String.valueOf(e.getMessage()));
        } catch (CostCounter.CostExceededError e) {
            return; // a long precision fails when it is evaluated
        }
    }

    /** The types of the arguments of a format. */
    private static final class FormatTypes implements StringFormat.Clauses {

        private final CelAbstractSyntaxTree ast;
        private final List<CelExpr> arguments;
        private @Nullable CelExpr wrong;

        FormatTypes(CelAbstractSyntaxTree ast, List<CelExpr> arguments) {
            this.ast = ast;
            this.arguments = arguments;
        }

        @Override
        public int count() {
            return arguments.size();
        }

        @Override
        public String text(char clause, int precision, int argument) {
            CelExpr value = arguments.get(argument);
            Set<CelKind> kinds = switch (clause) {
                case 's' -> TEXTS;
                case 'd', 'o' -> EnumSet.of(CelKind.INT, CelKind.UINT);
                case 'b' -> EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.BOOL);
                case 'x', 'X' -> EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES);
                case 'f', 'e' -> EnumSet.of(CelKind.DOUBLE, CelKind.STRING);
                default -> throw StringFormat.unsupported(clause, "");
            };
            require(value, clause, kinds);
            return "";
        }

        private void require(CelExpr value, char clause, Set<CelKind> kinds) {
            CelType type = ast.getType(value.id()).orElse(null);
            if (type != null && type.kind() != CelKind.DYN && !kinds.contains(type.kind())) {
                wrong = value;
                throw StringFormat.unsupported(clause, ErrorTexts.name(type));
            }
            if (clause == 's' && value.getKind() == Kind.LIST) {
                value.list().elements().forEach(element -> require(element, clause, kinds));
            } else if (clause == 's' && value.getKind() == Kind.MAP) {
                value.map().entries().forEach(entry -> {
                    require(entry.key(), clause, kinds);
                    require(entry.value(), clause, kinds);
                });
            }
        }
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
