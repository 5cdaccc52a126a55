/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.Calls.Answer;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of a deletion, in a body or in the query, for one object and for a collection. */
class DeleteTest extends GenericServerFixture {

    private static final String A = CONFIG_MAPS + "/a";

    /** Unreadable options must not be ignored: a dry run would delete the object. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'dryRun':'All'}                 | string | DeleteOptions.dryRun | []string",
                "{'dryRun':[1]}                   | number | DeleteOptions.dryRun | string",
                "{'gracePeriodSeconds':'5'}       | string | DeleteOptions.gracePeriodSeconds | int64",
                "{'orphanDependents':'true'}      | string | DeleteOptions.orphanDependents | bool",
                "{'propagationPolicy':['Orphan']} | array | DeleteOptions.propagationPolicy | v1.DeletionPropagation",
                "{'preconditions':'x'}            | string | DeleteOptions.preconditions | v1.Preconditions",
                "{'preconditions':{'uid':1}}      | number | Preconditions.preconditions.uid | types.UID",
                "{'preconditions':{'resourceVersion':1}} | number | Preconditions.preconditions.resourceVersion "
                        + "| string"
            })
    void options_ofAnotherType_deleteNothing(String options, String found, String field, String wanted) {
        createConfigMap("a", "");
        Answer refused = requests.delete(A, options);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.reason()).isEqualTo("BadRequest");
        assertThat(refused.message())
                .isEqualTo("json: cannot unmarshal " + found + " into Go struct field " + field + " of type " + wanted);
        assertThat(requests.delete(CONFIG_MAPS, options).code()).isEqualTo(400);
        requests.get(A).ok();
    }

    @Test
    void options_thatAreNull_areNone() {
        createConfigMap("a", "");
        String nulls = "{'orphanDependents':null,'propagationPolicy':'Background','dryRun':null,'preconditions':null,"
                + "'gracePeriodSeconds':null}";
        requests.delete(A, nulls).ok();
        assertThat(requests.get(A).code()).isEqualTo(404);
    }

    @Test
    void options_inABody_leaveThoseOfTheQueryUnread() {
        createConfigMap("a", "");
        requests.delete(A + "?dryRun=All&propagationPolicy=Nope&uid=other", "{'gracePeriodSeconds':0}")
                .ok();
        assertThat(requests.get(A).code()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "uid=other, the UID in the precondition (other)",
        "resourceVersion=1, the ResourceVersion in the precondition (1)"
    })
    void preconditions_inTheQuery_areKept(String query, String why) {
        createConfigMap("a", "");
        Answer refused = requests.delete(A + "?" + query);
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
        assertThat(refused.message()).contains(why);
        requests.get(A).ok();
    }

    /** An empty UID precondition matches no object. */
    @ParameterizedTest
    @CsvSource({"uid", "resourceVersion"})
    void precondition_thatIsEmpty_isMetByNoObject(String precondition) {
        createConfigMap("a", "");
        assertThat(requests.delete(A, "{'preconditions':{'" + precondition + "':''}}")
                        .code())
                .isEqualTo(409);
        requests.get(A).ok();
    }

    /** The deprecated {@code orphanDependents} has a code of its own while the object still exists. */
    @Test
    void deletion_thatOrphansNothing_isAcceptedOnlyWhileTheObjectIsThere() {
        createConfigMap("a", ",'finalizers':['x/y']");
        assertThat(requests.delete(A, "{'orphanDependents':false}").code()).isEqualTo(202);
        assertThat(requests.delete(A, "{'propagationPolicy':'Background'}").code())
                .isEqualTo(200);
        createConfigMap("b", "");
        assertThat(requests.delete(CONFIG_MAPS + "/b", "{'orphanDependents':false}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void deleteCollection_withALimit_deletesOnePage() {
        createConfigMap("a", "");
        createConfigMap("b", "");
        createConfigMap("c", "");
        JsonObject page = requests.delete(CONFIG_MAPS + "?limit=2").ok().body();
        assertThat(page.array("items").objects())
                .extracting(item -> item.string("metadata", "name"))
                .containsExactly("a", "b");
        assertThat(page.string("metadata", "continue")).isNotEmpty();
        assertThat(page.number("metadata", "remainingItemCount")).isEqualTo(1);
        assertThat(requests.get(A).code()).isEqualTo(404);
        requests.get(CONFIG_MAPS + "/c").ok();
    }

    @Test
    void deleteCollection_withAPrecondition_isRefusedByTheFirstThatDoesNotMeetIt() {
        createConfigMap("a", "");
        createConfigMap("b", "");
        String uid = requests.get(A).body().string("metadata", "uid");
        assertThat(requests.delete(CONFIG_MAPS, "{'preconditions':{'uid':'" + uid + "'}}")
                        .code())
                .isEqualTo(409);
        assertThat(requests.get(A).code()).isEqualTo(404);
        requests.get(CONFIG_MAPS + "/b").ok();
    }

    @Test
    void deleteCollection_ofADryRunInTheBody_deletesNothing() {
        createConfigMap("a", "");
        assertThat(requests.delete(CONFIG_MAPS, "{'dryRun':['All']}")
                        .ok()
                        .body()
                        .array("items")
                        .elements())
                .hasSize(1);
        requests.get(A).ok();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"?resourceVersionMatch=Exact | 422", "?limit=x | 400", "?continue=x | 400"})
    void deleteCollection_withAListThatMakesNoSense_deletesNothing(String query, int code) {
        createConfigMap("a", "");
        assertThat(requests.delete(CONFIG_MAPS + query).code()).isEqualTo(code);
        requests.get(A).ok();
    }
}
