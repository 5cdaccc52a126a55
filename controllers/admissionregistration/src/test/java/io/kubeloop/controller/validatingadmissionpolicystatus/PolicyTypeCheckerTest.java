/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages are those that kube-controller-manager 1.36.3 wrote for the same expressions and kinds. */
class PolicyTypeCheckerTest {

    private static final JsonObject APPS = json("""
            {'components':{'schemas':{
              'Deployment':{'type':'object','x-kubernetes-group-version-kind':[{'group':'apps','version':'v1',\
            'kind':'Deployment'}],
                'properties':{'kind':{'type':'string'},'apiVersion':{'type':'string'},\
            'metadata':{'allOf':[{'$ref':'#/components/schemas/Meta'}],'default':{}},
                  'spec':{'allOf':[{'$ref':'#/components/schemas/Spec'}],'default':{}}}},
              'Spec':{'type':'object','properties':{'replicas':{'type':'integer','format':'int32'},\
            'paused':{'type':'boolean'},
                'port':{'$ref':'#/components/schemas/IntOrString'},'limits':{'type':'object',\
            'additionalProperties':{'$ref':'#/components/schemas/Quantity'}},
                'self':{'$ref':'#/components/schemas/Spec'},'names':{'type':'array','items':{'type':'string'}}}},
              'Meta':{'type':'object','properties':{'name':{'type':'string'},'generateName':{'type':'string'},\
            'creationTimestamp':{'$ref':'#/components/schemas/Time'},
                'labels':{'type':'object','additionalProperties':{'type':'string'}}}},
              'Time':{'type':'string','format':'date-time'},
              'Quantity':{'oneOf':[{'type':'string'},{'type':'number'}]},
              'IntOrString':{'oneOf':[{'type':'integer'},{'type':'string'}],'format':'int-or-string'},
              'StatefulSet':{'type':'object','x-kubernetes-group-version-kind':[{'group':'apps','version':'v1',\
            'kind':'StatefulSet'}],
                'properties':{'spec':{'type':'object','properties':{'serviceName':{'type':'string'}}}}}}}}
            """);

    private static JsonObject json(String text) {
        return JsonObject.parse(text.replace('\'', '"'));
    }

    /** Serves two kinds of apps, and thirty that have no schema. */
    private static final class Kinds implements KindSchemas {

        private final List<String> refreshed = new ArrayList<>();

        @Override
        public Collection<ServedKind> kindsOf(String group, String version, String resource, boolean isRefreshed) {
            if (isRefreshed) {
                refreshed.add(resource);
            }
            String kind = Map.of("deployments", "Deployment", "statefulsets", "StatefulSet")
                    .getOrDefault(resource, "");
            return kind.isEmpty() || !group.equals("apps") || !version.equals("v1")
                    ? List.of()
                    : List.of(new ServedKind(group, version, kind));
        }

        @Override
        public JsonObject document(String group, String version) {
            return group.equals("apps") ? APPS : JsonObject.EMPTY;
        }
    }

    private final Kinds kinds = new Kinds();
    private final PolicyTypeChecker checker =
            new PolicyTypeChecker(ExpressionCompiler.installed().orElseThrow(), kinds);

    private static String rule(String groups, String versions, String resources) {
        return "{'apiGroups':[" + groups + "],'apiVersions':[" + versions + "],'resources':[" + resources + "]}";
    }

    private List<JsonObject> check(String rules, String validations, String more) {
        return checker.check(json("{'matchConstraints':{'resourceRules':[" + rules + "]},'validations':[" + validations
                + "]" + more + "}"));
    }

    private static String text(List<JsonObject> warnings) {
        return warnings.stream()
                .map(warning -> warning.string("fieldRef") + " " + warning.string("warning"))
                .collect(Collectors.joining("|"));
    }

    @Test
    void warning_hasAParagraphForEachKindWithAnError_andPlacesAsCelPrintsThem() {
        List<JsonObject> warnings = check(
                rule("'apps'", "'v1'", "'statefulsets','deployments'"),
                "{'expression':'object.spec.replicas > 1 || object.spec.paused > "
                        + "3','messageExpression':'object.metadata.name'}",
                "");

        assertThat(text(warnings))
                .isEqualTo("spec.validations[0].expression apps/v1, Kind=Deployment: ERROR: <input>:1:48: found no"
                        + " matching overload for '_>_' applied to '(bool, int)'\n"
                        + " | object.spec.replicas > 1 || object.spec.paused > 3\n"
                        + " | ...............................................^\n"
                        + "\n"
                        + "apps/v1, Kind=StatefulSet: ERROR: <input>:1:12: undefined field 'replicas'\n"
                        + " | object.spec.replicas > 1 || object.spec.paused > 3\n"
                        + " | ...........^\n"
                        + "ERROR: <input>:1:40: undefined field 'paused'\n"
                        + " | object.spec.replicas > 1 || object.spec.paused > 3\n"
                        + " | .......................................^\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "object.spec.replicas <= 5 |",
                "object.spec.port == 80 |",
                "object.spec.self.anything == 1 | 1:17: undefined field 'anything'",
                "object.spec.limits == 1 | 1:12: undefined field 'limits'",
                "object.metadata.creationTimestamp == 1 | 1:35: found no matching overload for '_==_' applied to "
                        + "'(timestamp, int)'",
                "object.metadata.labels.app == 1 | 1:28: found no matching overload for '_==_' applied to '(string, "
                        + "int)'",
                "object.spec.names.all(n, n == 1) | 1:28: found no matching overload for '_==_' applied to '(string, "
                        + "int)'",
                "oldObject.spec.replicas == object.metadata.name | 1:25: found no matching overload for '_==_' "
                        + "applied to '(int, string)'",
                "object == oldObject |",
                "request.userInfo.username == object.spec.replicas | 1:27: found no matching overload for '_==_' "
                        + "applied to '(string, int)'",
                "params.anything == 1 | 1:1: undeclared reference to 'params' (in container '')",
                "authorizer.requestResource.check('x').allowed() | 1:11: unexpected failed resolution of "
                        + "'kubernetes.authorization.Authorizer'",
                "variables.count > object.metadata.name | 1:17: found no matching overload for '_>_' applied to "
                        + "'(int, string)'",
                "variables.next == object.metadata.name | 1:16: found no matching overload for '_==_' applied to "
                        + "'(int, string)'",
                "variables.wrong > 1 |",
                "variables.whole.nope == 1 |",
            })
    void expression_isCheckedWithTheTypesOfTheKind(String expression, String expected) {
        JsonObject spec = json("{'matchConstraints':{'resourceRules':[" + rule("'apps'", "'v1'", "'deployments'")
                + "]},'variables':[{'name':'count','expression':'object.spec.replicas'},{'name':'next','expression':"
                + "'variables.count + 1'},{'name':'wrong','expression':'object.nope'},{'name':'whole',"
                + "'expression':'object.spec'}]}");
        List<JsonObject> warnings =
                checker.check(spec.with("validations", JsonArray.of(JsonObject.EMPTY.with("expression", expression))));

        if (expected == null) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings.get(0).string("warning"))
                    .startsWith("apps/v1, Kind=Deployment: ERROR: <input>:" + expected + "\n");
        }
    }

    @Test
    void parameters_areTyped_orAnythingIfTheirKindIsUnknown() {
        String validations = "{'expression':'params.spec.replicas == object.metadata.name'}";
        assertThat(text(check(
                        rule("'apps'", "'v1'", "'deployments'"),
                        validations,
                        ",'paramKind':{'apiVersion':'apps/v1','kind':'Deployment'}")))
                .contains("found no matching overload for '_==_' applied to '(int, string)'");
        assertThat(check(
                        rule("'apps'", "'v1'", "'deployments'"),
                        validations,
                        ",'paramKind':{'apiVersion':'example.com/v1','kind':'Thing'}"))
                .isEmpty();
    }

    @Test
    void rulesWithWildcards_subresources_andUnknownResources_areNotChecked() {
        String wrong = "{'expression':'object.nope'}";
        assertThat(check(rule("'*'", "'v1'", "'deployments'"), wrong, "")).isEmpty();
        assertThat(check(rule("'apps'", "'*'", "'deployments'"), wrong, "")).isEmpty();
        assertThat(check(rule("'apps'", "'v1'", "'*','deployments/scale'"), wrong, ""))
                .isEmpty();
        assertThat(kinds.refreshed).isEmpty();
        assertThat(check(rule("'apps'", "'v1'", "'things','others'"), wrong, ""))
                .isEmpty();
        assertThat(kinds.refreshed).containsExactly("others");
        assertThat(check(rule("'apps'", "'v1'", "'deployments'"), wrong, "")).hasSize(1);
    }

    private static String letters(Function<Character, String> text) {
        return "abcdefghijkl"
                .chars()
                .mapToObj(letter -> text.apply((char) letter))
                .collect(Collectors.joining(","));
    }

    @Test
    void kinds_areAtMostTen() {
        List<String> asked = new ArrayList<>();
        KindSchemas many = new KindSchemas() {
            @Override
            public Collection<ServedKind> kindsOf(String group, String version, String resource, boolean isRefreshed) {
                return List.of(new ServedKind(group, version, resource));
            }

            @Override
            public JsonObject document(String group, String version) {
                asked.add(group + "/" + version);
                return json("{'components':{'schemas':{'A':{'type':'object','x-kubernetes-group-version-kind':["
                        + letters(letter -> "{'group':'g','version':'v1','kind':'k" + letter + "'}")
                        + "]}}}}");
            }
        };
        String resources = letters(letter -> "'k" + letter + "'");
        List<JsonObject> warnings = new PolicyTypeChecker(
                        ExpressionCompiler.installed().orElseThrow(), many)
                .check(json("{'matchConstraints':{'resourceRules':[" + rule("'g'", "'v1'", resources)
                        + "]},'validations':[{'expression':'object.nope'}]}"));
        assertThat(warnings.get(0).string("warning").split("Kind=", -1)).hasSize(11);
        assertThat(asked).containsExactly("g/v1");
    }
}
