/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The responses of kube-apiserver v1.36.3 to the same requests. */
class DeploymentFidelityTest extends ServerFixture {

    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String ROLLBACK = "deprecated.deployment.rollback.to";
    private static final String NO_PERCENTAGE =
            "a valid percent string must be a numeric string followed by an ending '%'"
                    + " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

    @Test
    void create_fillsInWhatIsLeftOut_andTakesNoStatus() {
        JsonObject created = created("'labels':{'l':'1'}", "").body();
        JsonObject spec = created.object("spec");

        assertThat(spec.without("selector").without("template"))
                .isEqualTo(
                        JsonObject.parse("{\"replicas\":1,\"revisionHistoryLimit\":10,\"progressDeadlineSeconds\":600,"
                                + "\"strategy\":"
                                + "{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":\"25%\","
                                + "\"maxUnavailable\":\"25%\"}}}"));
        assertThat(spec.string("template", "spec", "restartPolicy")).isEqualTo("Always");
        assertThat(created.get("status")).isEqualTo(JsonObject.EMPTY);
        assertThat(created.number("metadata", "generation")).isOne();
    }

    @Test
    void create_withAStrategyOfItsOwn_keepsIt() {
        assertThat(created("", ",'strategy':{'type':'Recreate'}").body().object("spec", "strategy"))
                .isEqualTo(JsonObject.EMPTY.with("type", "Recreate"));
        requests.delete(DEPLOYMENTS + "/d").ok();
        assertThat(created("", ",'strategy':{'rollingUpdate':{'maxSurge':0}}")
                        .body()
                        .object("spec", "strategy", "rollingUpdate"))
                .isEqualTo(JsonObject.EMPTY.with("maxSurge", 0).with("maxUnavailable", "25%"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'strategy':{'type':'Recreate','rollingUpdate':{'maxSurge':1}} | spec.strategy.rollingUpdate: "
                        + "Forbidden: may not be specified when strategy `type` is 'Recreate'",
                "'strategy':{'rollingUpdate':{'maxSurge':0,'maxUnavailable':0}} | "
                        + "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when "
                        + "`maxSurge` is 0",
                "'strategy':{'rollingUpdate':{'maxSurge':'0%','maxUnavailable':'0'}} | ["
                        + "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"0\": "
                        + NO_PERCENTAGE
                        + ", spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"0\": may not be 0 when "
                        + "`maxSurge` is 0]",
                "'strategy':{'rollingUpdate':{'maxSurge':'abc','maxUnavailable':'101%'}} | ["
                        + "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"abc\": "
                        + NO_PERCENTAGE
                        + ", spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"101%\": must not be greater "
                        + "than 100%]",
                "'strategy':{'rollingUpdate':{'maxSurge':-1,'maxUnavailable':1}} | "
                        + "spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0",
                "'strategy':{'rollingUpdate':{'maxSurge':'300%','maxUnavailable':'-1%'}} | "
                        + "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"-1%\": "
                        + NO_PERCENTAGE,
                "'minReadySeconds':600 | spec.progressDeadlineSeconds: Invalid value: 600: must be greater than "
                        + "minReadySeconds",
                "'minReadySeconds':-1,'replicas':-2,'revisionHistoryLimit':-1,'progressDeadlineSeconds':-5 | ["
                        + "spec.replicas: Invalid value: -2: must be greater than or equal to 0, spec.minReadySeconds:"
                        + " Invalid value: -1: must be greater than or equal to 0, spec.revisionHistoryLimit: "
                        + "Invalid value: -1: must be greater than or equal to 0, "
                        + "spec.progressDeadlineSeconds: Invalid value: -5: must be greater "
                        + "than or equal to 0, spec.progressDeadlineSeconds: Invalid "
                        + "value: -5: must be greater than minReadySeconds]",
            })
    void spec_thatCannotBe_isRefused(String fields, String complaint) {
        Reply refused = requests.post(DEPLOYMENTS, deployment("", "," + fields));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).isEqualTo("Deployment.apps \"d\" is invalid: " + complaint);
    }

    @Test
    void strategy_thatIsUnknown_isRefused() {
        assertThat(requests.post(DEPLOYMENTS, deployment("", ",'strategy':{'type':'Foo'}"))
                        .message())
                .startsWith("Deployment.apps \"d\" is invalid: spec.strategy: Unsupported value: ")
                .endsWith(": supported values: \"Recreate\", \"RollingUpdate\"");
    }

    @Test
    void selector_thatCannotBeRead_isRefusedExpressionByExpression() {
        String selector = "{'matchExpressions':[{'key':'a','operator':'In'},{'key':'b','operator':'X'}]}";
        Reply refused = requests.post(DEPLOYMENTS, deployment("", "").replace("{'matchLabels':{'a':'b'}}", selector));

        assertThat(refused.message())
                .isEqualTo("Deployment.apps \"d\" is invalid: ["
                        + "spec.selector.matchExpressions[0].values: Required value: must be specified when "
                        + "`operator` is"
                        + " 'In' or 'NotIn', "
                        + "spec.selector.matchExpressions[1].operator: Invalid value: \"X\": not a valid selector "
                        + "operator, "
                        + "spec.selector: Invalid value: " + selector.replace('\'', '"') + ": invalid label selector]");
    }

    @Test
    void spec_thatIsMissing_lacksSelectorAndContainers() {
        assertThat(requests.post(DEPLOYMENTS, "{'metadata':{'name':'d'}}").message())
                .startsWith("Deployment.apps \"d\" is invalid: [spec.selector: Required value, "
                        + "spec.template.metadata.labels: Invalid value: ")
                .endsWith(": `selector` does not match template `labels`, spec.template.spec.containers: "
                        + "Required value]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'paused':'x' | string into Go struct field DeploymentSpec.spec.paused of type bool",
                "'revisionHistoryLimit':'x' | string into Go struct field DeploymentSpec.spec.revisionHistoryLimit of "
                        + "type int32",
                "'strategy':'x' | string into Go struct field DeploymentSpec.spec.strategy of type "
                        + "v1.DeploymentStrategy",
                "'strategy':{'rollingUpdate':{'maxSurge':true}} | bool into Go struct field "
                        + "RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
                "'strategy':{'rollingUpdate':{'maxSurge':1.5}} | number 1.5 into Go struct field "
                        + "RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
            })
    void field_ofTheWrongType_isNoDeployment(String fields, String complaint) {
        Reply refused = requests.post(DEPLOYMENTS, deployment("", "," + fields));

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal "
                        + complaint);
    }

    @Test
    void field_thatReplicaSetsHaveToo_isOfTheirType() {
        assertThat(requests.post(DEPLOYMENTS, deployment("", ",'replicas':'3'")).code())
                .isEqualTo(400);
    }

    @Test
    void rollback_isToARevision() {
        Reply text = requests.post(DEPLOYMENTS, deployment("'annotations':{'" + ROLLBACK + "':'x'}", ""));
        assertThat(text.code()).isEqualTo(400);
        assertThat(text.message()).endsWith("=x as int64: strconv.ParseInt: parsing \"x\": invalid syntax");

        assertThat(requests.post(DEPLOYMENTS, deployment("'annotations':{'" + ROLLBACK + "':'-1'}", ""))
                        .message())
                .endsWith("spec.rollback.version: Invalid value: -1: must be greater than or equal to 0");
    }

    @Test
    void generation_countsSpecAndAnnotations_notLabels() {
        created("", "");

        assertThat(generation(patched("", "{'metadata':{'labels':{'l':'2'}}}"))).isOne();
        assertThat(generation(patched("", "{'metadata':{'annotations':{'a':'b'}}}")))
                .isEqualTo(2);
        assertThat(generation(patched("", "{'spec':{'paused':true}}"))).isEqualTo(3);
        assertThat(generation(patched("/status", "{'metadata':{'annotations':{'a':'c'}},'status':{'replicas':1}}")))
                .isEqualTo(3);
    }

    @Test
    void selector_staysAsItIs() {
        created("", "");
        String both = "{'spec':{'selector':{'matchLabels':{'a':'c'}},'template':{'metadata':{'labels':{'a':'c'}}}}}";

        assertThat(patch("", both).message())
                .isEqualTo("Deployment.apps \"d\" is invalid: spec.selector: Invalid value: {\"matchLabels\":{\"a\":"
                        + "\"c\"}}:"
                        + " field is immutable");
    }

    @Test
    void status_isWrittenAlone_andLabelsAreNoPartOfIt() {
        created("'labels':{'l':'1'}", "");

        JsonObject reported = patched(
                        "/status",
                        "{'metadata':{'labels':{'l':'3'},'annotations':{'x':'y'}},'spec':{'replicas':5},'status':{"
                                + "'replicas':2}}")
                .body();

        assertThat(reported.string("metadata", "labels", "l")).isEqualTo("1");
        assertThat(reported.string("metadata", "annotations", "x")).isEqualTo("y");
        assertThat(reported.number("spec", "replicas")).isOne();
        assertThat(reported.number("status", "replicas")).isEqualTo(2);
        assertThat(patched("", "{'status':{'replicas':7}}").body().number("status", "replicas"))
                .isEqualTo(2);
    }

    @Test
    void status_withNumbersThatCannotBe_isRefused() {
        created("", "");

        assertThat(patch(
                                "/status",
                                "{'status':{'replicas':2,'updatedReplicas':3,'readyReplicas':4,'availableReplicas':5,"
                                        + "'unavailableReplicas':-1,'collisionCount':-1,'terminatingReplicas':-1,"
                                        + "'observedGeneration':-1}}")
                        .message())
                .isEqualTo("Deployment.apps \"d\" is invalid: ["
                        + "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0, "
                        + "status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0, "
                        + "status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0, "
                        + "status.collisionCount: Invalid value: -1: must be greater than or equal to 0, "
                        + "status.updatedReplicas: Invalid value: 3: cannot be greater than status.replicas, "
                        + "status.readyReplicas: Invalid value: 4: cannot be greater than status.replicas, "
                        + "status.availableReplicas: Invalid value: 5: cannot be greater than status.replicas, "
                        + "status.availableReplicas: Invalid value: 5: cannot be greater than readyReplicas]");
    }

    @Test
    void collisions_areNotForgotten() {
        created("", "");
        patched("/status", "{'status':{'collisionCount':2}}");

        assertThat(patch("/status", "{'status':{'collisionCount':1}}").message())
                .endsWith("status.collisionCount: Invalid value: 1: cannot be decremented");
        assertThat(patch("/status", "{'status':{'collisionCount':null}}").message())
                .endsWith("status.collisionCount: Invalid value: 0: cannot be decremented");
    }

    @Test
    void scale_isThatOfTheDeployment() {
        created("", "");
        patched("/status", "{'status':{'replicas':2}}");

        JsonObject scale = patched("/scale", "{'spec':{'replicas':4}}").body();

        assertThat(scale.string("kind")).isEqualTo("Scale");
        assertThat(scale.number("status", "replicas")).isEqualTo(2);
        assertThat(scale.string("status", "selector")).isEqualTo("a=b");
        JsonObject scaled = requests.get(DEPLOYMENTS + "/d").body();
        assertThat(scaled.number("spec", "replicas")).isEqualTo(4);
        assertThat(scaled.number("metadata", "generation")).isEqualTo(2);
    }

    private Reply created(String metadata, String spec) {
        return requests.post(DEPLOYMENTS, deployment(metadata, spec)).ok();
    }

    private Reply patch(String subresource, String body) {
        return requests.send("PATCH", DEPLOYMENTS + "/d" + subresource, "application/merge-patch+json", body);
    }

    private Reply patched(String subresource, String body) {
        return patch(subresource, body).ok();
    }

    private static long generation(Reply reply) {
        Long generation = reply.body().number("metadata", "generation");
        return generation == null ? 0 : generation;
    }

    private static String deployment(String metadata, String spec) {
        return "{'metadata':{'name':'d'" + (metadata.isEmpty() ? "" : "," + metadata)
                + "},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}" + spec + "}}";
    }
}
