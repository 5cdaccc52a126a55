/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.command.Command;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.ServerConnection;
import io.kubeloop.command.UsageException;
import io.kubeloop.command.log.Logs;
import io.kubeloop.controller.discovery.JsonRequests;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.YamlWriter;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.http.TlsConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code kubeloop kubeconfig} writes the kubeconfig of a service account, with a token that the server issues. */
public final class KubeconfigCommand implements Command {

    private static final OptionTable OPTIONS = OptionTable.read(
                    KubeconfigCommand.class.getResourceAsStream("kubeconfig.tsv"))
            .with(OptionTable.LOG);

    private static final Pattern ACCOUNT = Pattern.compile("([a-z0-9-]+)/([a-z0-9.-]+)");

    @Override
    public String name() {
        return "kubeconfig";
    }

    @Override
    public String description() {
        return "Writes a kubeconfig with which a local process acts as a service account. The token comes from "
                + "the server, which needs the verb create on serviceaccounts/token.";
    }

    @Override
    public OptionTable options() {
        return OPTIONS;
    }

    @Override
    public int run(OptionValues values, PrintWriter out, PrintWriter err) {
        Logs.level(values.integer("v"));
        String account = values.text("service-account");
        Matcher parts = ACCOUNT.matcher(account);
        if (!parts.matches()) {
            throw new UsageException("--service-account must be NAMESPACE/NAME, got " + account);
        }
        ClientConfig config = ServerConnection.config(values.text("kubeconfig"), "");
        String namespace = parts.group(1);
        JsonObject cluster = cluster(config);
        JsonObject issued;
        try (Transport transport = OkHttpTransport.create(config)) {
            issued = request(transport, namespace, parts.group(2), values);
        }
        String text = YamlWriter.write(document(cluster, namespace, parts.group(2), issued.string("token")));
        Path kubeconfigOut = values.file("kubeconfig-out");
        if (kubeconfigOut == null) {
            out.print(text);
        } else {
            KubeconfigFile.write(kubeconfigOut, text);
            out.println("wrote " + kubeconfigOut + " for " + account + " at " + config.server() + ", valid until "
                    + issued.string("expirationTimestamp"));
        }
        out.flush();
        return 0;
    }

    /** Returns the status of the answered request for a token. */
    private static JsonObject request(Transport transport, String namespace, String name, OptionValues values) {
        List<String> audiences = values.texts("audience");
        JsonObject wanted = JsonObject.EMPTY.with(
                "expirationSeconds", values.duration("duration").toSeconds());
        JsonObject body = JsonObject.EMPTY
                .with("apiVersion", "authentication.k8s.io/v1")
                .with("kind", "TokenRequest")
                .with("spec", audiences.isEmpty() ? wanted : wanted.with("audiences", JsonArray.ofStrings(audiences)));
        ApiRequest request = ApiRequest.of(
                "POST",
                "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name + "/token",
                Map.of(),
                ApiRequest.Body.json(body.toString().getBytes(StandardCharsets.UTF_8)));
        try {
            return new JsonRequests(transport)
                    .send(request, new JsonRequests.Target("", "serviceaccounts", name))
                    .object("status");
        } catch (ApiException e) {
            throw new CommandException(
                    "cannot get a token of the service account " + namespace + "/" + name + ": " + e.getMessage()
                            + remedy(e, namespace, name),
                    e);
        }
    }

    private static String remedy(ApiException e, String namespace, String name) {
        if (e.isNotFound()) {
            return "; create it with kubectl -n " + namespace + " create serviceaccount " + name;
        }
        return e.isForbidden() ? "; grant the verb create on serviceaccounts/token" : "";
    }

    private static JsonObject cluster(ClientConfig config) {
        TlsConfig tls = config.tls();
        JsonObject cluster = JsonObject.EMPTY.with("server", config.server());
        String authorities = tls.caData().isEmpty() && !tls.caFile().isEmpty() ? read(tls.caFile()) : tls.caData();
        if (!authorities.isEmpty()) {
            byte[] bytes = authorities.getBytes(StandardCharsets.UTF_8);
            cluster = cluster.with(
                    "certificate-authority-data", Base64.getEncoder().encodeToString(bytes));
        }
        if (tls.insecure()) {
            cluster = cluster.with("insecure-skip-tls-verify", true);
        }
        if (!tls.serverName().isEmpty()) {
            cluster = cluster.with("tls-server-name", tls.serverName());
        }
        return config.proxyUrl().isEmpty() ? cluster : cluster.with("proxy-url", config.proxyUrl());
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new CommandException("cannot read the authorities " + file + ": " + KubeconfigFile.describe(e), e);
        }
    }

    private static JsonObject document(JsonObject cluster, String namespace, String name, String token) {
        JsonObject context =
                JsonObject.EMPTY.with("cluster", "kubeloop").with("user", name).with("namespace", namespace);
        return JsonObject.EMPTY
                .with("apiVersion", "v1")
                .with("kind", "Config")
                .with("clusters", named("kubeloop", "cluster", cluster))
                .with("users", named(name, "user", JsonObject.EMPTY.with("token", token)))
                .with("contexts", named("kubeloop", "context", context))
                .with("current-context", "kubeloop");
    }

    private static JsonArray named(String name, String kind, JsonObject value) {
        return JsonArray.of(JsonObject.EMPTY.with("name", name).with(kind, value));
    }
}
