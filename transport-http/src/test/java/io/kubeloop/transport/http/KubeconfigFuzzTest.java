/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kubeloop.transport.http.kubeconfig.ConfigResolver;
import io.kubeloop.transport.http.kubeconfig.KubeconfigReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads random text as a kubeconfig: the result is a configuration or a {@link KubeconfigException} that names the
 * file. The inputs that fuzzing has found are beside this class; KeptInputsTest runs them with every build.
 */
class KubeconfigFuzzTest {

    private static final Path FILE = Path.of("/nowhere/config");

    @FuzzTest(maxDuration = "5m")
    void read_anyText_yieldsAConfigurationOrAKubeconfigException(byte[] text) {
        Kubeconfig config;
        try {
            config = KubeconfigReader.read(FILE, new String(text, StandardCharsets.UTF_8));
        } catch (KubeconfigException e) {
            assertThat(e).hasMessageStartingWith("kubeconfig ");
            return;
        }
        try {
            ClientConfig settings = new ConfigResolver(config, ConfigOverrides.NONE).clientConfig();
            assertThat(settings.namespace()).isNotEmpty();
        } catch (KubeconfigException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
