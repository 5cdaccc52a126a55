/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.cel.common.ast.CelMutableExpr.CelMutableStruct;
import dev.cel.common.navigation.CelNavigableMutableAst;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the literals of changes, such as <code>Object.spec{replicas: 3}</code> and <code>JSONPatch{op:
 * "remove"}</code>, as maps, whose members are checked when the change is applied (upstream: {@code
 * plugin/policy/mutating/patch}, whose types the compiler checks). Static functions only.
 */
final class ChangeLiterals {

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
                .filter(node ->
                        node.getKind() == Kind.STRUCT && isChange(node.struct().messageName()))
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
