/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The errors of a current kube-apiserver for invalid pods, cause by cause. */
class PodValidationTest extends ServerFixture {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'dnsPolicy':'X' | NotSupported | spec.dnsPolicy | Unsupported value: \"X\": supported values: "
                        + "\"ClusterFirstWithHostNet\", \"ClusterFirst\", \"Default\", \"None\"",
                "'volumes':[{'name':'v'},{'name':'v'}] | Duplicate | spec.volumes[1].name | Duplicate value: \"v\"",
                "'volumes':[{'name':'v','image':{'pullPolicy':'Always'}}] | Required | spec.volumes["
                        + "0].image.reference | Required value",
                "'volumes':[{'emptyDir':{}}] | Required | spec.volumes[0].name | Required value",
                "'activeDeadlineSeconds':0 | Invalid | spec.activeDeadlineSeconds | Invalid value: 0: must be between "
                        + "1 and 2147483647, inclusive",
                "'tolerations':[{'key':'k','operator':'Foo'}] | NotSupported | spec.tolerations[0].operator | "
                        + "Unsupported value: \"Foo\": supported values: \"Equal\", \"Exists\"",
                "'initContainers':[{'name':'c','image':'i'}] | Duplicate | spec.initContainers[0].name | Duplicate "
                        + "value: \"c\"",
                "'initContainers':[{'image':'i'}] | Required | spec.initContainers[0].name | Required value",
            })
    void spec_thatCannotBe_isRefused(String field, String reason, String path, String message) {
        assertRefused("{'containers':[{'name':'c','image':'i'}]," + field + "}", reason, path, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'image':' i' | Invalid | image | Invalid value: \" i\": must not have leading or trailing whitespace",
                "'image':'i','imagePullPolicy':'X' | NotSupported | imagePullPolicy | Unsupported value: \"X\": "
                        + "supported values: \"Always\", \"IfNotPresent\", \"Never\"",
                "'image':'i','volumeMounts':[{'name':'z','mountPath':'/x'}] | NotFound | volumeMounts[0].name | Not "
                        + "found: \"z\"",
                "'image':'i','env':[{'value':'y'}] | Required | env[0].name | Required value",
                "'image':'i','readinessProbe':{} | Required | readinessProbe | Required value: must specify a "
                        + "handler type",
                "'image':'i','ports':[{'containerPort':0}] | Required | ports[0].containerPort | Required value",
                "'image':'i','ports':[{'containerPort':70000}] | Invalid | ports[0].containerPort | Invalid value: "
                        + "70000: must be between 1 and 65535, inclusive",
                "'image':'i','ports':[{'containerPort':1,'hostPort':-1}] | Invalid | ports[0].hostPort | Invalid "
                        + "value: -1: must be between 1 and 65535, inclusive",
                "'image':'i','resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}} | Invalid | resources.requests "
                        + "| Invalid value: \"2\": must be less than or equal to cpu limit of 1",
                "'image':'i','resources':{'requests':{'cpu':'-1'}} | Invalid | resources.requests[cpu] | Invalid "
                        + "value: \"-1\": must be greater than or equal to 0",
            })
    void container_thatCannotBe_isRefused(String fields, String reason, String path, String message) {
        assertRefused("{'containers':[{'name':'c'," + fields + "}]}", reason, "spec.containers[0]." + path, message);
    }

    private void assertRefused(String spec, String reason, String path, String message) {
        Reply refused = requests.post(PODS, "{'metadata':{'name':'p'},'spec':" + spec + "}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().array("details", "causes").objects())
                .containsExactly(JsonObject.EMPTY
                        .with("reason", "FieldValue" + reason)
                        .with("message", message)
                        .with("field", path));
        assertThat(refused.message()).isEqualTo("Pod \"p\" is invalid: " + path + ": " + message);
    }

    @Test
    void pod_withoutSpec_lacksItsContainersOnly() {
        assertThat(requests.post(PODS, "{'metadata':{'name':'p'}}").message())
                .isEqualTo("Pod \"p\" is invalid: spec.containers: Required value");
    }

    @Test
    void quantity_thatIsNone_isNoPod() {
        Reply refused = requests.post(
                PODS,
                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':{'limits':{'cpu':"
                        + "'abc'}}}]}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .startsWith("Pod in version \"v1\" cannot be handled as a Pod: quantities must match the regular "
                        + "expression");
    }

    /** Valid pods that controllers and users write must stay valid. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'dnsPolicy':'None','dnsConfig':{'nameservers':['192.0.2.1']}",
                "'tolerations':[{'operator':'Exists'}]",
                "'activeDeadlineSeconds':2147483647",
                "'volumes':[{'name':'v'}],'initContainers':[{'name':'d','image':'i','volumeMounts':[{'name':'v',"
                        + "'mountPath':'/x'}]}]",
                "'initContainers':[{'name':'d','image':'i','resources':{'requests':{'cpu':'1000m'},'limits':{"
                        + "'cpu':1}}}]",
                "'initContainers':[{'name':'d','image':'i','restartPolicy':'Always','startupProbe':{'exec':{'command':"
                        + "['x']}}}]",
            })
    void spec_thatCanBe_isCreated(String fields) {
        createPod("p", "", "," + fields);
    }

    @Test
    void template_isHeldToTheSame() {
        Reply refused = requests.post(
                REPLICA_SETS,
                "{'metadata':{'name':'a'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{"
                        + "'labels':{'a':'b'}},"
                        + "'spec':{'activeDeadlineSeconds':5,'containers':[{'name':'c','image':'i','imagePullPolicy':"
                        + "'X'}]}}}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains(
                        "spec.template.spec.containers[0].imagePullPolicy: Unsupported value",
                        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is "
                                + "not Supported");
    }
}
