/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bearer token in a file that another process refreshes, as the kubelet does for service accounts (upstream: {@code
 * client-go/transport/token_source.go}). Thread-safe.
 *
 * <p>The file is read again when the token is 50 s old, and at once after a 401. While the file cannot be read, the
 * last good token stays in use.
 */
final class TokenFile implements CredentialSource {

    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final Duration MAX_AGE = Duration.ofSeconds(50);

    /**
     * A token and the time at which it was read. {@code fromFile} is false for the token that was configured beside the
     * file.
     */
    private record Token(String value, long readAt, boolean fromFile) {}

    // `token` is replaced as a whole. Two threads may read the file at the same time; both get its content, so there is
    // no lock.
    private final Path file;
    private final LongSupplier nanoTime;
    private volatile @Nullable Token token;

    /** Makes a source. The initial token (empty for none) is used while the file cannot be read. */
    TokenFile(Path file, String initial, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
        this.token = initial.isEmpty() ? null : new Token(initial.strip(), nanoTime.getAsLong(), false);
    }

    @Override
    public String authorization() {
        Token last = token;
        if (last != null && last.fromFile() && nanoTime.getAsLong() - last.readAt() < MAX_AGE.toNanos()) {
            return "Bearer " + last.value();
        }
        return "Bearer " + read(last).value();
    }

    @Override
    public boolean renew(@Nullable String refused, BooleanSupplier otherCertificate) {
        return !("Bearer " + read(token).value()).equals(refused);
    }

    private Token read(@Nullable Token last) {
        long now = nanoTime.getAsLong();
        @Nullable String problem;
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8).strip();
            problem = problem(text);
            if (problem == null) {
                Token fresh = new Token(text, now, true);
                token = fresh;
                return fresh;
            }
        } catch (IOException e) {
            problem = IoErrors.reason(e);
        }
        if (last == null) {
            throw new TransportException(Kind.CONFIGURATION, "cannot read token file " + file + ": " + problem, null);
        }
        LOG.warn("cannot read token file {}: {}; the last token stays in use", file, problem);
        Token kept = new Token(last.value(), now, true);
        token = kept;
        return kept;
    }

    /** Returns the problem of the content, or null. */
    private static @Nullable String problem(String text) {
        if (text.isEmpty()) {
            return "it is empty";
        }
        // A header cannot contain such a token, and every request would fail until the next read.
        return text.chars().anyMatch(Character::isISOControl)
                ? "it has a line break or another control character in it"
                : null;
    }
}
