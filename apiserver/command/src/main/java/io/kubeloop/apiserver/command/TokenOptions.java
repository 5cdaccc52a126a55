/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.kinds.TokenSettings;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.UsageException;
import io.kubeloop.transport.http.SigningKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * The options for the tokens of service accounts, with the names of kube-apiserver. The parser of the command line
 * writes them.
 */
final class TokenOptions {

    private static final String SIGNING_KEY = "--service-account-signing-key-file";
    private static final String KEY = "--service-account-key-file";

    @CommandLine.Option(
            names = SIGNING_KEY,
            paramLabel = "FILE",
            description =
                    "PEM file with the private key, RSA or ECDSA, that signs and verifies the tokens of service accounts. "
                            + "Default: a new key.")
    private @Nullable Path signingKeyFile;

    @CommandLine.Option(
            names = KEY,
            paramLabel = "FILE",
            description =
                    "PEM file with further keys that verify the tokens of service accounts, private or public. Repeatable.")
    private List<Path> keyFiles = List.of();

    @CommandLine.Option(
            names = "--service-account-issuer",
            paramLabel = "URL",
            description =
                    "Issuer of the tokens of service accounts. Repeatable: all are accepted, and the first is written into "
                            + "tokens. Default: https://kubernetes.default.svc.")
    private List<String> issuers = List.of();

    @CommandLine.Option(
            names = "--service-account-jwks-uri",
            paramLabel = "URL",
            defaultValue = "",
            description =
                    "Address of the keys that verify tokens, in /.well-known/openid-configuration. Default: the address of "
                            + "this server.")
    private String jwksUri = "";

    @CommandLine.Option(
            names = "--api-audiences",
            paramLabel = "NAME[,NAME]",
            split = ",",
            description = "Audiences of this server, which tokens must name. Default: the issuers.")
    private List<String> audiences = List.of();

    /**
     * Reads the files.
     *
     * @throws UsageException if a value or a key is not usable
     * @throws CommandException if a file cannot be read
     */
    TokenSettings read() {
        KeyPair signing = signingKeyFile == null ? null : parse(SIGNING_KEY, signingKeyFile, SigningKeys::parse);
        List<PublicKey> keys = new ArrayList<>();
        keyFiles.forEach(file -> keys.addAll(parse(KEY, file, SigningKeys::publicKeys)));
        try {
            return new TokenSettings(
                    signing, keys, issuers.isEmpty() ? TokenSettings.DEFAULT.issuers() : issuers, audiences, jwksUri);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--service-account-issuer, --service-account-jwks-uri: " + e.getMessage());
        }
    }

    private static <T> T parse(String flag, Path file, Function<String, T> parser) {
        try {
            return parser.apply(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new CommandException("cannot read " + flag + " " + file + ": " + KubeconfigFile.describe(e), e);
        } catch (IllegalArgumentException e) {
            throw new UsageException(flag + " " + file + ": " + e.getMessage());
        }
    }
}
