/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.ClientAuthorities;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.LoopbackCertificate;
import io.kubeloop.apiserver.http.NodeAccess;
import io.kubeloop.apiserver.http.ServingCertificate;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options for TLS, tokens and authorization of the embedded API server, with the names of kube-apiserver's flags.
 */
public final class ServingOptions {

    /** The options; a command that has them reads them with {@link #read}. */
    public static final OptionTable TABLE = OptionTable.read(ServingOptions.class.getResourceAsStream("serving.tsv"));

    private static final Pattern SERVICE = Pattern.compile("[a-z0-9-]+/[a-z0-9-]+(:\\d{1,5})?");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:/\\s]+)(?::(\\d{1,5}))?");
    private static final String RBAC = "RBAC";
    private static final String ALWAYS_ALLOW = "AlwaysAllow";
    private static final List<String> ADMINISTRATORS = List.of("system:masters");

    private ServingOptions() {}

    /**
     * The values of the options.
     *
     * @param httpServer the configuration of the HTTP front end
     * @param certificates the certificates that clients must trust, as PEM; empty without TLS
     * @param token a token that the server accepts; empty if it accepts every client, or certificates only
     * @param roles whether roles decide what clients may do
     * @param services addresses that replace the endpoints of services, by {@code namespace/name}, which a port may
     *     follow
     */
    public record Serving(
            HttpApiServer.Config httpServer,
            String certificates,
            String token,
            boolean roles,
            Map<String, InetSocketAddress> services) {

        /** Copies the addresses. */
        public Serving {
            services = Map.copyOf(services);
        }

        /** Returns the configuration for an address and port. */
        public HttpApiServer.Config at(String address, int port) {
            return httpServer.withBindAddress(address).withPort(port);
        }

        @Override
        public String toString() {
            return "Serving[httpServer=" + httpServer + "]";
        }
    }

    /**
     * Reads the files.
     *
     * @throws UsageException if an option is missing or a file has no usable content
     * @throws CommandException if a file cannot be read
     */
    public static Serving read(OptionValues values) {
        Path certificateFile = values.file("tls-cert-file");
        Path keyFile = values.file("tls-private-key-file");
        Path clientAuthoritiesFile = values.file("client-ca-file");
        Path tokenFile = values.file("token-auth-file");
        boolean tls = values.bool("tls");
        if ((certificateFile == null) != (keyFile == null)) {
            throw new UsageException("--tls-cert-file and --tls-private-key-file require each other");
        }
        if (tls && certificateFile != null) {
            throw new UsageException("--tls and --tls-cert-file exclude each other");
        }
        if (clientAuthoritiesFile != null && certificateFile == null && !tls) {
            throw new UsageException("--client-ca-file requires --tls or --tls-cert-file");
        }
        ClientAuthorities authorities = clientAuthoritiesFile == null ? null : authorities(clientAuthoritiesFile);
        HttpApiServer.Config httpServer =
                HttpApiServer.Config.DEFAULT.withNodes(NodeAccess.DEFAULT.withKubelets(KubeletOptions.read(values)));
        String certificates = "";
        if (certificateFile != null && keyFile != null) {
            certificates = read("--tls-cert-file", certificateFile);
            String key = read("--tls-private-key-file", keyFile);
            try {
                httpServer = httpServer.withTls(
                        ServingCertificate.load(certificates.getBytes(StandardCharsets.ISO_8859_1), key, authorities));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--tls-cert-file " + certificateFile + ", --tls-private-key-file " + keyFile
                        + ": " + e.getMessage());
            }
        }
        if (tls) {
            LoopbackCertificate made = LoopbackCertificate.create(Instant.now(), authorities);
            certificates = made.pem();
            httpServer = httpServer.withTls(made.serving());
        }
        String token = "";
        if (tokenFile != null) {
            Map<String, BearerTokens.User> tokens = tokens(tokenFile);
            httpServer = httpServer.withTokens(BearerTokens.of(tokens));
            token = tokens.keySet().iterator().next();
        }
        List<String> authorizationModes = values.texts("authorization-mode");
        for (String mode : authorizationModes) {
            if (!mode.equals(RBAC) && !mode.equals(ALWAYS_ALLOW)) {
                throw new UsageException("--authorization-mode must be RBAC or AlwaysAllow, or both, got " + mode);
            }
        }
        return new Serving(
                httpServer,
                certificates,
                token,
                !authorizationModes.contains(ALWAYS_ALLOW),
                services(values.entries("resolve-service")));
    }

    private static Map<String, InetSocketAddress> services(Map<String, String> serviceAddresses) {
        Map<String, InetSocketAddress> services = new LinkedHashMap<>();
        serviceAddresses.forEach((service, address) -> {
            if (!SERVICE.matcher(service).matches()) {
                throw new UsageException(
                        "--resolve-service must name NAMESPACE/NAME or NAMESPACE/NAME:PORT, got " + service);
            }
            Matcher parts = ADDRESS.matcher(address);
            int port = parts.matches() && parts.group(2) != null ? Integer.parseInt(parts.group(2)) : 0;
            if (!parts.matches() || port > 65535) {
                throw new UsageException(
                        "--resolve-service " + service + " must name HOST or HOST:PORT, got " + address);
            }
            String host = parts.group(1);
            boolean isBracketed = host.startsWith("[");
            services.put(
                    service,
                    InetSocketAddress.createUnresolved(
                            isBracketed ? host.substring(1, host.length() - 1) : host, port));
        });
        return services;
    }

    private static ClientAuthorities authorities(Path file) {
        try {
            return ClientAuthorities.load(read("--client-ca-file", file).getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--client-ca-file " + file + ": " + e.getMessage());
        }
    }

    private static Map<String, BearerTokens.User> tokens(Path file) {
        Map<String, BearerTokens.User> tokens = new LinkedHashMap<>();
        int number = 0;
        for (String line : read("--token-auth-file", file).lines().toList()) {
            number++;
            if (!line.isBlank()) {
                String[] columns = line.split(",", 4);
                String token = columns[0].strip().replaceFirst("^\"(.*)\"$", "$1");
                if (columns.length < 3 || token.isEmpty()) {
                    throw new UsageException(
                            "--token-auth-file " + file + ", line " + number + ": expected token,user,uid");
                }
                List<String> groups = columns.length < 4 ? List.of() : groups(columns[3]);
                tokens.putIfAbsent(
                        token,
                        new BearerTokens.User(
                                columns[1].strip(), columns[2].strip(), groups.isEmpty() ? ADMINISTRATORS : groups));
            }
        }
        if (tokens.isEmpty()) {
            throw new UsageException("--token-auth-file " + file + " contains no token");
        }
        return tokens;
    }

    private static List<String> groups(String column) {
        return Arrays.stream(column.strip().replaceFirst("^\"(.*)\"$", "$1").split(","))
                .map(String::strip)
                .filter(group -> !group.isEmpty())
                .toList();
    }

    private static String read(String flag, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new CommandException("cannot read " + flag + " " + file + ": " + KubeconfigFile.describe(e), e);
        }
    }
}
