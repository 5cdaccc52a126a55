/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.apiserver.kinds.TokenSettings;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionValues;
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

/**
 * Reads the options for the tokens of service accounts. Holds no state.
 */
final class TokenOptions {

    private static final String SIGNING_KEY = "service-account-signing-key-file";
    private static final String KEY = "service-account-key-file";

    private TokenOptions() {}

    /**
     * Reads the files.
     *
     * @throws UsageException if a value or a key is not usable
     * @throws CommandException if a file cannot be read
     */
    static TokenSettings read(OptionValues values) {
        Path signingKeyFile = values.file(SIGNING_KEY);
        List<String> issuers = values.texts("service-account-issuer");
        KeyPair signing = signingKeyFile == null ? null : parse(SIGNING_KEY, signingKeyFile, SigningKeys::parse);
        List<PublicKey> keys = new ArrayList<>();
        values.texts(KEY).forEach(file -> keys.addAll(parse(KEY, Path.of(file), SigningKeys::publicKeys)));
        try {
            return new TokenSettings(
                    signing,
                    keys,
                    issuers.isEmpty() ? TokenSettings.DEFAULT.issuers() : issuers,
                    values.texts("api-audiences"),
                    values.text("service-account-jwks-uri"));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--service-account-issuer, --service-account-jwks-uri: " + e.getMessage());
        }
    }

    private static <T> T parse(String flag, Path file, Function<String, T> parser) {
        try {
            return parser.apply(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new CommandException("cannot read --" + flag + " " + file + ": " + KubeconfigFile.describe(e), e);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + flag + " " + file + ": " + e.getMessage());
        }
    }
}
