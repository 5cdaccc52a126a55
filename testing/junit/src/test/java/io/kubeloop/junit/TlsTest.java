/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.transport.http.KubeClients;
import io.kubeloop.transport.http.Kubeconfigs;
import java.net.URI;
import org.junit.jupiter.api.Test;

@KubeloopTest(tls = true, nodes = 0)
class TlsTest {

    /** The client accepts the certificate because the kubeconfig has its authority, and checks the address in it. */
    @Test
    void kubeconfig_hasTheAuthority(URI uri, TestKubeconfig kubeconfig) {
        assertThat(uri.getScheme()).isEqualTo("https");
        try (KubeClient client = KubeClients.of(Kubeconfigs.load(kubeconfig.file()))) {
            assertThat(client.resource(ResourceTypes.NAMESPACES).get(new ObjectName("", "default")))
                    .isNotNull();
        }
    }
}
