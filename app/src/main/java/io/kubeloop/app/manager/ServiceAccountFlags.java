package io.kubeloop.app.manager;

import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.manager.ServiceAccountOptions;
import io.kubeloop.transport.http.SigningKeys;
import io.kubeloop.transport.http.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import picocli.CommandLine;

/**
 * The flags of the controllers of service accounts. The parser of the command line writes them; they do not change
 * afterwards.
 */
final class ServiceAccountFlags {

    @CommandLine.Option(
            names = "--concurrent-serviceaccount-token-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Token secrets synced in parallel, each on its own thread: 1 to " + ManagerFlags.MAX_SYNCS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int tokenSyncs = 5;

    @CommandLine.Option(
            names = "--service-account-private-key-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "PEM file with the RSA or ECDSA key that signs the tokens of token secrets. "
                    + "Default: none, which disables serviceaccount-token-controller.")
    private String keyFile = "";

    @CommandLine.Option(
            names = "--root-ca-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "PEM file with the CA bundle that pods receive to verify the API server. "
                    + "Default: the authorities of the kubeconfig.")
    private String rootCaFile = "";

    @CommandLine.Option(
            names = "--legacy-service-account-token-clean-up-period",
            paramLabel = "DURATION",
            defaultValue = "8760h",
            converter = DurationFlag.class,
            description =
                    "Time without a use after which a token secret that was generated with its account is marked as "
                            + "invalid, and then the time after which it is deleted. Default: ${DEFAULT-VALUE}.")
    private Duration legacyTokenPeriod = ServiceAccountOptions.DEFAULT.legacyTokenPeriod();

    int tokenSyncs() {
        return tokenSyncs;
    }

    /** Checks the values; see {@link ManagerFlags#check}. */
    void check() {
        ManagerFlags.checkSyncs("--concurrent-serviceaccount-token-syncs", tokenSyncs);
        if (legacyTokenPeriod.isZero()) {
            throw new UsageException("--legacy-service-account-token-clean-up-period must be more than 0");
        }
    }

    /**
     * Reads the files.
     *
     * @param connection the connection to the API server, whose authorities are the default
     * @throws UsageException if a file cannot be read or has no key
     */
    ServiceAccountOptions read(TlsConfig connection) {
        String ca = connection.caData();
        if (!rootCaFile.isEmpty()) {
            ca = content("--root-ca-file", rootCaFile);
            if (!ca.contains("-----BEGIN CERTIFICATE-----")) {
                throw new UsageException("--root-ca-file " + rootCaFile + " contains no PEM certificate");
            }
        } else if (ca.isEmpty() && !connection.caFile().isEmpty()) {
            ca = content("the certificate-authority of the kubeconfig", connection.caFile());
        }
        return new ServiceAccountOptions(keyFile.isEmpty() ? null : key(), ca, legacyTokenPeriod);
    }

    private KeyPair key() {
        try {
            return SigningKeys.parse(content("--service-account-private-key-file", keyFile));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--service-account-private-key-file " + keyFile + ": " + e.getMessage());
        }
    }

    private static String content(String flag, String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UsageException(flag + ": cannot read " + file + ": " + e);
        }
    }
}
