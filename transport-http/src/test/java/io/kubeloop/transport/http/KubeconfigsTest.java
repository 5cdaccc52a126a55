/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.testing.CapturedLog;
import io.kubeloop.transport.http.credentials.ExecCredential;
import io.kubeloop.transport.http.kubeconfig.ConfigResolver;
import io.kubeloop.transport.http.kubeconfig.InClusterConfig;
import io.kubeloop.transport.http.kubeconfig.KubeconfigLoader;
import io.kubeloop.transport.http.kubeconfig.KubeconfigReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases outside of the vectors: the places of files, pods, flags, and messages. */
@Isolated("reads standard error")
class KubeconfigsTest {

    private static final String WHOLE = """
            current-context: x
            clusters: [{name: c, cluster: {server: "https://h:6443", tls-server-name: api, certificate-authority-data: \
            Q0E=}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u, namespace: shop}}]
            """;

    @TempDir
    Path directory;

    private Path write(String name, String content) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private InClusterConfig pod(Map<String, String> environment) {
        return new InClusterConfig(environment, directory.resolve("serviceaccount"));
    }

    private static KubeconfigLoader environment(String kubeconfig, Path home) {
        return KubeconfigLoader.ofEnvironment(Map.of("KUBECONFIG", kubeconfig), home.toString());
    }

    @Test
    void load_environmentWithoutKubeconfig_readsTheHomeDirectory() throws IOException {
        // CC-01
        write(".kube/config", WHOLE);

        assertThat(KubeconfigLoader.ofEnvironment(Map.of(), directory.toString())
                        .load()
                        .currentContext())
                .isEqualTo("x");
    }

    @Test
    void load_listOfFiles_mergesAndSkipsWhatIsMissing() throws IOException {
        // CC-01, CC-02, CC-03
        Path first = write("a", "current-context: x\n");
        Path second = write("b", WHOLE.replace("current-context: x", "current-context: other"));
        String list = String.join(File.pathSeparator, first.toString(), "/not/there", "", second.toString());

        Kubeconfig merged = environment(list, directory).load();

        assertThat(merged.currentContext()).isEqualTo("x");
        assertThat(merged.clusters()).containsOnlyKeys("c");
    }

    @Test
    void load_severalBadFiles_namesThemAll() throws IOException {
        // CC-02
        Path first = write("a", "clusters: 1\n");
        Path second = write("b", "users: [{name: u, user: {token: 5}}]");
        String list = first + File.pathSeparator + directory + File.pathSeparator + second;

        assertThatThrownBy(() -> environment(list, directory).load())
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("kubeconfig " + first + ": clusters must be a list; cannot read kubeconfig " + directory
                        + ": it is a directory; kubeconfig " + second
                        + ": users[0].user.token must be a string (in quotes, if it looks like something else)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "users: [{name: u, user: {token: a, token: b}}]",
                "users: [{name: u, user: {username: a}, user: {token: b}}]",
                "users: [{name: other}]\nusers: [{name: u, user: {token: b}}]",
                "{\"users\":[{\"name\":\"u\",\"user\":{\"token\":\"a\",\"token\":\"b\"}}]}"
            })
    void load_keyThatIsThereTwice_theLastOneCounts(String content) throws IOException {
        Kubeconfig config = KubeconfigReader.read(write("config", content));

        assertThat(config.users()).containsOnlyKeys("u");
        assertThat(config.users().get("u"))
                .isEqualTo(KubeconfigUserBuilder.builder().token("b").build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "users: [{name: u, user: {client-key-data: '*secret*'}}] | users[0].user.client-key-data must be "
                        + "base64",
                "clusters: [{name: c, cluster: {insecure-skip-tls-verify: 'true'}}] | "
                        + "clusters[0].cluster.insecure-skip-tls-verify must be true or false",
                "contexts: [{name: x, context: secret}] | contexts[0].context must be a map",
                "users: [{name: u, user: {as-groups: [a, 1]}}] | users[0].user.as-groups must be a list of strings",
                "users: [{name: u}, {name: u}] | users has two entries with the name \"u\"",
                "users: [{name: u, user: {exec: {env: [{name: A, value: 1}]}}}] | users[0].user.exec.env.value must "
                        + "be a string",
                "clusters: [{name: c, cluster: {certificate-authority-data: Q0E}}] | "
                        + "clusters[0].cluster.certificate-authority-data must be base64",
                "apiVersion: v2 | expected a v1 Config, got kind \"\" of \"v2\"",
                "just text | the document must be a map",
                "token: \"secret | line 1",
            })
    void load_badFile_saysWhatIsWrongAndQuotesNoSecret(String content, String message) throws IOException {
        // CC-04
        Path file = write("config", content);

        assertThatThrownBy(() -> Kubeconfigs.load(file))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("kubeconfig " + file)
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret");
    }

    @Test
    void load_explicitFileMissing_saysSo() {
        // CC-01
        assertThatThrownBy(() -> Kubeconfigs.load(directory.resolve("none")))
                .hasMessage("cannot read kubeconfig " + directory.resolve("none") + ": no such file");
    }

    @Test
    void load_incompleteUser_listsEveryProblem() throws IOException {
        // CC-60
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {proxy-url: "ftp://p", certificate-authority: ca.pem}}]
                users: [{name: u, user: {token: t, username: admin, exec: {}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        assertThatThrownBy(() -> Kubeconfigs.load(file))
                .hasMessageContaining("user \"u\" has an exec plugin without command")
                .hasMessageContaining(
                        "user \"u\" has more than one way to authenticate: token and basic authentication")
                .hasMessageContaining("cluster \"c\" has no server")
                .hasMessageContaining("the scheme must be http, https or socks5")
                .hasMessageContaining(
                        "cannot read certificate-authority " + directory.resolve("ca.pem") + ": no such file");
    }

    @Test
    void load_contextOfAUserThatIsNotThere_isAnonymousAndSaysSo() throws IOException {
        // CC-20
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: me, user: {token: secret}}]
                contexts: [{name: x, context: {cluster: c, user: mee}}]
                """);

        try (CapturedLog log = new CapturedLog()) {
            assertThat(Kubeconfigs.load(file).auth()).isEqualTo(AuthConfig.NONE);

            assertThat(log.text())
                    .contains("the context \"x\" names the user \"mee\", which the kubeconfig does not have, only [me]")
                    .doesNotContain("secret");
        }
    }

    @Test
    void load_credentialsForAPlainServer_areNotSentAndNamedOnce() throws IOException {
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "http://h"}}]
                users: [{name: me, user: {token: secret, client-certificate-data: YQ==, client-key-data: YQ==}}]
                contexts: [{name: x, context: {cluster: c, user: me}}]
                """);

        try (CapturedLog log = new CapturedLog()) {
            assertThat(Kubeconfigs.load(file).auth()).isEqualTo(AuthConfig.NONE);

            assertThat(log.text())
                    .containsOnlyOnce(
                            "the credentials of the user \"me\" are not sent to the cluster \"c\", whose server"
                                    + " is not https: client certificate, token")
                    .doesNotContain("secret");
        }
    }

    @Test
    void load_overriddenServer_dropsTheFilesServerName() throws IOException {
        // CC-21
        ClientConfig config = Kubeconfigs.load(write("config", WHOLE), ConfigOverrides.ofServer("https://other"));

        assertThat(config.server()).isEqualTo("https://other");
        assertThat(config.tls().serverName()).isEmpty();
        assertThat(config.tls().caData()).isEqualTo("CA");
        assertThat(config.auth().token()).isEqualTo("t");
        assertThat(config.namespace()).isEqualTo("shop");
    }

    @Test
    void load_overrides_winFieldByField() throws IOException {
        // CC-09, CC-22
        ConfigOverrides overrides = ConfigOverridesBuilder.builder()
                .cluster(KubeconfigClusterBuilder.builder()
                        .certificateAuthorityData("OTHER")
                        .build())
                .user(KubeconfigUserBuilder.builder()
                        .token("t2")
                        .impersonation(new Impersonation("jane", "", java.util.List.of(), Map.of()))
                        .build())
                .timeout("1m30s")
                .build();

        ClientConfig config = Kubeconfigs.load(write("config", WHOLE), overrides);

        assertThat(config.tls().caData()).isEqualTo("OTHER");
        assertThat(config.auth().token()).isEqualTo("t2");
        assertThat(config.auth().impersonation().user()).isEqualTo("jane");
        assertThat(config.timeouts().call()).hasSeconds(90);
    }

    @Test
    void load_overriddenImpersonation_replacesListsAndMergesExtraKeyByKey() throws IOException {
        // CC-09, CC-22
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: u, user: {token: t, as: jane, as-uid: u1, as-groups: [a, b],
                  as-user-extra: {kept: ["1", "2"], replaced: [old, older]}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        AuthConfig auth = Kubeconfigs.load(
                        file,
                        overrides(new Impersonation(
                                "joe", "", List.of("c"), Map.of("replaced", List.of("new"), "added", List.of("3")))))
                .auth();

        assertThat(auth.token()).isEqualTo("t");
        assertThat(auth.impersonation())
                .isEqualTo(new Impersonation(
                        "joe",
                        "u1",
                        List.of("c"),
                        Map.of("kept", List.of("1", "2"), "replaced", List.of("new"), "added", List.of("3"))));
    }

    @Test
    void load_impersonationThatIsNotOverridden_stays() throws IOException {
        // CC-09
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: u, user: {as: jane, as-uid: u1, as-groups: [a], as-user-extra: {k: [v]}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        assertThat(Kubeconfigs.load(file, overrides(Impersonation.NONE)).auth().impersonation())
                .isEqualTo(new Impersonation("jane", "u1", List.of("a"), Map.of("k", List.of("v"))));
    }

    private static ConfigOverrides overrides(Impersonation as) {
        return ConfigOverridesBuilder.builder()
                .user(KubeconfigUserBuilder.builder().impersonation(as).build())
                .build();
    }

    @Test
    void fromFlags_masterAlone_needsNoFile() {
        // CC-43
        ClientConfig config = Kubeconfigs.fromFlags("http://127.0.0.1:8080", "");

        assertThat(config.server()).isEqualTo("http://127.0.0.1:8080");
        assertThat(config.namespace()).isEqualTo("default");
    }

    @Test
    void fromFlags_masterAndFile_takesUserAndAuthorityFromTheFile() throws IOException {
        // CC-43
        ClientConfig config =
                Kubeconfigs.fromFlags("https://m", write("config", WHOLE).toString());

        assertThat(config.server()).isEqualTo("https://m");
        assertThat(config.auth().token()).isEqualTo("t");
    }

    @Test
    void inCluster_pod_readsTheServiceAccount() throws IOException {
        // CC-40
        write("serviceaccount/token", "t");
        write("serviceaccount/ca.crt", "CA");
        write("serviceaccount/namespace", "shop\n");
        Map<String, String> environment =
                Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");

        ClientConfig config = pod(environment).load();

        assertThat(config.server()).isEqualTo("https://[fd00::1]:443");
        assertThat(config.tls().caFile())
                .isEqualTo(directory.resolve("serviceaccount/ca.crt").toString());
        assertThat(config.auth().tokenFile())
                .isEqualTo(directory.resolve("serviceaccount/token").toString());
        assertThat(config.namespace()).isEqualTo("shop");
    }

    @Test
    void inCluster_noPod_saysWhatIsMissing() {
        // CC-40
        assertThatThrownBy(() -> pod(Map.of()).load()).hasMessageContaining("KUBERNETES_SERVICE_HOST");
        assertThatThrownBy(() -> pod(Map.of("KUBERNETES_SERVICE_HOST", "h", "KUBERNETES_SERVICE_PORT", "1"))
                        .load())
                .hasMessageContaining("cannot read the service account's token");
    }

    @Test
    void resolve_nothingConfigured_fallsBackToThePod() throws IOException {
        // CC-41
        write("serviceaccount/token", "t");
        InClusterConfig pod = pod(Map.of("KUBERNETES_SERVICE_HOST", "h", "KUBERNETES_SERVICE_PORT", "1"));

        assertThat(Kubeconfigs.resolve(KubeconfigLoader.ofFiles(List.of()), ConfigOverrides.NONE, pod)
                        .server())
                .isEqualTo("https://h:1");
        assertThatThrownBy(() ->
                        Kubeconfigs.resolve(KubeconfigLoader.ofFiles(List.of()), ConfigOverrides.NONE, pod(Map.of())))
                .isInstanceOfSatisfying(
                        KubeconfigException.class, e -> assertThat(e.isEmpty()).isTrue())
                .hasMessageStartingWith("no API server is configured");
    }

    /** The message names the files that were looked for, and no flag: the caller may be a program without flags. */
    @Test
    void load_nothingConfigured_namesTheFiles() throws IOException {
        Path home = directory.resolve("home");
        Path missing = home.resolve(".kube").resolve("config");
        Path empty = write("empty", "apiVersion: v1\nkind: Config\n");

        assertThat(messageOfDefault(Map.of("HOME", home.toString())))
                .isEqualTo("no API server is configured: there is no file " + missing);
        assertThat(messageOfDefault(
                        Map.of("HOME", home.toString(), "KUBECONFIG", missing + File.pathSeparator + empty)))
                .isEqualTo("no API server is configured: there is no file " + missing + ", and " + empty
                        + " has no current context");
        assertThatThrownBy(() -> Kubeconfigs.load(empty))
                .hasMessage("no API server is configured: " + empty + " has no current context");
        assertThatThrownBy(() -> Kubeconfigs.load(missing))
                .hasMessageStartingWith("cannot read kubeconfig " + missing + ": ");
    }

    private String messageOfDefault(Map<String, String> environment) {
        Throwable thrown = catchThrowable(() -> Kubeconfigs.load(environment, ConfigOverrides.NONE, pod(Map.of())));
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void load_podWithOverrides_takesServerTokenAndAuthorityFromThem() throws IOException {
        // CC-42
        write("serviceaccount/token", "t");
        write("serviceaccount/ca.crt", "CA");
        InClusterConfig pod = pod(
                Map.of("KUBERNETES_SERVICE_HOST", "h", "KUBERNETES_SERVICE_PORT", "1", "POD_NAMESPACE", "from-pod"));
        ConfigOverrides overrides = ConfigOverridesBuilder.builder()
                .cluster(KubeconfigClusterBuilder.builder()
                        .certificateAuthority("/other-ca")
                        .build())
                .user(KubeconfigUserBuilder.builder().token("other").build())
                .build();

        ClientConfig config = pod.load(overrides);

        assertThat(pod.load(ConfigOverrides.NONE)).isEqualTo(pod.load());
        assertThat(config.server()).isEqualTo("https://h:1");
        assertThat(config.tls().caFile()).isEqualTo("/other-ca");
        assertThat(config.auth().token()).isEqualTo("other");
        assertThat(config.auth().tokenFile()).isEmpty();
        assertThat(config.namespace()).isEqualTo("from-pod");
        assertThat(pod.load(ConfigOverrides.ofServer("https://other")).server()).isEqualTo("https://other");
    }

    @Test
    void load_clusterWithSettingsForExecPlugins_handsThemOver() throws IOException {
        // AU-10
        Path file = write("config", """
                current-context: x
                clusters:
                - name: c
                  cluster:
                    server: "https://h"
                    extensions:
                    - {name: other, extension: {a: 1}}
                    - {name: client.authentication.k8s.io/exec, extension: {audience: me, depth: [1]}}
                users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: p,
                  interactiveMode: Never, provideClusterInfo: true}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        ClientConfig config = Kubeconfigs.load(file);

        assertThat(ExecCredential.request(config.auth().exec(), config))
                .isEqualTo("{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\","
                        + "\"spec\":{\"interactive\":false,\"cluster\":{\"server\":\"https://h\","
                        + "\"config\":{\"audience\":\"me\",\"depth\":[1]}}}}");
    }

    @ParameterizedTest
    @CsvSource({"'',0", "0,0", "30,30000", "+5,5000", "1m,60000", "1h1m1.5s,3661500", "-1s,-1000", "0s,0"})
    void timeout_isInSecondsOrADuration(String text, long millis) {
        assertThat(ConfigResolver.timeout(text)).hasMillis(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9223372037", "99999999999999999999"})
    void timeout_notANumberOfSecondsThatFits_isRefused(String text) {
        assertThatThrownBy(() -> ConfigResolver.timeout(text)).isInstanceOf(KubeconfigException.class);
    }

    @Test
    void load_keyWithoutCertificate_isNotUsed() throws IOException {
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h", proxy-url: "HTTP://p:1"}}]
                users: [{name: u, user: {token: t, client-key-data: Sw==}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        assertThat(Kubeconfigs.load(file).tls().keyData()).isEmpty();
    }

    @Test
    void load_listWithNothingInIt_hasAnEmptyText() throws IOException {
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: u, user: {as: jane, as-groups: [a, null], as-user-extra: {k: [~]}, exec: {command: x, \
                apiVersion: v, args: [-a, ~]}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        AuthConfig auth = Kubeconfigs.load(file).auth();

        assertThat(auth.impersonation().groups()).containsExactly("a", "");
        assertThat(auth.impersonation().extra()).containsEntry("k", List.of(""));
        assertThat(auth.exec().args()).containsExactly("-a", "");
    }

    @Test
    void load_installHintThatSteersTheTerminal_isShownByNumbers() throws IOException {
        Path file = write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: u, user: {exec: {command: x, apiVersion: v, installHint: "\\e[1mget\\tit\\u202e"}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);

        assertThat(Kubeconfigs.load(file).auth().exec().installHint()).isEqualTo("U+001B[1mget\titU+202E");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h", "h", "h:6443", "http://h/p?x"})
    void load_serverThatIsNoHttpsUrl_getsNoToken(String server) throws IOException {
        assertThat(Kubeconfigs.load(withServer(server)).auth().token()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "foo bar, 'it is not a URL with http or https, nor host:port'",
        "://x, 'it is not a URL with http or https, nor host:port'",
        "ftp://x, its scheme must be http or https",
        "https://h?x=y, it must not have a query",
        "https://h#x, it must not have a fragment",
        "https://h:port, 'it is not a URL with http or https, nor host:port'",
        "h:6443/p, with a path it needs http:// or https://",
    })
    void load_serverThatIsNoAddress_isRefusedAndSaysWhereItStands(String server, String why) throws IOException {
        // RC-03
        Path file = withServer(server);
        String shown = server.replaceFirst("[?#].*", "");

        assertThatThrownBy(() -> Kubeconfigs.load(file))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("cluster \"c\" of " + file + " cannot be used: the server \"" + shown + "\": " + why);
        assertThatThrownBy(() -> Kubeconfigs.fromFlags(server, ""))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("the server of the overrides cannot be used: the server \"" + shown + "\": " + why);
    }

    @Test
    void load_serverWithAUser_isRefusedWithoutTheSecret() throws IOException {
        // RC-03
        Path file = withServer("https://me:secret@h");

        assertThatThrownBy(() -> Kubeconfigs.load(file))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("the server \"https://***@h\": it must not hold a user")
                .hasMessageNotContaining("secret");
    }

    private Path withServer(String server) throws IOException {
        return write("config", """
                current-context: x
                clusters: [{name: c, cluster: {server: "%s"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """.formatted(server));
    }

    @Test
    void namespace_overriddenClusterThatIsNotThere_isAnError() {
        ConfigOverrides overrides = new ConfigOverrides(
                "",
                new Kubeconfig.Context("none", "", ""),
                KubeconfigClusterBuilder.builder().server("https://other").build(),
                Kubeconfig.User.EMPTY,
                "");

        assertThatThrownBy(() -> new ConfigResolver(Kubeconfig.EMPTY, overrides).namespace())
                .isInstanceOf(KubeconfigException.class);
    }

    @Test
    void timeout_somethingElse_isRefused() {
        assertThatThrownBy(() -> ConfigResolver.timeout("soon"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("the timeout must be whole seconds or a duration:"
                        + " 'soon' is not a duration such as 15s, 1m30s or 250ms");
    }
}
