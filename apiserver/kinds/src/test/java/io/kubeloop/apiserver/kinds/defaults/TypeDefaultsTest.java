/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The form in which the server returns objects. */
class TypeDefaultsTest {

    private static JsonObject applied(String type, String json) {
        return TypeDefaults.apply(
                Objects.requireNonNull(TypeCatalog.kubernetes().named(type)), JsonObject.parse(json));
    }

    @Test
    void everyTypeWithDefaultsExistsAndHasThoseFields() {
        for (String type : DefaultsTable.types()) {
            var schema = Objects.requireNonNull(TypeCatalog.kubernetes().named(type), type);
            assertThat(schema.fields().keySet())
                    .as(type)
                    .containsAll(DefaultsTable.values(type).keySet());
        }
    }

    @Test
    void aTemplateHasTheDefaultsOfItsTypesWhereverItIs() {
        JsonObject job = applied("batch.v1.Job", """
                {"kind":"Job","apiVersion":"batch/v1","spec":{"template":{"spec":{"containers":[
                    {"name":"a","image":"i:1","livenessProbe":{"httpGet":{"port":1},"timeoutSeconds":0}}]}}}}
                """);
        assertThat(job.object("spec")).isEqualTo(JsonObject.parse("""
                {"completions":1,"parallelism":1,"backoffLimit":6,"completionMode":"NonIndexed","suspend":false,
                 "manualSelector":false,"podReplacementPolicy":"TerminatingOrFailed",
                 "template":{"metadata":{},"spec":{"containers":[{"name":"a","image":"i:1",\
                "imagePullPolicy":"IfNotPresent",
                   "resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
                   "livenessProbe":{"httpGet":{"path":"/","port":1,"scheme":"HTTP"},"timeoutSeconds":1,\
                "periodSeconds":10,
                     "successThreshold":1,"failureThreshold":3}}],
                   "restartPolicy":"Always","dnsPolicy":"ClusterFirst","terminationGracePeriodSeconds":30,\
                "securityContext":{},
                   "schedulerName":"default-scheduler"}}}
                """));
        assertThat(job.get("status")).isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void zeroValuesAndUnknownFieldsAreAbsentAndAmountsCanonical() {
        JsonObject pod = applied("core.v1.Pod", """
                {"spec":{"hostNetwork":false,"volumes":[],"unknown":1,"containers":[{"name":"a","stdin":false,"args":[],
                    "resources":{"limits":{"cpu":"0.5","memory":1024}}}]},
                 "status":{"conditions":[{"type":"Ready","status":"True"}]}}
                """);
        JsonObject container =
                pod.array("spec", "containers").objects().findFirst().orElseThrow();
        assertThat(container.object("resources")).isEqualTo(JsonObject.parse("""
                {"limits":{"cpu":"500m","memory":"1024"},"requests":{"cpu":"500m","memory":"1024"}}
                """));
        assertThat(container.members()).doesNotContainKeys("stdin", "args");
        assertThat(pod.object("spec").members()).doesNotContainKeys("hostNetwork", "volumes", "unknown");
        assertThat(pod.array("status", "conditions").get(0)).isEqualTo(JsonObject.parse("""
                {"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":null}
                """));
    }

    @Test
    void emptyListsWithoutOmissionAreNullOnceTheirOwnerIsKnown() {
        JsonObject applied = applied("rbac.v1.Role", "{\"rules\":[]}");
        assertThat(applied).isEqualTo(JsonObject.parse("{\"metadata\":{},\"rules\":[]}"));
        StructSchema role = Objects.requireNonNull(TypeCatalog.kubernetes().named("rbac.v1.Role"));
        assertThat(TypeDefaults.normalize(role, applied))
                .isEqualTo(JsonObject.parse("{\"metadata\":{},\"rules\":null}"));
    }
}
