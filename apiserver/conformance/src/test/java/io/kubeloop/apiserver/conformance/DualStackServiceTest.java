/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services of a server with a range for each family, as on a current kube-apiserver. */
class DualStackServiceTest extends ServerFixture {

    private static final String MERGE = "application/merge-patch+json";
    private static final String PORTS = "'ports':[{'port':80}]";
    private static final String BOTH = PORTS + ",'ipFamilyPolicy':'RequireDualStack'";

    @Override
    protected EmbeddedApiServer.Builder configure(EmbeddedApiServer.Builder builder) {
        return builder.serviceClusterIpRanges("10.96.0.0/16", "fd00:10:96::/112");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'type':'ClusterIP' | SingleStack | IPv4 | 10.96.0.16",
                "'ipFamilyPolicy':'PreferDualStack' | PreferDualStack | IPv4 IPv6 | 10.96.0.16 fd00:10:96::10",
                "'ipFamilyPolicy':'RequireDualStack' | RequireDualStack | IPv4 IPv6 | 10.96.0.16 fd00:10:96::10",
                "'ipFamilies':['IPv6'] | SingleStack | IPv6 | fd00:10:96::10",
                "'ipFamilies':['IPv6'],'ipFamilyPolicy':'PreferDualStack' | PreferDualStack | IPv6 IPv4 | fd00:10:96::"
                        + "10 10.96.0.16",
                "'clusterIP':'fd00:10:96::9' | SingleStack | IPv6 | fd00:10:96::9",
                "'clusterIP':'FD00:10:96:0::9' | SingleStack | IPv6 | FD00:10:96:0::9",
                "'clusterIP':'10.96.9.9','ipFamilyPolicy':'PreferDualStack' | PreferDualStack | IPv4 IPv6 | 10.96.9.9 "
                        + "fd00:10:96::10",
                "'clusterIP':'fd00:10:96::9','clusterIPs':['fd00:10:96::9','10.96.9.9'],'ipFamilyPolicy':"
                        + "'RequireDualStack' | RequireDualStack | IPv6 IPv4 | fd00:10:96::9 10.96.9.9",
                "'clusterIP':'fd00:10:96::ffff' | SingleStack | IPv6 | fd00:10:96::ffff",
                "'clusterIP':'None' | RequireDualStack | IPv4 IPv6 | None",
                "'clusterIP':'None','selector':{'a':'b'} | SingleStack | IPv4 | None",
                "'clusterIP':'None','selector':{'a':'b'},'ipFamilyPolicy':'PreferDualStack','ipFamilies':['IPv6'] | "
                        + "PreferDualStack | IPv6 IPv4 | None",
                "'type':'ExternalName','externalName':'a.b' | ~~ | ~~ | ~~",
            })
    void service_isGivenAnAddressOfEachFamily(String spec, String policy, String families, String addresses) {
        Reply created = post("s", PORTS + "," + spec);
        assertThat(created.code()).isEqualTo(201);
        assertStacks(created.body().object("spec"), policy, families, addresses);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'clusterIP':'10.96.9.9','clusterIPs':['10.96.9.9','fd00:10:96::9'] | spec.ipFamilyPolicy | Invalid "
                        + "value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple "
                        + "cluster IPs are specified",
                "'ipFamilies':['IPv6','IPv4'] | spec.ipFamilyPolicy | Invalid value: \"SingleStack\": must be "
                        + "'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
                "'ipFamilyPolicy':'PreferDualStack','clusterIP':'10.96.9.9','clusterIPs':['10.96.9.9','10.96.9.8'] | "
                        + "spec.clusterIPs | Invalid value: [\"10.96.9.9\",\"10.96.9.8\"]: may specify no more than "
                        + "one IP for each IP family",
                "'ipFamilies':['IPv6'],'clusterIP':'10.96.9.9' | spec.clusterIPs[0] | Invalid value: \"10.96.9.9\": "
                        + "expected an IPv6 value as indicated by `ipFamilies[0]`",
                "'clusterIP':'fd01::1' | spec.clusterIPs | Invalid value: [\"fd01::1\"]: failed to allocate IP fd01::"
                        + "1: the provided network does not match the current range",
                "'ipFamilyPolicy':'RequireDualStack','clusterIP':'fd00:10:96::0' | spec.clusterIPs | Invalid value: ["
                        + "\"fd00:10:96::0\",\"\"]: failed to allocate IP fd00:10:96::0: the provided network does "
                        + "not match the current range",
            })
    void service_whoseFamiliesDoNotFit_isRefused(String spec, String field, String message) {
        Reply refused = post("s", PORTS + "," + spec);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().array("details", "causes").objects())
                .containsExactly(JsonObject.EMPTY
                        .with("reason", "FieldValueInvalid")
                        .with("message", message)
                        .with("field", field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SingleStack | 'ipFamilyPolicy':'RequireDualStack' | RequireDualStack | IPv4 IPv6 | 10.96.0.16 fd00:"
                        + "10:96::10",
                "SingleStack | 'ipFamilyPolicy':'PreferDualStack','ipFamilies':['IPv4','IPv6'] | PreferDualStack | "
                        + "IPv4 IPv6 | 10.96.0.16 fd00:10:96::10",
                "SingleStack | 'ipFamilyPolicy':'PreferDualStack','clusterIPs':['10.96.0.16','fd00:10:96::9'] | "
                        + "PreferDualStack | IPv4 IPv6 | 10.96.0.16 fd00:10:96::9",
                "RequireDualStack | 'ipFamilyPolicy':'SingleStack' | SingleStack | IPv4 | 10.96.0.16",
                "RequireDualStack | 'ipFamilyPolicy':'SingleStack','ipFamilies':['IPv4'],'clusterIPs':['10.96.0.16'] |"
                        + " SingleStack | IPv4 | 10.96.0.16",
                "RequireDualStack | 'ipFamilyPolicy':'PreferDualStack' | PreferDualStack | IPv4 IPv6 | 10.96.0.16 "
                        + "fd00:10:96::10",
                "RequireDualStack | 'clusterIP':null,'clusterIPs':null,'ipFamilies':null,'ipFamilyPolicy':null | "
                        + "RequireDualStack | IPv4 IPv6 | 10.96.0.16 fd00:10:96::10",
                "RequireDualStack | 'type':'ExternalName','externalName':'a.b' | ~~ | ~~ | ~~",
            })
    void service_thatBecomesAnother_takesOrLosesTheSecond(
            String before, String patch, String policy, String families, String addresses) {
        post("s", PORTS + ",'ipFamilyPolicy':'" + before + "'").ok();
        Reply changed = patch(patch).ok();
        assertStacks(changed.body().object("spec"), policy, families, addresses);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'ipFamilies':['IPv4'] | spec.ipFamilyPolicy",
                "'clusterIPs':['10.96.0.16'] | spec.ipFamilyPolicy",
                "'ipFamilyPolicy':'SingleStack','ipFamilies':['IPv6'] | spec.clusterIPs[0]",
                "'ipFamilyPolicy':'SingleStack','ipFamilies':['IPv6'],'clusterIP':'fd00:10:96::10','clusterIPs':["
                        + "'fd00:10:96::10'] | spec.clusterIPs[0] spec.ipFamilies[0]",
                "'clusterIPs':['10.96.0.16','fd00:10:96::77'] | spec.clusterIPs[1]",
                "'clusterIP':'10.96.9.9','clusterIPs':['10.96.9.9','fd00:10:96::10'] | spec.clusterIPs[0]",
                "'ipFamilies':['IPv6','IPv4'] | spec.clusterIPs[0] spec.clusterIPs[1]",
            })
    void families_thatChangeWithoutBeingReleased_areRefused(String patch, String fields) {
        post("s", BOTH).ok();
        Reply refused = patch(patch);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().array("details", "causes").objects())
                .extracting(cause -> cause.string("field"))
                .containsExactly(fields.split(" ", -1));
    }

    @Test
    void secondAddress_thatIsReleased_isFree() {
        post("s", BOTH + ",'clusterIP':'10.96.9.9','clusterIPs':['10.96.9.9','fd00:10:96::9']")
                .ok();
        String other = PORTS + ",'clusterIP':'fd00:10:96::0:9'";
        Reply taken = post("other", other);
        assertThat(taken.code()).isEqualTo(422);
        assertThat(taken.message()).contains("failed to allocate IP fd00:10:96::0:9: provided IP is already allocated");

        patch("'ipFamilyPolicy':'SingleStack'").ok();
        post("other", other).ok();
        assertThat(patch("'ipFamilyPolicy':'PreferDualStack','clusterIPs':['10.96.9.9','fd00:10:96::9']")
                        .code())
                .isEqualTo(422);
        requests.delete(SERVICES + "/s").ok();
        post("third", PORTS + ",'clusterIP':'10.96.9.9'").ok();
    }

    @Test
    void firstAddress_ofAServiceWhoseSecondIsRefused_isFree() {
        String spec = BOTH + ",'clusterIP':'10.96.9.9','clusterIPs':['10.96.9.9','fd01::9']";
        assertThat(post("s", spec).code()).isEqualTo(422);
        post("s", spec.replace("fd01", "fd00:10:96")).ok();
    }

    @Test
    void dryRun_takesNothing() {
        JsonObject dry = requests.post(SERVICES + "?dryRun=All", service("s", BOTH))
                .ok()
                .body()
                .object("spec");
        assertStacks(dry, "RequireDualStack", "IPv4 IPv6", "10.96.0.0 fd00:10:96::");
        post("s", PORTS).ok();
        Reply upgrade = requests.send(
                "PATCH", SERVICES + "/s?dryRun=All", MERGE, "{'spec':{'ipFamilyPolicy':'RequireDualStack'}}");
        assertStacks(upgrade.ok().body().object("spec"), "RequireDualStack", "IPv4 IPv6", "10.96.0.16 fd00:10:96::");
        assertStacks(
                patch("'ipFamilyPolicy':'RequireDualStack'").ok().body().object("spec"),
                "RequireDualStack",
                "IPv4 IPv6",
                "10.96.0.16 fd00:10:96::10");
    }

    @Test
    void headlessService_mayChangeItsFamilies() {
        post("s", PORTS + ",'clusterIP':'None','selector':{'a':'b'}").ok();
        assertStacks(patch("'ipFamilies':['IPv6']").ok().body().object("spec"), "SingleStack", "IPv6", "None");
        assertStacks(
                patch("'ipFamilyPolicy':'RequireDualStack'").ok().body().object("spec"),
                "RequireDualStack",
                "IPv6 IPv4",
                "None");
    }

    private Reply post(String name, String spec) {
        return requests.post(SERVICES, service(name, spec));
    }

    private Reply patch(String spec) {
        return requests.send("PATCH", SERVICES + "/s", MERGE, "{'spec':{" + spec + "}}");
    }

    private static String service(String name, String spec) {
        return "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}";
    }

    private static void assertStacks(JsonObject spec, String policy, String families, String addresses) {
        assertThat(spec.string("ipFamilyPolicy")).isEqualTo(policy);
        assertThat(String.join(" ", spec.array("ipFamilies").strings().toList()))
                .isEqualTo(families);
        assertThat(String.join(" ", spec.array("clusterIPs").strings().toList()))
                .isEqualTo(addresses);
        assertThat(spec.string("clusterIP")).isEqualTo(addresses.split(" ", -1)[0]);
    }
}
