/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unknown and duplicate fields are rejected, reported or ignored, and never stored. */
class FieldValidationTest extends ServerFixture {

    private static final String UNKNOWN = "unknown field \"spec.foo\"";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST|``|application/json|{'metadata':{'name':'s'},'spec':{'foo':1,'ports':[{'port':80}]}}",
                "PUT|/a|application/json|{'metadata':{'name':'a'},'spec':{'foo':1,'ports':[{'port':80}]}}",
                "PUT|/a/status|application/json|{'metadata':{'name':'a'},'spec':{'foo':1,'ports':[{'port':80}]}}",
                "PATCH|/a|application/merge-patch+json|{'spec':{'foo':1}}",
                "PATCH|/a/status|application/merge-patch+json|{'spec':{'foo':1}}",
            })
    void unknownField_isRejectedReportedOrIgnored(String method, String path, String type, String body) {
        requests.post(SERVICES, "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}")
                .ok();
        String url = SERVICES + path + "?dryRun=All&fieldValidation=";

        Reply strict = requests.send(method, url + "Strict", type, body);
        assertThat(strict.code()).isEqualTo(method.equals("PATCH") ? 422 : 400);
        assertThat(strict.message()).endsWith("strict decoding error: " + UNKNOWN);
        for (String mode : new String[] {"Warn", ""}) {
            Reply warned = requests.send(method, url + mode, type, body).ok();
            assertThat(warned.warnings()).containsExactly("299 - \"unknown field \\\"spec.foo\\\"\"");
            assertThat(warned.body().object("spec").has("foo")).isFalse();
        }
        Reply ignored = requests.send(method, url + "Ignore", type, body).ok();
        assertThat(ignored.warnings()).isEmpty();
        assertThat(ignored.body().object("spec").has("foo")).isFalse();
    }

    @Test
    void duplicateField_isReported_andTheLastValueCounts() {
        Reply created = requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'v'},'data':{'l':'w'}}")
                .ok();

        assertThat(created.warnings()).containsExactly("299 - \"duplicate field \\\"data\\\"\"");
        JsonObject data = created.body().object("data");
        assertThat(data.string("l")).isEqualTo("w");
    }

    /** Texts recorded with 1.37.2. References with one UID that differ otherwise are kept. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "POST||application/json|",
                "PUT|/a|application/json|",
                "PATCH|/a|application/merge-patch+json|after mutating admission happens"
            })
    void repeatedOwnerReference_isRemoved_withAWarning(
            String method, @Nullable String path, String type, @Nullable String when) {
        if (path != null) {
            requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}").ok();
        }
        String owner = "{'apiVersion':'v1','kind':'ConfigMap','name':'o','uid':'u1','controller':true}";
        String second = "{'apiVersion':'v1','kind':'ConfigMap','name':'o','uid':'u2'}";
        String owners = String.join(",", owner, owner, owner.replace("true", "false"), second, owner);
        String url = CONFIG_MAPS + (path == null ? "" : path);
        Reply reply = requests.send(method, url, type, "{'metadata':{'name':'a','ownerReferences':[" + owners + "]}}")
                .ok();

        assertThat(reply.warnings())
                .containsExactly("299 - \".metadata.ownerReferences contains duplicate entries"
                        + (when == null ? "" : " " + when)
                        + "; API server dedups owner references in 1.20+, and may reject such requests as early as"
                        + " 1.24; please fix your requests; duplicate UID(s) observed: u1, u1\"");
        assertThat(reply.body().array("metadata", "ownerReferences").objects().map(each -> each.string("uid")))
                .containsExactly("u1", "u1", "u2");
    }

    @Test
    void unknownMode_isInvalid() {
        Reply refused = requests.post(CONFIG_MAPS + "?fieldValidation=strict", "{'metadata':{'name':'a'}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"strict\":"
                        + " supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
    }
}
