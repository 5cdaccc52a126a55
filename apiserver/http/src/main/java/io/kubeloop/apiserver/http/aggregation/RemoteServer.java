/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendConnection.Server;
import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The server behind an {@code APIService}, in one state of its {@code spec}. Immutable; thread-safe. */
public final class RemoteServer {

    private static final int DEFAULT_PORT = 443;

    private final JsonObject service;
    private final ServiceResolver services;
    private final BackendConnection.@Nullable Tls tls;
    private final String problem;

    /**
     * Creates the view of a server. An invalid CA bundle makes each connection fail.
     *
     * @param spec the {@code spec} of the {@code APIService}
     */
    RemoteServer(JsonObject spec, ServiceResolver services, ProxyIdentity identity) {
        this.services = services;
        service = spec.object("service");
        BackendConnection.Tls made = null;
        String why = "";
        try {
            made = tls(spec, identity);
        } catch (IllegalArgumentException e) {
            why = "unable to load root certificates: unable to parse bytes as PEM block";
        }
        tls = made;
        problem = why;
    }

    private BackendConnection.Tls tls(JsonObject spec, ProxyIdentity identity) {
        String bundle = spec.string("caBundle");
        boolean insecure = spec.bool("insecureSkipTLSVerify");
        SSLContext context = insecure
                ? PemTls.client(identity.keys(), PemTls.insecure())
                : bundle.isEmpty()
                        ? PemTls.client(identity.keys())
                        : PemTls.client(
                                identity.keys(),
                                PemTls.trust(Base64.getMimeDecoder().decode(bundle)));
        return new BackendConnection.Tls(
                context, service.string("name") + "." + service.string("namespace") + ".svc", !insecure);
    }

    /** Returns why no connection is possible; empty if it is. */
    public String problem() {
        return problem;
    }

    private int port() {
        Long port = service.number("port");
        return port == null ? DEFAULT_PORT : port.intValue();
    }

    /** Returns why no server is behind the service; null if there seems to be one. */
    ServiceResolver.@Nullable Problem serviceProblem() {
        return services.problem(service.string("namespace"), service.string("name"), port());
    }

    /**
     * Returns the address of a server behind the service.
     *
     * @throws IOException if there is none
     */
    public Server server() throws IOException {
        InetSocketAddress address = services.resolve(service.string("namespace"), service.string("name"), port());
        return new Server(address.getHostString(), address.getPort(), tls);
    }

    /**
     * Connects to an address and sends a request. Blocks for about the timeout at most.
     *
     * @param target the path with the query, escaped
     * @param further headers beside those of the connection and the user
     * @return the connection, on which the response arrives; the caller closes it
     * @throws IOException if the server cannot be reached
     */
    BackendConnection send(
            Server server,
            String method,
            String target,
            UserInfo user,
            Map<String, List<String>> further,
            byte @Nullable [] body,
            Duration timeout)
            throws IOException {
        Map<String, List<String>> headers = ProxyIdentity.headers(user);
        headers.put("Host", List.of(server.authority()));
        headers.put("Connection", List.of("close"));
        headers.putAll(further);
        if (body != null) {
            headers.put("Content-Length", List.of(Integer.toString(body.length)));
        }
        BackendConnection connection = BackendConnection.connect(server, timeout);
        try {
            connection.send(method, target, headers);
            if (body != null) {
                connection.sendBody(new ByteArrayInputStream(body), false);
            }
            return connection;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }
}
