package io.kubeloop.transport.http.credentials;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Where the Authorization header comes from. Consulted for every request; thread-safe. */
public interface CredentialSource {

    /**
     * Returns the header's value, or null for none. May read a file or run a program.
     *
     * @throws io.kubeloop.api.client.TransportException of kind {@code CONFIGURATION} if there is no credential to be had
     */
    @Nullable
    String authorization();

    /**
     * Looks for a fresh credential after the server has refused one with 401.
     *
     * @param refused what {@link #authorization()} had returned
     * @param otherCertificate whether another certificate is shown by now than the refused request has shown
     * @return whether it is worth trying again: the credential is another one now
     */
    boolean renew(@Nullable String refused, BooleanSupplier otherCertificate);

    /** Ends what is under way, on whatever thread, and refuses to begin it again. Does nothing where nothing can be. */
    default void close() {}

    /** Returns a source that always returns the same. */
    static CredentialSource fixed(@Nullable String authorization) {
        return new CredentialSource() {
            @Override
            public @Nullable String authorization() {
                return authorization;
            }

            @Override
            public boolean renew(@Nullable String refused, BooleanSupplier otherCertificate) {
                return false;
            }
        };
    }
}
