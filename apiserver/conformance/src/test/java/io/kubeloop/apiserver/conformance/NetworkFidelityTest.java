/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The responses of a current kube-apiserver for endpoints, slices, nodes and namespaces. */
class NetworkFidelityTest extends ServerFixture {

    private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    private static final String NODES = "/api/v1/nodes";
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String MERGE = "application/merge-patch+json";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'addresses':[] | Required | subsets[0]",
                "'addresses':[{'ip':'x'}] | Invalid Invalid | subsets[0].addresses[0].ip subsets[0].addresses[0].ip",
                "'notReadyAddresses':[{'ip':'010.0.0.1'}] | Invalid | subsets[0].notReadyAddresses[0].ip",
                "'addresses':[{'ip':'10.0.0.1','hostname':'a.b'}] | Invalid | subsets[0].addresses[0].hostname",
                "'addresses':[{'ip':'10.0.0.1','nodeName':''}] | Invalid | subsets[0].addresses[0].nodeName",
                "'addresses':[{'ip':'10.0.0.1'}],'ports':[{}] | Invalid | subsets[0].ports[0].port",
                "'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':1},{'port':2,'name':'a'}] | Required | subsets["
                        + "0].ports[0].name",
                "'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':1,'protocol':'x'}] | NotSupported | subsets["
                        + "0].ports[0].protocol",
                "'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':1,'appProtocol':'-'}] | Invalid | subsets[0].ports["
                        + "0].appProtocol",
            })
    void endpoints_thatCannotBe_areRefused(String subset, String reasons, String fields) {
        assertRefused(
                requests.post(ENDPOINTS, "{'metadata':{'name':'e'},'subsets':[{" + subset + "}]}"), reasons, fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | Required | addressType",
                "'addressType':'IP' | NotSupported | addressType",
                "'addressType':'IPv4','endpoints':[{}] | Required | endpoints[0].addresses",
                "'addressType':'IPv4','endpoints':[{'addresses':['fd00::1']}] | Invalid | endpoints[0].addresses",
                "'addressType':'IPv6','endpoints':[{'addresses':['FD00::1']}] | Invalid | endpoints[0].addresses[0]",
                "'addressType':'IPv6','endpoints':[{'addresses':['10.0.0.1']}] | Invalid | endpoints[0].addresses",
                "'addressType':'IPv4','endpoints':[{'addresses':['127.0.0.1']}] | Invalid | endpoints[0].addresses[0]",
                "'addressType':'FQDN','endpoints':[{'addresses':['a']}] | Invalid | endpoints[0].addresses[0]",
                "'addressType':'FQDN','endpoints':[{'addresses':['']}] | Required | endpoints[0].addresses[0]",
                "'addressType':'IPv4','endpoints':[{'addresses':['10.0.0.1'],'hostname':''}] | Invalid | endpoints["
                        + "0].hostname",
                "'addressType':'IPv4','endpoints':[{'addresses':['10.0.0.1'],'nodeName':'A'}] | Invalid | endpoints["
                        + "0].nodeName",
                "'addressType':'IPv4','endpoints':[{'addresses':['10.0.0.1'],'hints':{'forZones':[{'name':'a'},{"
                        + "'name':'a'}]}}] | Duplicate | endpoints[0].hints.forZones[1].name",
                "'addressType':'IPv4','endpoints':[{'addresses':['10.0.0.1'],'hints':{'forNodes':[{'name':''}]}}] | "
                        + "Invalid | endpoints[0].hints.forNodes[0].name",
                "'addressType':'IPv4','ports':[{},{}] | Duplicate | ports[1].name",
                "'addressType':'IPv4','ports':[{'protocol':''}] | NotSupported | ports[0].protocol",
                "'addressType':'IPv4','ports':[{'name':'A'}] | Invalid | ports[0].name",
            })
    void slice_thatCannotBe_isRefused(String fields, String reasons, String paths) {
        String body = "{'metadata':{'name':'l'}" + (fields.isEmpty() ? "" : "," + fields) + "}";
        assertRefused(requests.post(SLICES, body), reasons, paths);
    }

    @Test
    void slice_mayHavePortsOfAnyNumber_andNoTopology() {
        JsonObject slice = requests.post(
                        SLICES,
                        "{'metadata':{'name':'l'},'addressType':'FQDN','ports':[{'port':70000}],"
                                + "'endpoints':[{'addresses':['a.b.'],'deprecatedTopology':{'a b':'c'}}]}")
                .ok()
                .body();
        assertThat(slice.array("endpoints").objects())
                .singleElement()
                .satisfies(endpoint ->
                        assertThat(endpoint.has("deprecatedTopology")).isFalse());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'taints':[{'key':'a'}] | ~~ | Required | metadata.taints[0].effect",
                "'taints':[{'key':'a','effect':'x'}] | ~~ | NotSupported | metadata.taints[0].effect",
                "'taints':[{'key':'a b','effect':'NoExecute'}] | ~~ | Invalid | metadata.taints[0].key",
                "'taints':[{'key':'a','effect':'NoExecute'},{'key':'a','effect':'NoExecute'}] | ~~ | Duplicate | "
                        + "metadata.taints[1]",
                "'podCIDR':'x' | ~~ | Invalid | spec.podCIDRs[0]",
                "'podCIDRs':['10.1.0.1/24'] | ~~ | Invalid | spec.podCIDRs[0]",
                "'podCIDRs':['10.1.0.0/24','10.2.0.0/24'] | ~~ | Invalid | spec.podCIDRs",
                "~~ | 'capacity':{'cpu':'-1'},'allocatable':{'cpu':'1'} | Invalid | status.capacity.cpu",
                "~~ | 'capacity':{'pods':'1.5'},'allocatable':{'pods':'1'} | Invalid | status.capacity.pods",
                "~~ | 'allocatable':{'example.com/gpu':'1500m'} | Invalid | status.allocatable.example.com/gpu",
                "~~ | 'declaredFeatures':['a'] | Invalid | status.declaredFeatures[0]",
                "~~ | 'declaredFeatures':['B','A'] | Invalid | status.declaredFeatures[1]",
                "~~ | 'nodeInfo':{'swap':{'capacity':0}} | Invalid | metadata.nodeSwapStatus.capacity",
            })
    void node_thatCannotBe_isRefused(String spec, String status, String reasons, String fields) {
        String body = "{'metadata':{'name':'n'},'spec':{" + spec + "},'status':{" + status + "}}";
        assertRefused(requests.post(NODES, body), reasons, fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | {'spec':{'podCIDR':'10.2.0.0/24','podCIDRs':['10.2.0.0/24']}} | Forbidden | spec.podCIDRs",
                "~~ | {'spec':{'podCIDRs':null,'podCIDR':null}} | Forbidden | spec.podCIDRs",
                "~~ | {'spec':{'providerID':'q'}} | Invalid | spec.providerID",
                "~~ | {'spec':{'providerID':null}} | Invalid | spec.providerID",
                "~~ | {'spec':{'externalID':'q'}} | Forbidden | spec.externalID",
                "/status | {'status':{'addresses':[{'type':'Hostname','address':'a'},{'type':'Hostname','address':"
                        + "'a'}]}} | Duplicate | status.addresses[1]",
                "~~ | {'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/taints':'x'}}} | Invalid | "
                        + "metadata.annotations",
            })
    void node_keepsWhatItHasSaid(String part, String patch, String reasons, String fields) {
        requests.post(NODES, "{'metadata':{'name':'n'},'spec':{'podCIDR':'10.1.0.0/24','providerID':'p'}}")
                .ok();
        assertRefused(requests.send("PATCH", NODES + "/n" + part, MERGE, patch), reasons, fields);
    }

    @Test
    void node_isGivenWhatItDoesNotSay() {
        JsonObject node = requests.post(
                        NODES,
                        "{'metadata':{'name':'n'},'spec':{'podCIDR':'10.1.0.0/24','configSource':{}},'status':{"
                                + "'capacity':{'pods':110}}}")
                .ok()
                .body();
        assertThat(node.array("spec", "podCIDRs").strings()).containsExactly("10.1.0.0/24");
        assertThat(node.object("spec").has("configSource")).isFalse();
        assertThat(node.string("status", "allocatable", "pods")).isEqualTo("110");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "POST | ~~ | {'metadata':{'name':'x'},'spec':{'finalizers':['a']}} | Invalid | spec.finalizers",
                "PUT | /ns/finalize | {'metadata':{'name':'ns'},'spec':{'finalizers':['a']}} | Invalid | "
                        + "spec.finalizers[0]",
                "PUT | /ns/status | {'metadata':{'name':'ns'},'status':{'phase':'Terminating'}} | Invalid | "
                        + "status.Phase",
            })
    void namespace_thatCannotBe_isRefused(String method, String path, String body, String reasons, String fields) {
        requests.post(NAMESPACES, "{'metadata':{'name':'ns'}}").ok();
        assertRefused(requests.send(method, NAMESPACES + path, body), reasons, fields);
    }

    @Test
    void namespace_withoutPhase_isActive() {
        requests.post(NAMESPACES, "{'metadata':{'name':'ns'}}").ok();
        Reply status = requests.send("PUT", NAMESPACES + "/ns/status", "{'metadata':{'name':'ns'},'status':{}}");
        assertThat(status.ok().body().string("status", "phase")).isEqualTo("Active");
        requests.send("PUT", NAMESPACES + "/ns", "{'metadata':{'name':'ns'},'spec':{'finalizers':['a']}}")
                .ok();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'externalIPs':'x'} | string into Go struct field ServiceSpec.spec.externalIPs of type []string",
                "{'healthCheckNodePort':'1'} | string into Go struct field ServiceSpec.spec.healthCheckNodePort of "
                        + "type int32",
                "{'allocateLoadBalancerNodePorts':'x'} | string into Go struct field "
                        + "ServiceSpec.spec.allocateLoadBalancerNodePorts of type bool",
                "{'sessionAffinityConfig':{'clientIP':1}} | number into Go struct field "
                        + "SessionAffinityConfig.spec.sessionAffinityConfig.clientIP of type v1.ClientIPConfig",
                "{'loadBalancerIP':3} | number into Go struct field ServiceSpec.spec.loadBalancerIP of type string",
            })
    void value_ofAWrongType_isNoService(String spec, String problem) {
        Reply refused = requests.post(SERVICES, "{'metadata':{'name':'s'},'spec':" + spec + "}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo(
                        "Service in version \"v1\" cannot be handled as a Service: json: cannot unmarshal " + problem);
        requests.post(SERVICES, "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}")
                .ok();
        assertThat(requests.send("PATCH", SERVICES + "/s", MERGE, "{'spec':" + spec + "}")
                        .code())
                .isEqualTo(422);
    }

    @Test
    void time_thatIsNone_isNoTaint() {
        String taint = "{'metadata':{'name':'n'},'spec':{'taints':[{'key':'a','effect':'NoExecute','timeAdded':'x'}]}}";
        assertThat(requests.post(NODES, taint).code()).isEqualTo(400);
        requests.post(NODES, taint.replace("'x'", "'2026-03-01T12:00:00Z'")).ok();
    }

    private static void assertRefused(Reply refused, String reasons, String fields) {
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.body().array("details", "causes").objects())
                .extracting(cause -> cause.string("reason").substring("FieldValue".length()))
                .containsExactly(reasons.split(" ", -1));
        assertThat(refused.body().array("details", "causes").objects())
                .extracting(cause -> cause.string("field"))
                .containsExactly(fields.split(" ", -1));
    }
}
