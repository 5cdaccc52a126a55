/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelReference;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.json.tree.JsonValue;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An expression with its program. Immutable; thread-safe. */
final class CelExpression implements Expression {

    /** The library's short name of a type that cel-go writes in full. */
    private static final Pattern NULL = Pattern.compile("\\bnull\\b");

    private final CelAbstractSyntaxTree ast;
    private final CelRuntime.Program program;
    private final Map<String, DeclaredType> variables;
    private final CelType results;
    private final boolean isChange;

    /**
     * Creates an expression.
     *
     * @param results the type of the results
     * @param isChange whether the results are changes
     */
    CelExpression(
            CelAbstractSyntaxTree ast,
            CelRuntime.Program program,
            Map<String, DeclaredType> variables,
            CelType results,
            boolean isChange) {
        this.results = results;
        this.isChange = isChange;
        this.ast = ast;
        this.program = program;
        this.variables = Map.copyOf(variables);
    }

    @Override
    public ExpressionCompiler.Type type() {
        return new DeclaredType(DeclaredType.ofResults(results), null, List.of());
    }

    @Override
    public String typeName() {
        return NULL.matcher(CelTypes.format(results)).replaceAll("null_type");
    }

    @Override
    public long mostCost() {
        // The old value of a rule has the sizes of the new one.
        DeclaredType subject =
                variables.size() == 1 ? variables.values().iterator().next() : variables.get("self");
        return new CostEstimate(ast, subject == null ? null : subject.schema()).most();
    }

    @Override
    public boolean uses(String variable) {
        return ast.getReferenceMap().values().stream().map(CelReference::name).anyMatch(variable::equals);
    }

    @Override
    public Outcome evaluate(Map<String, ?> values) {
        CostCounter cost = new CostCounter(ast, COST_LIMIT);
        try {
            Object result = program.trace(activation(values), FunctionTable.ALL, cost);
            return new Outcome(isChange ? change(result) : result, null, cost.total());
        } catch (CelEvaluationException e) {
            return new Outcome(
                    null,
                    ErrorTexts.ofEvaluation(e, ast.getSource().getContent().toString()),
                    cost.total());
        } catch (CelInvalidArgumentException e) {
            return new Outcome(null, String.valueOf(e.getMessage()), cost.total());
        } catch (CostCounter.CostExceededError e) {
            return new Outcome(null, e.getMessage(), cost.total());
        }
    }

    private static Change change(Object result) {
        return () -> ChangeLiterals.json(result);
    }

    private Map<String, Object> activation(Map<String, ?> values) {
        Map<String, Object> activation = new HashMap<>();
        values.forEach((name, value) -> {
            DeclaredType type = variables.get(name);
            if (type != null) {
                activation.put(name, value(value, type));
            }
        });
        return activation;
    }

    private static Object value(@Nullable Object value, DeclaredType type) {
        if (value instanceof Optional<?> optional) {
            return optional.map(some -> value(some, type));
        }
        if (value instanceof JsonValue json) {
            return JsonValues.of(json, type.schema());
        }
        if (value instanceof Map<?, ?> suppliers) {
            return new LazyMap(suppliers);
        }
        return value == null ? NullValue.NULL_VALUE : value;
    }

    /** An object whose properties are evaluated when they are read, once. Confined to one evaluation. */
    private static final class LazyMap extends AbstractMap<String, Object> {

        private final Map<?, ?> suppliers;
        private final Map<Object, Object> known = new HashMap<>();

        LazyMap(Map<?, ?> suppliers) {
            this.suppliers = suppliers;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return suppliers.containsKey(key);
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            if (key == null || !(suppliers.get(key) instanceof Supplier<?> supplier)) {
                return null;
            }
            Object value = known.get(key);
            if (value == null) {
                Outcome outcome = (Outcome) supplier.get();
                value = outcome.value();
                if (value == null) {
                    throw new CelInvalidArgumentException(String.valueOf(outcome.error()));
                }
                known.put(key, value);
            }
            return value;
        }

        /** Expressions read declared properties only, by their names. */
        @Override
        public Set<Entry<String, Object>> entrySet() {
            Map<String, Object> all = new HashMap<>();
            suppliers.keySet().forEach(key -> all.put((String) key, get(key)));
            return all.entrySet();
        }
    }
}
