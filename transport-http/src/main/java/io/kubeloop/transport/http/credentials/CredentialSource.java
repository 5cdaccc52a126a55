/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The source of the {@code Authorization} header. Every request uses it. Thread-safe. */
public interface CredentialSource {

    /**
     * Returns the value of the header, or null for none. May block to read a file or to run a program; an interrupt
     * ends a run.
     *
     * @throws io.kubeloop.api.client.TransportException of kind {@code CONFIGURATION} if no credential is available
     */
    @Nullable
    String authorization();

    /**
     * Tries to get a fresh credential after the server answered 401. Blocks like {@link #authorization}.
     *
     * @param refused the value that {@link #authorization()} returned for the rejected request
     * @param otherCertificate whether the client certificate has changed since the rejected request
     * @return whether the credential has changed, so another attempt makes sense
     */
    boolean renew(@Nullable String refused, BooleanSupplier otherCertificate);

    /** Ends a run in progress, from any thread, and prevents further runs. Does nothing for sources without runs. */
    default void close() {}

    /** Returns a source with a constant value. */
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
