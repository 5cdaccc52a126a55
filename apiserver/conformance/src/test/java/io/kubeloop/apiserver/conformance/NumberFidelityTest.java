/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of unusual text, with the answers of kube-apiserver 1.37.2. */
class NumberFidelityTest extends ServerFixture {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String NUTS = "/apis/example.com/v1/nuts";
    private static final String QUOTAS = "/api/v1/namespaces/default/resourcequotas";
    private static final String SET = "{'type':'array','x-kubernetes-list-type':'set','items':{'type':'number'}}";
    private static final String MAP =
            "{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
                    + "'items':{'type':'object','required':['k'],'properties':{'k':{'type':'number'}}}}";
    private static final String OBJECTS = "{'type':'array','x-kubernetes-list-type':'set','items':"
            + "{'type':'object','x-kubernetes-map-type':'atomic','properties':{'k':{'type':'number'}}}}";

    private void define(String schema) {
        requests.post(
                        DEFINITIONS,
                        "{'metadata':{'name':'nuts.example.com'},'spec':{'group':'example.com','scope':'Cluster',"
                                + "'names':"
                                + "{'plural':'nuts','kind':'Nut'},'versions':[{'name':'v1','served':true,"
                                + "'storage':true,"
                                + "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':" + schema
                                + "}}}}]}}")
                .ok();
    }

    private static String nut(String spec) {
        return "{'apiVersion':'example.com/v1','kind':'Nut','metadata':{'name':'a'},'spec':" + spec + "}";
    }

    /** Go compares int64 with int64 and float64 with float64. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1.0,1]                                | [1,1]",
                "[1e-2147483648,0]                      | [0,0]",
                "[1e0,1.0]                              | spec[1]: Duplicate value: 1",
                "[0.0,-0.0]                             | spec[1]: Duplicate value: -0",
                "[0.0,1e-400]                           | spec[1]: Duplicate value: 0",
                "[9007199254740993.0,9007199254740992.0]| spec[1]: Duplicate value: 9.007199254740992e+15",
                "[-0.0]                                 | [0]",
            })
    void set_ofEqualNumbers_comparesThemAsGoDoes(String sent, String answer) {
        define(SET);
        check(requests.post(NUTS, nut(sent)), answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1.0           | 1      | [{'k':1},{'k':1}]            | spec[1]: Duplicate value: {'k':1}",
                "0             | -0     | spec[1]: Duplicate value: {'k':0} | spec[1]: Duplicate value: {'k':0}",
                "0.0           | -0.0   | spec[1]: Duplicate value: {'k':-0}| [{'k':0},{'k':0}]",
                "1e-2147483648 | 0      | [{'k':0},{'k':0}]            | spec[1]: Duplicate value: {'k':0}",
            })
    void keysAndObjects_ofEqualNumbers_areComparedByValueAndByText(
            String one, String two, String ofKeys, String ofObjects) {
        String sent = "[{'k':" + one + "},{'k':" + two + "}]";
        define(MAP);
        check(requests.post(NUTS, nut(sent)), ofKeys.replace('\'', '"'));
        requests.delete(DEFINITIONS + "/nuts.example.com");
        define(OBJECTS);
        check(requests.post(NUTS, nut(sent)), ofObjects.replace('\'', '"'));
    }

    @Test
    void test_ofAPatch_comparesTheTextOfNumbers() {
        define(SET);
        requests.post(NUTS, nut("[1.0]")).ok();
        assertThat(testOf("[1]").code()).isEqualTo(200);
        assertThat(testOf("[1.0]").code()).isEqualTo(422);
    }

    private Reply testOf(String value) {
        return requests.send(
                "PATCH",
                NUTS + "/a",
                "application/json-patch+json",
                "[{'op':'test','path':'/spec','value':" + value + "}]");
    }

    /** Exponents that arithmetic would write out as billions of digits. */
    @ParameterizedTest
    @ValueSource(
            strings = {"1e2147483647", "-1e2147483647", "1e-2147483648", "1e999999999", "1e99999999999", "0e2147483648"
            })
    void hugeExponent_inAnyMemberAndFormat_isAnsweredAtOnce(String number) {
        define("{'type':'number','multipleOf':0.5,'minimum':-1,'maximum':10,'enum':[0,1]}");
        List<String> sent = List.of(
                "POST " + NUTS + " application/json " + nut(number),
                "POST " + NUTS + " application/yaml " + nut(number),
                "PATCH " + NUTS + "/a application/merge-patch+json {'spec':" + number + "}",
                "PATCH " + NUTS + "/a application/json-patch+json [{'op':'test','path':'/spec','value':" + number
                        + "}]",
                "POST " + QUOTAS + " application/json " + quota(number),
                "POST " + QUOTAS + " application/json " + quota("'" + number + "'"),
                "POST " + QUOTAS + " application/yaml " + quota(number),
                "POST " + PODS + " application/json {'metadata':{'name':'p'},'spec':{'priority':" + number
                        + ",'containers':[{'name':'c','image':'i'}]}}");
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (String request : sent) {
                String[] part = request.split(" ", 4);
                Reply reply = requests.send(part[0], part[1] + "?dryRun=All", part[2], part[3]);
                assertThat(reply.code()).as(request).isBetween(200, 499);
            }
        });
    }

    private static String quota(String amount) {
        return "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q'},'spec':{'hard':{'cpu':" + amount
                + "}}}";
    }

    private static void check(Reply reply, String answer) {
        if (answer.startsWith("[")) {
            assertThat(reply.ok().body().get("spec")).isEqualTo(JsonValue.parse(answer));
        } else {
            assertThat(reply.code()).isEqualTo(422);
            assertThat(reply.message()).endsWith(answer);
        }
    }
}
