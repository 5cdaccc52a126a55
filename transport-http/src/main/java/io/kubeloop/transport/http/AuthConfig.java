/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of a client, apart from its certificate ({@link TlsConfig}).
 *
 * <p>Immutable. {@link #toString()} shows no secret.
 *
 * @param token a bearer token. If {@code tokenFile} is set as well, the token is used until the file has been read
 * @param tokenFile a file with a bearer token, which is read again during the life of the client
 * @param username the user name for basic authentication
 * @param password the password for basic authentication
 * @param impersonation the identity to act as
 * @param exec the program that returns credentials
 * @param authProvider a removed built-in provider, which the error names
 */
@RecordBuilder
public record AuthConfig(
        String token,
        String tokenFile,
        String username,
        String password,
        Impersonation impersonation,
        @Nullable ExecConfig exec,
        @Nullable AuthProvider authProvider) {

    /** No credentials. */
    public static final AuthConfig NONE = new AuthConfig("", "", "", "", Impersonation.NONE, null, null);

    /** Replaces null by the empty value. */
    public AuthConfig {
        token = KubeconfigDefaults.orEmpty(token);
        tokenFile = KubeconfigDefaults.orEmpty(tokenFile);
        username = KubeconfigDefaults.orEmpty(username);
        password = KubeconfigDefaults.orEmpty(password);
        impersonation = impersonation == null ? Impersonation.NONE : impersonation;
    }

    /** Returns credentials that consist of a fixed bearer token. */
    public static AuthConfig bearer(String token) {
        return AuthConfigBuilder.builder().token(token).build();
    }

    @Override
    public String toString() {
        return "AuthConfig[token=" + Redaction.masked(token) + ", tokenFile=" + tokenFile + ", username=" + username
                + ", password=" + Redaction.masked(password) + ", impersonation=" + impersonation + ", exec=" + exec
                + ", authProvider=" + (authProvider == null ? "" : authProvider.name()) + "]";
    }
}
