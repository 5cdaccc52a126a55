/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services of a server with an IPv6 range only. */
class Ipv6ServiceTest extends ServerFixture {

    @Override
    protected EmbeddedApiServer.Builder configure(EmbeddedApiServer.Builder builder) {
        return builder.serviceClusterIpRanges("fd00::/64");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'type':'ClusterIP' | [\"IPv6\"] | fd00::10",
                "'ipFamilyPolicy':'PreferDualStack' | [\"IPv6\"] | fd00::10",
                "'clusterIP':'fd00::ffff:0:1' | [\"IPv6\"] | fd00::ffff:0:1",
                "'clusterIP':'None' | [\"IPv6\",\"IPv4\"] | None",
            })
    void service_isOfTheOneFamily(String spec, String families, String address) {
        JsonObject created = post(spec).ok().body().object("spec");
        assertThat(created.array("ipFamilies")).hasToString(families);
        assertThat(created.string("clusterIP")).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'clusterIP':'10.96.9.9' | Invalid value: [\"10.96.9.9\"]: IPv4 is not configured on this cluster",
                "'ipFamilies':['IPv4'] | Invalid value: \"IPv4\": not configured on this cluster",
                "'ipFamilyPolicy':'RequireDualStack' | Invalid value: \"RequireDualStack\": this cluster is not "
                        + "configured for dual-stack services",
            })
    void otherFamily_isRefused(String spec, String message) {
        Reply refused = post(spec);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).endsWith(message);
    }

    private Reply post(String spec) {
        return requests.post(SERVICES, "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]," + spec + "}}");
    }
}
