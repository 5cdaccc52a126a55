package io.kubeloop.app.server;

import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.ServingCertificate;
import io.kubeloop.app.cli.FailureException;
import io.kubeloop.app.cli.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The options for TLS and tokens of the embedded API server, with the names of kube-apiserver's flags. */
public final class ServingOptions {

    @CommandLine.Option(
            names = "--tls-cert-file",
            paramLabel = "FILE",
            description = "Certificate for HTTPS, as PEM, followed by the intermediate certificates. "
                    + "Requires --tls-private-key-file.")
    private @Nullable Path certificateFile;

    @CommandLine.Option(
            names = "--tls-private-key-file",
            paramLabel = "FILE",
            description = "Private key of the certificate: PEM, PKCS#8, not encrypted.")
    private @Nullable Path keyFile;

    @CommandLine.Option(
            names = "--token-auth-file",
            paramLabel = "FILE",
            description =
                    "Accepts only clients with a token of this file, which has lines of the form token,user,uid. All users "
                            + "have the same access. The kubeconfig receives the first token.")
    private @Nullable Path tokenFile;

    /**
     * The values of the options.
     *
     * @param httpServer the configuration of the HTTP front end
     * @param certificates the certificates that clients must trust, as PEM; empty without TLS
     * @param token a token that the server accepts; empty if it accepts every client
     */
    public record Serving(HttpApiServer.Config httpServer, String certificates, String token) {

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
     * @throws FailureException if a file cannot be read
     */
    public Serving read() {
        if ((certificateFile == null) != (keyFile == null)) {
            throw new UsageException("--tls-cert-file and --tls-private-key-file require each other");
        }
        HttpApiServer.Config httpServer = HttpApiServer.Config.DEFAULT;
        String certificates = "";
        if (certificateFile != null && keyFile != null) {
            certificates = read("--tls-cert-file", certificateFile);
            String key = read("--tls-private-key-file", keyFile);
            try {
                httpServer = httpServer.withTls(
                        ServingCertificate.load(certificates.getBytes(StandardCharsets.ISO_8859_1), key));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--tls-cert-file " + certificateFile + ", --tls-private-key-file " + keyFile
                        + ": " + e.getMessage());
            }
        }
        String token = "";
        if (tokenFile != null) {
            Set<String> tokens = tokens(tokenFile);
            httpServer = httpServer.withTokens(BearerTokens.of(tokens));
            token = tokens.iterator().next();
        }
        return new Serving(httpServer, certificates, token);
    }

    private static Set<String> tokens(Path file) {
        Set<String> tokens = new LinkedHashSet<>();
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
                tokens.add(token);
            }
        }
        if (tokens.isEmpty()) {
            throw new UsageException("--token-auth-file " + file + " contains no token");
        }
        return tokens;
    }

    private static String read(String flag, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new FailureException("cannot read " + flag + " " + file + ": " + KubeconfigFile.describe(e), e);
        }
    }
}
