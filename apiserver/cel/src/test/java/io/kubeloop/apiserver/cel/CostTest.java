/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.expressions.AccessCheck;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that make lists and texts: cel-go 0.29's costs, and the end of what would be too large. */
class CostTest {

    private static final String EXCEEDED = "operation cancelled: actual cost limit exceeded";

    private static Expression compile(String text) throws ExpressionException {
        return new KubernetesCel().compile(text, Map.of("object", new KubernetesCel().any()));
    }

    private static Expression.Outcome evaluate(String text) throws ExpressionException {
        return compile(text).evaluate(Map.of("object", JsonObject.EMPTY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the call, the list that it makes, and the steps
                "lists.range(0)                        | 11",
                "lists.range(100)                      | 111",
                "lists.range(10).slice(2, 5)           | 35",
                "lists.range(10).reverse()             | 42",
                "lists.range(10).distinct()            | 232",
                "lists.range(10).sort()                | 232",
                "['b', 'a'].sort()                     | 19",
                "[[1, 2], [3]].flatten()               | 23",
                "[[1, 2], [3]].flatten(2)              | 25",
                "sets.contains([1, 2, 3], [1, 2])      | 7",
                "sets.intersects([1, 2, 3], [1, 2])    | 7",
                "sets.equivalent([1, 2, 3], [1, 2])    | 13",
            })
    void costs_areThoseOfCelGo(String text, long cost) throws ExpressionException {
        assertThat(evaluate(text).cost()).isEqualTo(cost);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lists.range(2000000000).size() > 0",
                "lists.range(9223372036854775807).size() > 0",
                "lists.range(1000000).size() > 0",
                "lists.range(1000).distinct().size() > 0",
                "'a'.replace('', 'aaaaaaaaaa'.replace('', 'aaaaaaaaaa').replace('', 'aaaaaaaaaa')).replace('', "
                        + "'aaaaaaaaaa'.replace('', 'aaaaaaaaaa').replace('', 'aaaaaaaaaa')).replace('', "
                        + "'aaaaaaaaaa'.replace('', 'aaaaaaaaaa').replace('', 'aaaaaaaaaa')).size() > 0",
                "'%.2000000000f'.format([1.0]).size() > 0",
                "[lists.range(3000)].map(l, l.map(i, '0123456789'.replace('', '0123456789')).join().replace('', "
                        + "'0123456789'.replace('', '0123456789')))[0].size() > 0",
                "[lists.range(100000)].map(a, a + a).map(b, b + b).map(c, c + c).map(d, d + d)[0].size() > 0",
            })
    void resultsThatAreTooLarge_endTheEvaluation(String text) throws ExpressionException {
        assertThat(evaluate(text).error()).isEqualTo(EXCEEDED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'abc'.replace('', '-')            == '-a-b-c-'",
                "'abc'.replace('', '-', 2)         == '-a-bc'",
                "'aaa'.replace('a', 'b', 2)        == 'bba'",
                "'aaa'.replace('aa', 'b')          == 'ba'",
                "'aaa'.replace('a', 'b', 0)        == 'aaa'",
                "''.replace('', 'x')               == 'x'",
                "['a', 'b'].join('-')              == 'a-b'",
                "[].join()                         == ''",
                "lists.range(3)                    == [0, 1, 2]",
                "lists.range(-1)                   == []",
                "lists.range(3).map(i, i + 1)      == [1, 2, 3]",
                "[1, 2, 1].distinct()              == [1, 2]",
                "[[dyn(1), dyn([2])], [dyn(3)]].flatten()  == [dyn(1), dyn([2]), dyn(3)]",
                "[[dyn(1), dyn([2])], [dyn(3)]].flatten(2) == [1, 2, 3]",
                "(lists.range(300) + lists.range(300))[599] == 299",
            })
    void functions_returnWhatTheLibraryReturns(String text) throws ExpressionException {
        assertThat(evaluate(text).value()).as(text).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "authorizer.path('/x').check('get').allowed() | 350003",
                "authorizer.group('').resource('pods').labelSelector('a=b').check('get').reason() | 350115",
                "[1, 2, 3].all(x, authorizer.path('/x').check('get').allowed()) | 1050017",
            })
    void questionsAboutAccess_areCounted(String text, long cost) throws ExpressionException {
        KubernetesCel cel = new KubernetesCel();
        AccessCheck access = new AccessCheck(request -> new AccessCheck.Decision(true, ""), Map.of());
        Expression.Outcome outcome =
                cel.compile(text, Map.of("authorizer", cel.access(false))).evaluate(Map.of("authorizer", access));

        assertThat(outcome.cost()).isEqualTo(cost);
        assertThat(outcome.error()).isEqualTo(cost > Expression.COST_LIMIT ? EXCEEDED : null);
    }

    /** Upstream refuses such a definition. */
    @Test
    void estimate_ofAnUnknownRange_isUnlimited() throws ExpressionException {
        assertThat(compile("lists.range(object.n).size() > 0").mostCost()).isGreaterThan(Expression.COST_LIMIT);
        assertThat(compile("lists.range(10).map(x, x).size() > 0").mostCost()).isLessThan(1000);
    }
}
