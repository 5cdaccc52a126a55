/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.transport.http.AuthConfigBuilder;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ClientConfigBuilder;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.Kubeconfigs;
import io.kubeloop.transport.http.TlsConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The precedence of several credentials. */
class CredentialChoiceTest {

    private static final ExecConfig PLUGIN = new ExecConfig(
            "client.authentication.k8s.io/v1", "/no/such/plugin", List.of(), List.of(), "", false, "Never");

    private static final Scheduler TIME = new ManualScheduler();

    @TempDir
    Path directory;

    private static CredentialSource source(AuthConfigBuilder auth, TlsConfigBuilder tls) {
        ClientConfig config = ClientConfigBuilder.builder()
                .server("https://h")
                .auth(auth.exec(PLUGIN).build())
                .tls(tls.build())
                .build();
        return Credentials.of(config, (certificate, key) -> {}, Duration.ofSeconds(1), TIME);
    }

    @Test
    void plugin_besideATokenAPasswordOrACertificate_isNotAsked_AU12() {
        assertThat(source(AuthConfigBuilder.builder().token("t"), TlsConfigBuilder.builder())
                        .authorization())
                .isEqualTo("Bearer t");
        assertThat(source(AuthConfigBuilder.builder().username("u").password("p"), TlsConfigBuilder.builder())
                        .authorization())
                .startsWith("Basic ");
        assertThat(source(
                                AuthConfigBuilder.builder(),
                                TlsConfigBuilder.builder().certData("C").keyData("K"))
                        .authorization())
                .isNull();
    }

    @Test
    void plugin_ofV1_mustSayWhetherItMayAskThePerson_AU14() throws IOException {
        String config = """
                {"current-context": "x",
                 "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
                 "clusters": [{"name": "c", "cluster": {"server": "https://h"}}],
                 "users": [{"name": "u", "user": {"exec": {
                     "command": "p", "apiVersion": "client.authentication.k8s.io/%s"}}}]}
                """;
        Path v1 = Files.writeString(directory.resolve("v1"), config.formatted("v1"));
        Path v1beta1 = Files.writeString(directory.resolve("v1beta1"), config.formatted("v1beta1"));

        assertThatThrownBy(() -> Kubeconfigs.load(v1))
                .hasMessageContaining("an exec plugin of version v1 without interactiveMode");
        assertThat(Kubeconfigs.load(v1beta1).auth().exec()).isNotNull();
    }

    @Test
    void settingsThatTheContextDoesNotUse_mayBeWrong_CC61() throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
                {"current-context": "x",
                 "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}},
                              {"name": "y", "context": {"cluster": "none", "user": "none"}}],
                 "clusters": [{"name": "c", "cluster": {"server": "https://h"}},
                              {"name": "d", "cluster": {}}],
                 "users": [{"name": "u", "user": {"token": "t"}},
                           {"name": "v", "user": {"exec": {}}}]}
                """);

        assertThat(Kubeconfigs.load(file).auth().token()).isEqualTo("t");
    }
}
