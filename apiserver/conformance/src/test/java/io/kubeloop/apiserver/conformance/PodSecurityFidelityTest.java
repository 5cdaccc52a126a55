/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;

/** The plug-in {@code PodSecurity}, in the words of kube-apiserver 1.36.3. */
class PodSecurityFidelityTest extends ServerFixture {

    private static final String MERGE = "application/merge-patch+json";
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final String RESTRICTED = "allowPrivilegeEscalation != false (container \"c\" must set"
            + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container \"c\" must set"
            + " securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or container \"c\" must set"
            + " securityContext.runAsNonRoot=true), seccompProfile (pod or container \"c\" must set"
            + " securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")";

    @Override
    protected EmbeddedApiServer.Builder configure(EmbeddedApiServer.Builder builder) {
        return builder.admission(AdmissionSelection.WITHOUT_CONTROLLERS.configure(
                "PodSecurity", "{\"exemptions\":{\"namespaces\":[\"free\"],\"runtimeClasses\":[\"vm\"]}}"));
    }

    private Reply namespace(String name, String labels) {
        return requests.post(NAMESPACES, "{'metadata':{'name':'" + name + "','labels':{" + labels + "}}}");
    }

    private Reply label(String name, String labels) {
        return requests.send("PATCH", NAMESPACES + "/" + name, MERGE, "{'metadata':{'labels':{" + labels + "}}}");
    }

    private static String label(String mode, boolean version, String value) {
        return "'" + PREFIX + mode + (version ? "-version" : "") + "':'" + value + "'";
    }

    private Reply pod(String namespace, String name, String spec) {
        return requests.post(
                NAMESPACES + "/" + namespace + "/pods",
                "{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i'}]" + spec + "}}");
    }

    @Test
    void enforcedLevel_rejectsPods() {
        namespace("s", label("enforce", false, "baseline") + "," + label("enforce", true, "v1.24"))
                .ok();
        Reply refused = pod("s", "p", ",'hostNetwork':true");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("pods \"p\" is forbidden: violates PodSecurity \"baseline:v1.24\": host namespaces"
                        + " (hostNetwork=true)");
        assertThat(pod("s", "p", "").ok().warnings()).isEmpty();
    }

    @Test
    void warnedLevel_isTheEnforcedOne_unlessALabelStatesAnother() {
        namespace("s", label("enforce", false, "restricted")).ok();
        String deployment =
                "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
        assertThat(requests.post("/apis/apps/v1/namespaces/s/deployments", deployment)
                        .ok()
                        .warnings())
                .anyMatch(warning -> warning.contains("would violate PodSecurity")
                        && warning.replace("\\\"", "\"").contains("\"restricted:latest\": " + RESTRICTED));
        label("s", label("warn", false, "privileged")).ok();
        assertThat(requests.post("/apis/apps/v1/namespaces/s/deployments", deployment.replace("'d'", "'e'"))
                        .ok()
                        .warnings())
                .isEmpty();
    }

    @Test
    void warnings_doNotReject_andAuditHasNoEffect() {
        namespace("s", label("warn", false, "restricted") + "," + label("audit", false, "restricted"))
                .ok();
        assertThat(pod("s", "p", "").ok().warnings())
                .anyMatch(warning -> warning.replace("\\\"", "\"").contains("\"restricted:latest\": " + RESTRICTED));
    }

    @Test
    void invalidLabels_areRejected_whenTheyAreNew() {
        Reply invalid = namespace(
                "s",
                label("audit", false, "x") + "," + label("warn", true, "1.2") + "," + label("enforce", false, "bad"));
        assertThat(invalid.code()).isEqualTo(422);
        assertThat(invalid.message())
                .isEqualTo("Namespace \"s\" is invalid: [metadata.labels[" + PREFIX
                        + "enforce]: Invalid value: \"bad\": must be one of privileged, baseline, restricted,"
                        + " metadata.labels[" + PREFIX
                        + "audit]: Invalid value: \"x\": must be one of privileged, baseline, restricted,"
                        + " metadata.labels[" + PREFIX
                        + "warn-version]: Invalid value: \"1.2\": must be \"latest\" or \"v1.x\"]");
    }

    @Test
    void stricterLevel_warnsOfTheExistingPods() {
        namespace("s", "").ok();
        pod("s", "b", "").ok();
        pod("s", "a", "").ok();
        pod("s", "h", ",'hostPID':true").ok();
        pod("s", "v", ",'runtimeClassName':'vm'");
        assertThat(label("s", label("enforce", false, "restricted")).ok().warnings())
                .extracting(warning -> warning.replace("\\\"", "\"").replaceFirst("^299 - \"(.*)\"$", "$1"))
                .containsExactly(
                        "existing pods in namespace \"s\" violate the new PodSecurity enforce level \"restricted:"
                                + "latest\"",
                        "a (and 1 other pod): allowPrivilegeEscalation != false, unrestricted capabilities, "
                                + "runAsNonRoot"
                                + " != true, seccompProfile",
                        "h: host namespaces, allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot"
                                + " != true, seccompProfile");
        assertThat(label("s", label("enforce", false, "baseline")).ok().warnings())
                .isEmpty();
    }

    @Test
    void updatedPod_isCheckedIfItsImagesChange() {
        namespace("s", "").ok();
        pod("s", "p", "").ok();
        label("s", label("enforce", false, "restricted")).ok();
        String path = NAMESPACES + "/s/pods/p";
        requests.send("PATCH", path, MERGE, "{'metadata':{'labels':{'x':'y'}}}").ok();
        requests.send("PATCH", path + "/status", MERGE, "{'status':{'phase':'Running'}}")
                .ok();
        assertThat(requests.send("PATCH", path, MERGE, "{'spec':{'containers':[{'name':'c','image':'other'}]}}")
                        .message())
                .isEqualTo("pods \"p\" is forbidden: violates PodSecurity \"restricted:latest\": " + RESTRICTED);
    }

    @Test
    void exemptions_areNotChecked() {
        assertThat(namespace("free", label("enforce", false, "restricted")).ok().warnings())
                .anyMatch(warning -> warning.replace("\\\"", "\"")
                        .contains("namespace \"free\" is exempt from Pod Security, and the policy"
                                + " (enforce=restricted:latest) will be ignored"));
        pod("free", "p", ",'hostNetwork':true").ok();
    }

    @Test
    void configuration_isChecked() {
        assertThat(catchThrowable(() -> AdmissionSelection.STANDARD.configure(
                        "PodSecurity", "{\"defaults\":{\"enforce\":\"strict\"}}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be one of privileged, baseline, restricted");
        assertThat(catchThrowable(() -> AdmissionSelection.STANDARD.configure("LimitRanger", "{}")))
                .hasMessage("the admission plugin \"LimitRanger\" has no configuration here");
        assertThat(catchThrowable(() -> AdmissionSelection.STANDARD.configure("PodSecurity", "{")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
