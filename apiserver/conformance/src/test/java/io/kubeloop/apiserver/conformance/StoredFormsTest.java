/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the storage makes of objects, as recorded from kube-apiserver 1.36.3. */
class StoredFormsTest extends ServerFixture {

    private static final String APPLY = "application/apply-patch+yaml";
    private static final String MERGE = "application/merge-patch+json";
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
    private static final String CRON_JOBS = "/apis/batch/v1/namespaces/default/cronjobs";

    /** The storage does not tell an empty list from none, but the owners of fields do. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            rbac.authorization.k8s.io | namespaces/default/roles | Role | rules |
            rbac.authorization.k8s.io | clusterroles | ClusterRole | rules |
            discovery.k8s.io | namespaces/default/endpointslices | EndpointSlice | endpoints | 'addressType':'IPv4',
            """)
    void emptyList_isStoredAsNull(String group, String resource, String kind, String field, String more) {
        String path = "/apis/" + group + "/v1/" + resource;
        String rest = more == null ? "" : more;
        String object = "{'apiVersion':'" + group + "/v1','kind':'" + kind + "','metadata':{'name':'a'}," + rest + "'"
                + field + "':[]}";
        JsonObject created = applied(path, "one", object).ok().body();
        assertThat(created.get(field)).isEqualTo(JsonNull.NULL);

        JsonObject again = applied(path, "one", object).ok().body();
        assertThat(again).isEqualTo(created);
        assertThat(applied(path, "two", object).message())
                .startsWith("Apply failed with ")
                .contains("." + field);

        // An update takes the field from the applier, which is a change; the next one is none.
        String merge = "{'" + field + "':[]}";
        JsonObject merged = requests.send("PATCH", path + "/a?fieldManager=m", MERGE, merge)
                .ok()
                .body();
        assertThat(merged.get(field)).isEqualTo(JsonNull.NULL);
        assertThat(merged.get("metadata", "generation")).isEqualTo(created.get("metadata", "generation"));
        assertThat(requests.put(path + "/a?fieldManager=m", JsonObject.parse(object.replace('\'', '"')))
                        .ok()
                        .body())
                .isEqualTo(merged);
    }

    private Reply applied(String path, String manager, String object) {
        return requests.send("PATCH", path + "/a?fieldManager=" + manager, APPLY, object);
    }

    private JsonObject job(String name, String labels, String templateLabels, String spec) {
        return requests.post(
                        JOBS,
                        "{'metadata':{'name':'" + name + "'" + labels + "},'spec':{" + spec + "'template':{'metadata':{"
                                + templateLabels
                                + "},'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}"
                                + "]}}}}")
                .ok()
                .body();
    }

    /** Upstream's job shares the map of labels with its template, until the job is written to the storage. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                   | 'labels':{'z':'1','b':'2'} | ``              | true
            ,'labels':{}         | 'labels':{'z':'1'}         | 'suspend':true, | true
            ``                   | ``                         | ``              | true
            ``                   | 'labels':{}                | ``              | true
            ,'labels':{'z':'1'}  | 'labels':{'z':'1'}         | ``              | false
            """)
    void jobWithoutLabels_hasThoseOfItsTemplate(String labels, String templateLabels, String spec, boolean isShared) {
        JsonObject job = job("a", labels, templateLabels, spec);

        JsonObject own = job.object("metadata", "labels");
        JsonObject template = job.object("spec", "template", "metadata", "labels");
        assertThat(template.string("batch.kubernetes.io/job-name")).isEqualTo("a");
        assertThat(own.equals(template)).isEqualTo(isShared);
        assertThat(own.string("job-name")).isEqualTo(isShared ? "a" : "");
    }

    @Test
    void jobWithoutLabels_doesNotGetThoseOfAnotherSelector() {
        JsonObject job =
                job("m", "", "'labels':{'z':'1'}", "'manualSelector':true,'selector':{'matchLabels':{'z':'1'}},");
        assertThat(job.object("metadata", "labels").members()).containsOnlyKeys("z");
    }

    @Test
    void appliedJobWithoutLabels_hasThoseOfItsTemplate() {
        JsonObject job = applied(
                        JOBS,
                        "one",
                        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a'},'spec':{'template':{'metadata':{"
                                + "'labels':{'z':'1'}},'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
                                + "'image':"
                                + "'i'}]}}}}")
                .ok()
                .body();
        assertThat(job.object("metadata", "labels").members()).hasSize(5).containsKey("controller-uid");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            @every -1h  |
            @every -1ns |
            @every 0s   |
            @every 1.5s |
            @every -0   |
            @every x    | failed to parse duration @every x: time: invalid duration "x"
            @every  1h  | failed to parse duration @every  1h: time: invalid duration " 1h"
            @every      | unrecognized descriptor: @every
            """)
    void schedule_ofADelay_isReadAsByGo(String schedule, String problem) {
        Reply reply = requests.post(
                CRON_JOBS,
                "{'metadata':{'name':'g'},'spec':{'schedule':'" + schedule
                        + "','jobTemplate':{'spec':{'template':{'spec':{"
                        + "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}}}");
        if (problem == null) {
            reply.ok();
        } else {
            assertThat(reply.message())
                    .isEqualTo("CronJob.batch \"g\" is invalid: spec.schedule: Invalid value: \"" + schedule + "\": "
                            + problem);
        }
    }
}
