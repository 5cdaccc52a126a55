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

/** The responses of a current kube-apiserver to invalid and valid services. */
class ServiceFidelityTest extends ServerFixture {

    private static final String MERGE = "application/merge-patch+json";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'type':'ClusterIP' | Required | spec.ports | Required value",
                "'ports':[{'targetPort':80}] | Invalid | spec.ports[0].port | Invalid value: 0: must be between 1 and "
                        + "65535, inclusive",
                "'ports':[{'port':80,'targetPort':65536}] | Invalid | spec.ports[0].targetPort | Invalid value: 65536:"
                        + " must be between 1 and 65535, inclusive",
                "'ports':[{'port':80,'protocol':'tcp'}] | NotSupported | spec.ports[0].protocol | Unsupported value: "
                        + "\"tcp\": supported values: \"SCTP\", \"TCP\", \"UDP\"",
                "'ports':[{'port':80,'name':'a'},{'port':81}] | Required | spec.ports[1].name | Required value",
                "'ports':[{'port':80,'name':'a'},{'port':81,'name':'a'}] | Duplicate | spec.ports[1].name | Duplicate "
                        + "value: \"a\"",
                "'ports':[{'port':80,'name':'a'},{'port':80,'name':'b'}] | Duplicate | spec.ports[1] | Duplicate "
                        + "value: {\"Name\":\"\",\"Protocol\":\"TCP\",\"AppProtocol\":null,\"Port\":80,\"TargetPort\":"
                        + "0,\"NodePort\":0}",
                "'ports':[{'port':80,'nodePort':30010}] | Forbidden | spec.ports[0].nodePort | Forbidden: may not be "
                        + "used when `type` is 'ClusterIP'",
                "'type':'NodePort','ports':[{'port':80,'nodePort':29999}] | Invalid | spec.ports[0].nodePort | "
                        + "Invalid value: 29999: provided port is not in the valid range. The range of valid ports is "
                        + "30000-32767",
                "'type':'NodePort','ports':[{'port':80,'name':'a','nodePort':30010},{'port':81,'name':'b','nodePort':"
                        + "30010}] | Invalid | spec.ports[1].nodePort | Invalid value: 30010: provided port is "
                        + "already allocated",
                "'type':'NodePort','clusterIP':'None','ports':[{'port':80}] | Invalid | spec.clusterIPs[0] | Invalid "
                        + "value: \"None\": may not be set to 'None' for NodePort services",
                "'type':'X','ports':[{'port':80}] | NotSupported | spec.type | Unsupported value: \"X\": supported "
                        + "values: \"ClusterIP\", \"ExternalName\", \"LoadBalancer\", \"NodePort\"",
                "'type':'ExternalName' | Required | spec.externalName | Required value",
                "'type':'ExternalName','externalName':'a.b','clusterIPs':['None'] | Forbidden | spec.clusterIPs | "
                        + "Forbidden: may not be set for ExternalName services",
                "'type':'ExternalName','externalName':'a.b','ipFamilyPolicy':'SingleStack' | Forbidden | "
                        + "spec.ipFamilyPolicy | Forbidden: may not be set for ExternalName services",
                "'ports':[{'port':80}],'clusterIP':'x' | Invalid | spec.clusterIPs[0] | Invalid value: \"x\": must be "
                        + "a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
                "'ports':[{'port':80}],'clusterIP':'010.96.1.1' | Invalid | spec.clusterIPs[0] | Invalid value: "
                        + "\"010.96.1.1\": must not have leading 0s",
                "'ports':[{'port':80}],'clusterIP':'10.97.0.1' | Invalid | spec.clusterIPs | Invalid value: ["
                        + "\"10.97.0.1\"]: failed to allocate IP 10.97.0.1: the provided network does not match the "
                        + "current range",
                "'ports':[{'port':80}],'clusterIP':'10.96.255.255' | Invalid | spec.clusterIPs | Invalid value: ["
                        + "\"10.96.255.255\"]: failed to allocate IP 10.96.255.255: the provided network does not "
                        + "match the current range",
                "'ports':[{'port':80}],'clusterIP':'fd00::1' | Invalid | spec.clusterIPs[0] | Invalid value: [\"fd00::"
                        + "1\"]: IPv6 is not configured on this cluster",
                "'ports':[{'port':80}],'clusterIPs':['10.96.1.1'] | Invalid | spec.clusterIPs | Invalid value: ["
                        + "\"10.96.1.1\"]: must be empty when `clusterIP` is not specified",
                "'ports':[{'port':80}],'clusterIP':'10.96.1.2','clusterIPs':['10.96.1.1'] | Invalid | spec.clusterIPs "
                        + "| Invalid value: [\"10.96.1.1\"]: first value must match `clusterIP`",
                "'ports':[{'port':80}],'clusterIP':'None','clusterIPs':['None','10.96.1.1'] | Invalid | "
                        + "spec.clusterIPs | Invalid value: [\"None\",\"10.96.1.1\"]: 'None' must be the first and "
                        + "only value",
                "'ports':[{'port':80}],'ipFamilies':['IPv6'] | Invalid | spec.ipFamilies[0] | Invalid value: \"IPv6\":"
                        + " not configured on this cluster",
                "'ports':[{'port':80}],'ipFamilies':['IPv4','IPv4'],'ipFamilyPolicy':'PreferDualStack' | Duplicate | "
                        + "spec.ipFamilies[1] | Duplicate value: \"IPv4\"",
                "'ports':[{'port':80}],'ipFamilyPolicy':'RequireDualStack' | Invalid | spec.ipFamilyPolicy | Invalid "
                        + "value: \"RequireDualStack\": this cluster is not configured for dual-stack services",
                "'ports':[{'port':80}],'ipFamilies':['IPv4','IPv6'] | Invalid | spec.ipFamilyPolicy | Invalid value: "
                        + "\"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families "
                        + "are specified",
                "'ports':[{'port':80}],'sessionAffinity':'x' | NotSupported | spec.sessionAffinity | Unsupported "
                        + "value: \"x\": supported values: \"ClientIP\", \"None\"",
                "'ports':[{'port':80}],'sessionAffinity':'ClientIP','sessionAffinityConfig':{'clientIP':{"
                        + "'timeoutSeconds':86401}} | Invalid | spec.sessionAffinityConfig.clientIP.timeoutSeconds | "
                        + "Invalid value: 86401: must be greater than 0 and less than 86400",
                "'ports':[{'port':80}],'externalIPs':['127.0.0.1'] | Invalid | spec.externalIPs[0] | Invalid value: "
                        + "\"127.0.0.1\": may not be in the loopback range (127.0.0.0/8, ::1/128)",
                "'ports':[{'port':80}],'externalIPs':['::ffff:1.2.3.4'] | Invalid | spec.externalIPs[0] | Invalid "
                        + "value: \"::ffff:1.2.3.4\": must not be an IPv4-mapped IPv6 address",
                "'ports':[{'port':80}],'externalTrafficPolicy':'Local' | Invalid | spec.externalTrafficPolicy | "
                        + "Invalid value: \"Local\": may only be set for externally-accessible services",
                "'ports':[{'port':80}],'internalTrafficPolicy':'' | NotSupported | spec.internalTrafficPolicy | "
                        + "Unsupported value: \"\": supported values: \"Cluster\", \"Local\"",
                "'ports':[{'port':80}],'healthCheckNodePort':30020 | Invalid | spec.healthCheckNodePort | Invalid "
                        + "value: 30020: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` "
                        + "is 'Local'",
                "'ports':[{'port':80}],'loadBalancerClass':'a/b' | Forbidden | spec.loadBalancerClass | Forbidden: "
                        + "may only be used when `type` is 'LoadBalancer'",
                "'ports':[{'port':80}],'allocateLoadBalancerNodePorts':true | Forbidden | "
                        + "spec.allocateLoadBalancerNodePorts | Forbidden: may only be used when `type` is "
                        + "'LoadBalancer'",
                "'ports':[{'port':80}],'loadBalancerSourceRanges':['10.0.0.0/8'] | Forbidden | "
                        + "spec.LoadBalancerSourceRanges | Forbidden: may only be used when `type` is 'LoadBalancer'",
                "'type':'LoadBalancer','ports':[{'port':80}],'loadBalancerSourceRanges':['10.0.0.1/8'] | Invalid | "
                        + "spec.LoadBalancerSourceRanges[0] | Invalid value: \"10.0.0.1/8\": must not have bits set "
                        + "beyond the prefix length",
                "'type':'LoadBalancer','ports':[{'port':80}],'loadBalancerSourceRanges':['10.0.0.0/08'] | Invalid | "
                        + "spec.LoadBalancerSourceRanges[0] | Invalid value: \"10.0.0.0/08\": must not have leading "
                        + "0s in IP or prefix length",
                "'type':'LoadBalancer','ports':[{'port':80}],'loadBalancerSourceRanges':['10.0.0.0/33'] | Invalid | "
                        + "spec.LoadBalancerSourceRanges[0] | Invalid value: \"10.0.0.0/33\": must be a valid CIDR "
                        + "value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
                "'ports':[{'port':80}],'trafficDistribution':'x' | NotSupported | spec.trafficDistribution | "
                        + "Unsupported value: \"x\": supported values: \"PreferClose\", \"PreferSameZone\", "
                        + "\"PreferSameNode\"",
            })
    void service_thatCannotBe_isRefused(String spec, String reason, String field, String message) {
        Reply refused = post("s", spec);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.body().array("details", "causes").objects())
                .containsExactly(JsonObject.EMPTY
                        .with("reason", "FieldValue" + reason)
                        .with("message", message)
                        .with("field", field));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'clusterIP':'None'",
                "'type':'ExternalName','externalName':'a.b.'",
                "'type':'ExternalName','externalName':'a.b','ports':[{'port':80,'nodePort':5}]",
                "'ports':[{'port':80}],'ipFamilyPolicy':'PreferDualStack'",
                "'ports':[{'port':80}],'clusterIP':'None','ipFamilies':['IPv6']",
                "'ports':[{'port':80,'appProtocol':'kubernetes.io/h2c','targetPort':'http'}]",
                "'type':'LoadBalancer','ports':[{'port':80}],'loadBalancerSourceRanges':[' 10.0.0.0/8 '],"
                        + "'loadBalancerIP':'x'",
                "'ports':[{'port':80}],'externalIPs':['1.2.3.4'],'externalTrafficPolicy':'Local'",
            })
    void service_thatCanBe_isCreated(String spec) {
        assertThat(post("1a", spec).code()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'ports':[{'port':80}] | ~'type':'ClusterIP','internalTrafficPolicy':'Cluster','ipFamilyPolicy':"
                        + "'SingleStack','ipFamilies':['IPv4'],'sessionAffinity':'None'~",
                "'type':'NodePort','ports':[{'port':80}] | ~'externalTrafficPolicy':'Cluster','ports':[{'port':80,"
                        + "'protocol':'TCP','targetPort':80,'nodePort':30086}]~",
                "'type':'LoadBalancer','ports':[{'port':80}] | ~'allocateLoadBalancerNodePorts':true,'ports':[{'port':"
                        + "80,'protocol':'TCP','targetPort':80,'nodePort':30086}]~",
                "'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,'ports':[{'port':80}] | ~'ports':[{"
                        + "'port':80,'protocol':'TCP','targetPort':80}]~",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':[{'port':80}] | "
                        + "~'healthCheckNodePort':30087~",
                "'type':'NodePort','ports':[{'name':'a','port':80,'nodePort':30010},{'name':'b','port':80,'protocol':"
                        + "'UDP'}] | ~'ports':[{'name':'a','port':80,'nodePort':30010,'protocol':'TCP','targetPort':"
                        + "80},{'name':'b','port':80,'protocol':'UDP','targetPort':80,'nodePort':30010}]~",
                "'clusterIP':'None' | ~'ipFamilyPolicy':'RequireDualStack','ipFamilies':['IPv4','IPv6'],'clusterIPs':["
                        + "'None']~",
                "'clusterIP':'None','selector':{'a':'b'} | ~'ipFamilyPolicy':'SingleStack','ipFamilies':['IPv4']~",
            })
    void service_isGivenWhatItDoesNotSay(String spec, String given) {
        JsonObject created = post("s", spec).ok().body().object("spec");
        JsonObject.parse("{" + given.replace('\'', '"') + "}")
                .members()
                .forEach((field, value) -> assertThat(created.get(field)).isEqualTo(value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'type':'NodePort','ports':[{'port':80,'nodePort':30030}] | 422 | Invalid",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local','healthCheckNodePort':30030,'ports':[{'port':"
                        + "80}] | 500 | InternalError",
                "'clusterIP':'10.96.9.9','ports':[{'port':80}] | 422 | Invalid",
            })
    void whatAnotherHas_isRefusedUntilItIsFree(String spec, int code, String reason) {
        post("a", "'type':'NodePort','clusterIP':'10.96.9.9','ports':[{'port':80,'nodePort':30030}]")
                .ok();

        for (String query : new String[] {"", "?dryRun=All"}) {
            Reply refused = requests.post(SERVICES + query, service("b", spec));
            boolean dryAddress = !query.isEmpty() && spec.contains("clusterIP");
            assertThat(refused.code()).isEqualTo(dryAddress ? 201 : code);
            assertThat(dryAddress ? reason : refused.reason()).isEqualTo(reason);
        }
        requests.delete(SERVICES + "/a").ok();
        post("b", spec).ok();
    }

    /** A dry run does not check the range, and goes on after the highest number; recorded with 1.37.2. */
    @ParameterizedTest
    @CsvSource({"0,32770,32771", "-1,1,2", "-5,1,2", "50,51,52", "70000,70001,70002"})
    void dryRun_continuesAfterARequestedPort(int requested, long second, long third) {
        String ports = "{'name':'a','port':1,'nodePort':" + requested + "},{'name':'b','port':2},{'name':'c','port':3}";
        Reply reply =
                requests.post(SERVICES + "?dryRun=All", service("a", "'type':'NodePort','ports':[" + ports + "]"));

        assertThat(reply.ok().body().array("spec", "ports").objects().map(port -> port.number("nodePort")))
                .endsWith(requested == 0 ? new Long[] {second, third} : new Long[] {(long) requested, second, third});
    }

    @Test
    void whatARefusedServiceHadTaken_isFree() {
        String invalid = "'type':'NodePort','clusterIP':'10.96.9.9','sessionAffinity':'x','ports':[{'port':80,"
                + "'nodePort':30030}]";
        assertThat(post("a", invalid).code()).isEqualTo(422);
        post("a", invalid.replace("'x'", "'None'")).ok();
        // The port is rejected before the name is found taken; the rejection releases neither.
        assertThat(post("a", invalid.replace("'x'", "'None'")).code()).isEqualTo(422);
        assertThat(post("b", "'type':'NodePort','ports':[{'port':80,'nodePort':30030}]")
                        .code())
                .isEqualTo(422);
    }

    @Test
    void dryRun_takesNothing() {
        assertThat(requests.post(
                                SERVICES + "?dryRun=All", service("a", "'ports':[{'port':80}],'clusterIP':'10.97.0.1'"))
                        .message())
                .endsWith("the provided IP (10.97.0.1) is not in the valid range. The range of valid IPs is "
                        + "10.96.0.0/16");
        JsonObject dry = requests.post(
                        SERVICES + "?dryRun=All", service("a", "'type':'NodePort','ports':[{'port':80}]"))
                .ok()
                .body();
        assertThat(dry.string("spec", "clusterIP")).isEqualTo("10.96.0.0");
        assertThat(dry.array("spec", "ports").objects())
                .singleElement()
                .satisfies(port -> assertThat(port.number("nodePort")).isEqualTo(32769));
        assertThat(nodePort(post("a", "'type':'NodePort','ports':[{'port':80}]")))
                .isEqualTo(30086);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'type':'NodePort' | 'type':'ClusterIP' | 200 | nodePort externalTrafficPolicy | clusterIP "
                        + "internalTrafficPolicy",
                "'type':'NodePort' | 'type':'ExternalName','externalName':'a.b' | 200 | nodePort clusterIP clusterIPs "
                        + "ipFamilies ipFamilyPolicy internalTrafficPolicy externalTrafficPolicy | externalName",
                "'type':'NodePort' | 'type':'LoadBalancer' | 200 | healthCheckNodePort | nodePort "
                        + "allocateLoadBalancerNodePorts",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local','loadBalancerClass':'a/b' | 'type':'ClusterIP' "
                        + "| 200 | healthCheckNodePort loadBalancerClass allocateLoadBalancerNodePorts "
                        + "externalTrafficPolicy nodePort | clusterIP",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local' | 'externalTrafficPolicy':'Cluster' | 200 | "
                        + "healthCheckNodePort | nodePort",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local' | 'externalTrafficPolicy':'Cluster',"
                        + "'healthCheckNodePort':30500 | 422 | ~~ | spec.healthCheckNodePort",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local' | 'healthCheckNodePort':30500 | 422 | ~~ | "
                        + "spec.healthCheckNodePort",
                "'type':'LoadBalancer' | 'loadBalancerClass':'a/b' | 422 | ~~ | spec.loadBalancerClass",
                "'type':'LoadBalancer' | 'type':'ClusterIP','allocateLoadBalancerNodePorts':false | 422 | ~~ | "
                        + "spec.allocateLoadBalancerNodePorts",
                "'type':'NodePort' | 'type':'ClusterIP','ports':[{'port':80,'nodePort':30500}] | 422 | ~~ | "
                        + "spec.ports[0].nodePort",
                "'type':'ClusterIP' | 'clusterIP':'10.96.3.3' | 422 | ~~ | spec.clusterIPs[0]",
                "'type':'ClusterIP' | 'clusterIP':'None' | 422 | ~~ | spec.clusterIPs[0]",
                "'type':'ClusterIP' | 'clusterIP':null,'clusterIPs':null | 200 | ~~ | clusterIP",
                "'type':'ClusterIP' | 'ipFamilies':['IPv6'] | 422 | ~~ | spec.clusterIPs[0]",
                "'type':'ClusterIP' | 'ipFamilyPolicy':'RequireDualStack' | 422 | ~~ | spec.ipFamilyPolicy",
                "'type':'ClusterIP' | 'ipFamilyPolicy':'PreferDualStack' | 200 | ~~ | ipFamilyPolicy",
            })
    void service_thatBecomesAnother_losesWhatItNoLongerNeeds(
            String before, String patch, int code, String without, String with) {
        post("s", before + ",'ports':[{'port':80}]").ok();
        Reply changed = requests.send("PATCH", SERVICES + "/s", MERGE, "{'spec':{" + patch + "}}");
        assertThat(changed.code()).isEqualTo(code);
        if (code == 422) {
            assertThat(changed.body().array("details", "causes").objects())
                    .extracting(cause -> cause.string("field"))
                    .contains(with);
            return;
        }
        String spec = changed.body().object("spec").toString();
        for (String field : without.isEmpty() ? new String[0] : without.split(" ", -1)) {
            assertThat(spec).doesNotContain('"' + field + '"');
        }
        for (String field : with.split(" ", -1)) {
            assertThat(spec).contains('"' + field + '"');
        }
    }

    @Test
    void ports_thatAreKept_keepTheirNumbersOnTheNodes() {
        long port = nodePort(post("s", "'type':'NodePort','ports':[{'port':80}]"));
        JsonObject sparse = JsonObject.parse(
                service("s", "'type':'NodePort','ports':[{'port':81}]").replace('\'', '"'));
        assertThat(nodePort(requests.put(SERVICES + "/s", sparse))).isEqualTo(port);
    }

    @Test
    void port_twiceOnANode_isAFaultOfTheServer() {
        post("s", "'ports':[{'port':80}]").ok();
        Reply refused = requests.send(
                "PATCH",
                SERVICES + "/s",
                MERGE,
                "{'spec':{'type':'NodePort','ports':[{'name':'a','port':80,'nodePort':30041},{'name':'b','port':81,"
                        + "'nodePort':30041}]}}");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message()).isEqualTo("duplicate nodePort: {TCP 30041}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "LoadBalancer | {'ip':'1.2.3.4'} | 200 | ~~",
                "LoadBalancer | {'ip':'x'} | 422 | status.loadBalancer.ingress[0].ip",
                "LoadBalancer | {'ip':'1.2.3.4','ipMode':'x'} | 422 | status.loadBalancer.ingress[0].ipMode",
                "LoadBalancer | {'ipMode':'VIP'} | 422 | status.loadBalancer.ingress[0].ipMode",
                "LoadBalancer | {'hostname':'1.2.3.4'} | 422 | status.loadBalancer.ingress[0].hostname",
                "NodePort | {'ip':'1.2.3.4'} | 422 | status.loadBalancer.ingress",
            })
    void report_ofABalancer_isChecked(String type, String ingress, int code, String field) {
        post("s", "'type':'" + type + "','ports':[{'port':80}]").ok();
        Reply reported = requests.send(
                "PATCH", SERVICES + "/s/status", MERGE, "{'status':{'loadBalancer':{'ingress':[" + ingress + "]}}}");
        assertThat(reported.code()).isEqualTo(code);
        if (code == 422) {
            assertThat(reported.body().array("details", "causes").objects())
                    .singleElement()
                    .satisfies(cause -> assertThat(cause.string("field")).isEqualTo(field));
            return;
        }
        assertThat(reported.body().array("status", "loadBalancer", "ingress").objects())
                .containsExactly(JsonObject.EMPTY.with("ip", "1.2.3.4").with("ipMode", "VIP"));
        Reply moved = requests.send("PATCH", SERVICES + "/s", MERGE, "{'spec':{'type':'ClusterIP'}}");
        assertThat(moved.ok().body().object("status")).isEqualTo(JsonObject.of("loadBalancer", JsonObject.EMPTY));
    }

    private Reply post(String name, String spec) {
        return requests.post(SERVICES, service(name, spec));
    }

    private static String service(String name, String spec) {
        return "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}";
    }

    private static Long nodePort(Reply service) {
        return service.ok()
                .body()
                .array("spec", "ports")
                .objects()
                .findFirst()
                .orElseThrow()
                .number("nodePort");
    }
}
