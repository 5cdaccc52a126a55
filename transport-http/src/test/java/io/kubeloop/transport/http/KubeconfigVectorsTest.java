/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.testing.Vectors;
import io.kubeloop.transport.http.kubeconfig.ConfigResolver;
import io.kubeloop.transport.http.kubeconfig.KubeconfigLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Loading, merging and resolving, compared with upstream. Error texts are Kubeloop's own. */
class KubeconfigVectorsTest {

    @TempDir
    Path temporary;

    @TestFactory
    Stream<DynamicTest> kubeconfig_vectors_match() {
        // CC-01, CC-02, CC-03, CC-04, CC-05, CC-06, CC-20, CC-21, CC-22, CC-23, CC-24, CC-25, CC-26, CC-28, CC-60,
        // CC-61, AU-01
        return Vectors.tests(getClass(), "kubeconfig", this::check);
    }

    private void check(Vectors.Case vector) throws Exception {
        Path root = Files.createTempDirectory(temporary, "case");
        for (Map.Entry<String, Object> file : map(vector.input().get("files")).entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, ((String) file.getValue()).replace("$ROOT", root.toString()));
        }
        KubeconfigLoader loader = loader(vector.input(), root);
        if (vector.expected().containsKey("loadError")) {
            assertThatThrownBy(loader::load).isInstanceOf(KubeconfigException.class);
            return;
        }
        Kubeconfig merged = loader.load();
        assertThat(names(merged)).isEqualTo(vector.expected().get("merged"));
        ConfigResolver resolver =
                new ConfigResolver(merged, overrides(map(vector.input().get("overrides"))));
        if (vector.expected().containsKey("namespaceError")) {
            assertThatThrownBy(resolver::namespace).isInstanceOf(KubeconfigException.class);
        } else {
            Map<String, Object> namespace = map(vector.expected().get("namespace"));
            assertThat(resolver.namespace().name()).isEqualTo(namespace.get("value"));
            assertThat(resolver.namespace().overridden()).isEqualTo(namespace.get("overridden"));
        }
        if (vector.expected().containsKey("error")) {
            assertThatThrownBy(resolver::clientConfig).isInstanceOf(KubeconfigException.class);
        } else {
            assertThat(plain(settings(resolver.clientConfig(), root)))
                    .isEqualTo(plain(vector.expected().get("restConfig")));
        }
    }

    private static KubeconfigLoader loader(Map<String, Object> input, Path root) {
        String explicit = (String) input.get("explicitPath");
        if (explicit != null) {
            return KubeconfigLoader.ofFile(root.resolve(explicit));
        }
        List<String> files = new ArrayList<>();
        for (Object name : (List<?>) input.get("precedence")) {
            files.add(name.equals("") ? "" : root.resolve((String) name).toString());
        }
        return KubeconfigLoader.ofFiles(files);
    }

    private static ConfigOverrides overrides(Map<String, Object> input) {
        return new ConfigOverrides(
                text(input, "currentContext"),
                new Kubeconfig.Context(text(input, "cluster"), text(input, "user"), text(input, "namespace")),
                KubeconfigClusterBuilder.builder()
                        .server(text(input, "server"))
                        .insecureSkipTlsVerify(Boolean.TRUE.equals(input.get("insecureSkipTLSVerify")))
                        .build(),
                Kubeconfig.User.EMPTY,
                text(input, "timeout"));
    }

    private static Map<String, Object> names(Kubeconfig config) {
        return Map.of(
                "clusters", List.copyOf(new TreeSet<>(config.clusters().keySet())),
                "contexts", List.copyOf(new TreeSet<>(config.contexts().keySet())),
                "currentContext", config.currentContext(),
                "users", List.copyOf(new TreeSet<>(config.users().keySet())));
    }

    /** Returns a configuration in the form of the vectors: only non-empty settings. */
    private static Map<String, Object> settings(ClientConfig config, Path root) {
        Map<String, Object> out = new LinkedHashMap<>();
        TlsConfig tls = config.tls();
        AuthConfig auth = config.auth();
        put(out, "host", config.server());
        put(out, "bearerToken", auth.token());
        put(out, "bearerTokenFile", auth.tokenFile().replace(root.toString(), "$ROOT"));
        put(out, "username", auth.username());
        put(out, "password", auth.password());
        put(out, "caFile", tls.caFile().replace(root.toString(), "$ROOT"));
        put(out, "caData", base64(tls.caData()));
        put(out, "certFile", tls.certFile().replace(root.toString(), "$ROOT"));
        put(out, "certData", base64(tls.certData()));
        put(out, "keyFile", tls.keyFile().replace(root.toString(), "$ROOT"));
        put(out, "keyData", base64(tls.keyData()));
        put(out, "serverName", tls.serverName());
        put(out, "proxyURL", config.proxyUrl());
        if (tls.insecure()) {
            out.put("insecure", true);
        }
        if (!config.timeouts().equals(Timeouts.DEFAULT)) {
            out.put("timeoutNanos", Long.toString(config.timeouts().call().toNanos()));
        }
        Impersonation as = auth.impersonation();
        if (!as.equals(Impersonation.NONE)) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("user", as.user());
            shown.put("groups", as.groups());
            shown.put("extra", as.extra());
            out.put("impersonate", shown);
        }
        AuthProvider provider = auth.authProvider();
        if (provider != null) {
            out.put("authProvider", Map.of("name", provider.name(), "config", provider.config()));
        }
        ExecConfig exec = auth.exec();
        if (exec != null) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("apiVersion", exec.apiVersion());
            shown.put("command", exec.command().replace(root.toString(), "$ROOT"));
            shown.put("args", exec.args().isEmpty() ? null : exec.args());
            shown.put(
                    "env",
                    exec.env().stream()
                            .map(variable -> Map.of("name", variable.name(), "value", variable.value()))
                            .toList());
            shown.put("installHint", exec.installHint());
            shown.put("provideClusterInfo", exec.provideClusterInfo());
            out.put("exec", shown);
        }
        return out;
    }

    /** Numbers as text, so their scale is ignored; without empty values, which Go may also write as null. */
    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, member) -> {
                if (member != null && !member.equals(List.of()) && !member.equals(Map.of())) {
                    copy.put((String) key, plain(member));
                }
            });
            return copy;
        }
        return value instanceof java.math.BigDecimal number ? number.toPlainString() : value;
    }

    private static void put(Map<String, Object> out, String name, String value) {
        if (!value.isEmpty()) {
            out.put(name, value);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(Map<String, Object> map, String name) {
        return (String) map.getOrDefault(name, "");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
