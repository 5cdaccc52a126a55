/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.kubeconfig;

import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.Kubeconfig;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects all reasons why a user or a cluster cannot be used (upstream: {@code clientcmd/validation.go}). Not
 * thread-safe.
 */
final class ConfigValidator {

    private static final Set<String> PROXY_SCHEMES = Set.of("http", "https", "socks5");

    private final List<String> problems = new ArrayList<>();

    List<String> problems() {
        return problems;
    }

    void user(String name, Kubeconfig.User user) {
        String who = "user \"" + name + "\"";
        boolean certificate = !user.clientCertificate().isEmpty()
                || !user.clientCertificateData().isEmpty();
        boolean key = !user.clientKey().isEmpty() || !user.clientKeyData().isEmpty();
        if (certificate) {
            exclusive(who, "client-certificate", user.clientCertificate(), user.clientCertificateData());
            exclusive(who, "client-key", user.clientKey(), user.clientKeyData());
            check(key, who + " has a client certificate without a client key");
            readable(who, "client-certificate", user.clientCertificate());
            readable(who, "client-key", user.clientKey());
        }
        exec(who, user);
        check(
                user.token().isEmpty()
                        || (user.username().isEmpty() && user.password().isEmpty()),
                who + " has more than one way to authenticate: token and basic authentication");
        check(
                !user.impersonation().isIncomplete(),
                who + " impersonates a uid, groups or extra attributes without a user (as)");
    }

    private void exec(String who, Kubeconfig.User user) {
        ExecConfig exec = user.exec();
        if (exec == null) {
            return;
        }
        check(user.authProvider() == null, who + " has both exec and auth-provider");
        check(!exec.command().isEmpty(), who + " has an exec plugin without command");
        check(!exec.apiVersion().isEmpty(), who + " has an exec plugin without apiVersion");
        check(
                exec.env().stream().noneMatch(variable -> variable.name().isEmpty()),
                who + " has an exec plugin with a variable without name");
        check(
                Set.of("", "Never", "IfAvailable", "Always").contains(exec.interactiveMode()),
                who + " has an exec plugin with an unknown interactiveMode \"" + exec.interactiveMode() + "\"");
        check(
                !exec.apiVersion().endsWith("/v1") || !exec.interactiveMode().isEmpty(),
                who + " has an exec plugin of version v1 without interactiveMode");
    }

    void cluster(String name, Kubeconfig.Cluster cluster) {
        String which = "cluster \"" + name + "\"";
        check(!cluster.server().isEmpty(), which + " has no server");
        if (!cluster.proxyUrl().isEmpty()) {
            String problem = proxyProblem(cluster.proxyUrl());
            check(problem == null, which + " has a proxy-url that cannot be used: " + problem);
        }
        exclusive(which, "certificate-authority", cluster.certificateAuthority(), cluster.certificateAuthorityData());
        readable(which, "certificate-authority", cluster.certificateAuthority());
    }

    private static @Nullable String proxyProblem(String url) {
        String scheme;
        try {
            scheme = URI.create(url).getScheme();
        } catch (IllegalArgumentException e) {
            return "it is not a URL";
        }
        return scheme != null && PROXY_SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))
                ? null
                : "the scheme must be http, https or socks5";
    }

    private void exclusive(String who, String what, String file, String data) {
        check(file.isEmpty() || data.isEmpty(), who + " has both " + what + " and " + what + "-data");
    }

    private void readable(String who, String what, String file) {
        if (file.isEmpty()) {
            return;
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            in.read();
        } catch (IOException e) {
            problems.add(who + ": cannot read " + what + " " + file + ": " + IoErrors.reason(e));
        }
    }

    void check(boolean fine, String problem) {
        if (!fine) {
            problems.add(problem);
        }
    }
}
