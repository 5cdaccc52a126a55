/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Warnings of kube-apiserver 1.36.3. */
class WorkloadWarningsTest {

    private static FieldCursor pod(String spec) {
        JsonObject pod = JsonObject.parse("{\"metadata\":{\"name\":\"a\"},\"spec\":" + spec.replace('\'', '"') + "}");
        return FieldCursor.of(pod, new FieldErrors());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'containers':[{'env':[{'name':'A','value':'1'},{'name':'A','value':'2'}]}]} | spec.containers[0].env[1]: \
            hides previous definition of "A", which may be dropped when using apply
            {'containers':[{'env':[{'name':'A','value':'1'},{'name':'A','value':'$(A)2'}]}]} |
            {'containers':[{'ports':[{'name':'h','containerPort':8080,'protocol':'TCP','hostIP':'127.0.0.1'}]}]} | \
            spec.containers[0].ports[0]: hostIP set without hostPort: {Name:h HostPort:0 ContainerPort:8080 \
            Protocol:TCP HostIP:127.0.0.1}
            {'containers':[{'ports':[{'containerPort':1,'protocol':'TCP'},{'containerPort':1,'protocol':'TCP'}]}]} | \
            spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]
            {'containers':[{'ports':[{'name':'a','containerPort':1},{'name':'a','containerPort':2}]}]} | \
            spec.containers[0].ports[1]: duplicate port name "a" with spec.containers[0].ports[0], services and probes \
            that select ports by name will use spec.containers[0].ports[0]
            {'terminationGracePeriodSeconds':-1} | spec.terminationGracePeriodSeconds: must be >= 0; negative values \
            are invalid and will be treated as 1
            {'imagePullSecrets':[{}]} | spec.imagePullSecrets[0].name: invalid empty name ""
            {'hostAliases':[{'ip':'127.0.0.1'},{'ip':'127.0.0.1'}]} | spec.hostAliases[1].ip: duplicate ip "127.0.0.1"
            {'overhead':{'memory':'100m'}} | spec.overhead[memory]: fractional byte value "100m" is invalid, must be \
            an integer
            {'topologySpreadConstraints':[{'topologyKey':'zone'}]} | spec.topologySpreadConstraints[0].labelSelector: \
            a null labelSelector results in matching no pod
            {'nodeSelector':{'beta.kubernetes.io/os':'linux'}} | spec.nodeSelector[beta.kubernetes.io/os]: deprecated \
            since v1.14; use "kubernetes.io/os" instead
            {'volumes':[{'name':'v','gitRepo':{}}]} | spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by \
            default in v1.33+
            {'volumes':[{'name':'v','configMap':{'name':'c','items':[{'path':'p'},{'path':'p/q'}]}}]} | volume "v" \
            (ConfigMap "c"): overlapping paths: "p/q" with "p"
            {'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':'t'}},\
            {'serviceAccountToken':{'path':'t'}}]}}]} | volume "v" (Projected): overlapping paths: "t" \
            (ServiceAccountToken) with "t" (ServiceAccountToken)
            """)
    void warnsAboutAPod(String spec, String warning) {
        assertThat(WorkloadWarnings.pod(pod(spec), null, Part.MAIN))
                .isEqualTo(warning == null ? List.of() : List.of(warning));
    }

    @Test
    void warnsAboutTheNameOfAWorkloadOnlyAtCreation() {
        JsonObject object = JsonObject.parse("{\"metadata\":{\"name\":\"a.b\",\"generation\":1}}");
        FieldCursor cursor = FieldCursor.of(object, new FieldErrors());
        var rule = WorkloadWarnings.ofTemplate(true, "spec", "template");

        assertThat(rule.warnings(cursor, null, Part.MAIN))
                .containsExactly(
                        "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
                                + " behavior; a DNS label is recommended: [must not contain dots]");
        assertThat(rule.warnings(cursor, object, Part.MAIN)).isEmpty();
    }
}
