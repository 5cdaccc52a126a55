/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Compiles the expressions that select devices (upstream: {@code dynamic-resource-allocation/cel}). Without the module
 * {@code apiserver-cel} they are stored as they are. Static functions only.
 */
final class DeviceExpressions {

    private static final String NAME = "device";

    /** The result may be the value of an attribute, whose type is known at run time only. */
    private static final List<String> RESULTS = List.of("bool", "dyn");

    private static final int MAX_DOMAIN = 63;
    private static final int MAX_VALUE = 64;
    private static final int MAX_ENTRIES = 32;
    private static final JsonObject VALUES =
            JsonObject.EMPTY.with("x-kubernetes-int-or-string", true).with("maxLength", characters(MAX_VALUE));

    /** What an expression can read of a device; the values of attributes and capacities can have any type. */
    private static final JsonObject DEVICE = JsonObject.EMPTY
            .with("type", "object")
            .with(
                    "properties",
                    JsonObject.of(
                                    "driver",
                                    JsonObject.EMPTY.with("type", "string").with("maxLength", characters(MAX_DOMAIN)))
                            .with("allowMultipleAllocations", JsonObject.EMPTY.with("type", "boolean"))
                            .with("attributes", map(map(VALUES)))
                            .with("capacity", map(map(VALUES))));

    private DeviceExpressions() {}

    /** The estimate of costs counts four bytes for each character. */
    private static int characters(int bytes) {
        return (bytes + 3) / 4;
    }

    private static JsonObject map(JsonObject values) {
        return JsonObject.EMPTY
                .with("type", "object")
                .with("maxProperties", MAX_ENTRIES)
                .with("additionalProperties", values);
    }

    /** Adds an error if the expression does not compile, has a result of a wrong type or costs too much. */
    static void check(FieldCursor expression) {
        ExpressionCompiler.installed().ifPresent(compiler -> check(compiler, expression.holdingText()));
    }

    private static void check(ExpressionCompiler compiler, FieldCursor expression) {
        try {
            Expression compiled = compiler.compileWithBindings(
                    expression.text(),
                    Map.of(
                            NAME,
                            compiler.of("kubernetes.DRADevice", DEVICE, false).orElseThrow()));
            if (!RESULTS.contains(compiled.typeName())) {
                expression.invalid("must evaluate to bool or the unknown type, not " + compiled.typeName());
            } else if (compiled.mostCost() > Expression.COST_LIMIT) {
                expression.forbidden("too complex, exceeds cost limit");
            }
        } catch (ExpressionException e) {
            expression.invalid(e.failure());
        }
    }
}
