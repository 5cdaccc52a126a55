/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ephemeral containers that are added to an existing pod, as {@code kubectl debug} does. */
class EphemeralContainersTest extends ServerFixture {

    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String PATH = PODS + "/p/ephemeralcontainers";

    @Test
    void container_thatIsAdded_isInThePodWithItsDefaults() {
        createPod("p");
        add("{'name':'debug','image':'busybox','targetContainerName':'c','stdin':true}")
                .ok();
        JsonObject pod = requests.get(PODS + "/p").body();
        JsonObject added =
                pod.array("spec", "ephemeralContainers").objects().findFirst().orElseThrow();
        assertThat(added.string("name")).isEqualTo("debug");
        assertThat(added.string("imagePullPolicy")).isEqualTo("Always");
        assertThat(added.string("terminationMessagePath")).isEqualTo("/dev/termination-log");
        assertThat(pod.number("metadata", "generation")).isEqualTo(2);
        assertThat(requests.get(PATH).ok().body()).isEqualTo(pod);
    }

    @Test
    void subresource_changesNothingElse() {
        JsonObject pod = createPod("p").body();
        JsonObject other = pod.with(
                        "spec", pod.object("spec").with("nodeName", "n").with("restartPolicy", "Never"))
                .with("metadata", pod.object("metadata").with("labels", JsonObject.EMPTY.with("a", "b")));
        JsonObject stored = requests.put(PATH, other).ok().body();
        // As upstream, the request still counts as the owner of what it has sent.
        assertThat(unversioned(stored)).isEqualTo(unversioned(pod));
    }

    private static JsonObject unversioned(JsonObject pod) {
        return pod.without(List.of("metadata", "managedFields")).without(List.of("metadata", "resourceVersion"));
    }

    @Test
    void container_onceAdded_neitherChangesNorGoes() {
        createPod("p");
        JsonObject pod = add("{'name':'debug','image':'busybox'}").ok().body();
        Reply changed = add("{'name':'debug','image':'other'}");
        assertThat(changed.code()).isEqualTo(422);
        assertThat(changed.message())
                .contains("spec.ephemeralContainers: Forbidden: existing ephemeral containers \"debug\" may not "
                        + "be changed");
        Reply removed = requests.put(PATH, pod.with("spec", pod.object("spec").without("ephemeralContainers")));
        assertThat(removed.code()).isEqualTo(422);
        assertThat(removed.message())
                .contains("spec.ephemeralContainers: Forbidden: existing ephemeral containers \"debug\" may not "
                        + "be removed");
        requests.put(PODS + "/p", pod).ok();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'name':'c','image':'i'} | FieldValueDuplicate | spec.ephemeralContainers[0].name | Duplicate "
                        + "value: \"c\"",
                "{'name':'d'} | FieldValueRequired | spec.ephemeralContainers[0].image | Required value",
                "{'name':'d','image':'i','targetContainerName':'x'} | FieldValueNotFound | spec.ephemeralContainers["
                        + "0].targetContainerName | Not found: \"x\"",
                "{'name':'d','image':'i','ports':[{'containerPort':80}]} | FieldValueForbidden | "
                        + "spec.ephemeralContainers[0].ports | Forbidden: cannot be set for an Ephemeral Container",
                "{'name':'d','image':'i','resources':{'limits':{'cpu':'1'}}} | FieldValueForbidden | "
                        + "spec.ephemeralContainers[0].resources | Forbidden: cannot be set for an Ephemeral Container",
            })
    void container_thatCannotBe_isRefused(String container, String reason, String field, String message) {
        createPod("p");
        Reply refused = add(container);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().array("details", "causes").objects())
                .containsExactly(JsonObject.EMPTY
                        .with("reason", reason)
                        .with("message", message)
                        .with("field", field));
    }

    @Test
    void pod_isNotCreatedWithOne() {
        Reply refused = requests.post(
                PODS,
                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],'ephemeralContainers':[{"
                        + "'name':'d','image':'i'}]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("spec.ephemeralContainers: Forbidden: cannot be set on create");
    }

    private Reply add(String container) {
        return requests.send("PATCH", PATH, STRATEGIC, "{'spec':{'ephemeralContainers':[" + container + "]}}");
    }
}
