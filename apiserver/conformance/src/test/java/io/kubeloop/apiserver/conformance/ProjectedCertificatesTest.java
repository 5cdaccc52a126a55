/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes with certificates and trust bundles, as kube-apiserver 1.37.2 refuses and stores them. */
class ProjectedCertificatesTest extends ServerFixture {

    private static final String ACCEPTED = "'clusterTrustBundle':{'path':'a','signerName':'example.com/s'}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'clusterTrustBundle':{'path':'a'} | Required | P.sources[0].clusterTrustBundle",
                "'clusterTrustBundle':{'path':'a','name':'n','signerName':'example.com/s'} | Invalid | P.sources["
                        + "0].clusterTrustBundle",
                "'clusterTrustBundle':{'path':'','name':''} | Required Invalid Required | P.sources["
                        + "0].clusterTrustBundle.name P.sources[0].clusterTrustBundle.name P.sources["
                        + "0].clusterTrustBundle.path",
                "'clusterTrustBundle':{'path':'../a','name':'example.com:s:N'} | Invalid Invalid | P.sources["
                        + "0].clusterTrustBundle.name P.sources[0].clusterTrustBundle.path",
                "'clusterTrustBundle':{'path':'a','name':'n','labelSelector':{}} | Invalid | P.sources["
                        + "0].clusterTrustBundle.labelSelector",
                "'clusterTrustBundle':{'path':'a','signerName':'s','labelSelector':{'matchLabels':{'-':'b'}}} | "
                        + "Invalid Invalid | P.sources[0].clusterTrustBundle.signerName P.sources["
                        + "0].clusterTrustBundle.labelSelector.matchLabels",
                "'clusterTrustBundle':{'path':'a','name':'n'}},{'clusterTrustBundle':{'path':'a','name':'n'} | "
                        + "Invalid | P",
                "'podCertificate':{'signerName':'example.com/s','keyType':'RSA'} | NotSupported Required | P.sources["
                        + "0].podCertificate.keyType P.sources[0].podCertificate",
                "'podCertificate':{'signerName':'','keyType':'ED25519','keyPath':'a','certificateChainPath':'a'} | "
                        + "Required Invalid | P.sources[0].podCertificate.signerName P",
                "'podCertificate':{'signerName':'example.com/s','keyType':'ED25519','keyPath':'/a',"
                        + "'maxExpirationSeconds':1} | Invalid Invalid | P.sources["
                        + "0].podCertificate.maxExpirationSeconds P.sources[0].podCertificate.keyPath",
                "'podCertificate':{'signerName':'kubernetes.io/s','keyType':'ED25519','keyPath':'a',"
                        + "'maxExpirationSeconds':86401,'userAnnotations':{'a':'b'}} | Invalid Invalid | P.sources["
                        + "0].podCertificate.userAnnotations P.sources[0].podCertificate.maxExpirationSeconds",
            })
    void volume_thatCannotBe_isRefused(String source, String reasons, String fields) {
        Reply refused = requests.post(PODS, pod(source));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().array("details", "causes").objects())
                .extracting(cause -> cause.string("reason").substring("FieldValue".length()))
                .containsExactly(reasons.split(" ", -1));
        assertThat(refused.body().array("details", "causes").objects())
                .extracting(cause -> cause.string("field"))
                .containsExactly(fields.replaceAll("\\bP\\b", "spec.volumes[0].projected")
                        .split(" ", -1));
    }

    @Test
    void fieldOfADisabledGate_isDropped() {
        JsonObject stored = requests.post(PODS, pod(ACCEPTED).replace("'projected':{", "'projected':{'defaultUser':1,"))
                .ok()
                .body();
        JsonObject volume =
                stored.array("spec", "volumes").objects().findFirst().orElseThrow();
        assertThat(volume.object("projected").has("defaultUser")).isFalse();
        assertThat(volume.array("projected", "sources").objects()).hasSize(1);
    }

    private static String pod(String source) {
        return "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
                + "'volumes':[{'name':'v','projected':{'sources':[{" + source + "}]}}]}}";
    }
}
