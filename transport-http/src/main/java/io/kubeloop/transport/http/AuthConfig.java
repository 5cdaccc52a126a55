package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Who the client says it is, apart from a client certificate ({@link TlsConfig}).
 *
 * <p>Immutable. {@link #toString()} shows no secret.
 *
 * @param token bearer token; with a token file as well, what is used until the file was read
 * @param tokenFile file with a bearer token, read again while the client lives
 * @param username for basic authentication
 * @param password for basic authentication
 * @param impersonation whom to act as
 * @param exec a program that yields credentials
 * @param authProvider a built-in provider of old; kept so that the error can name it
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

    /** Anonymous. */
    public static final AuthConfig NONE = new AuthConfig("", "", "", "", Impersonation.NONE, null, null);

    /** Fills in what is absent. */
    public AuthConfig {
        token = KubeconfigDefaults.orEmpty(token);
        tokenFile = KubeconfigDefaults.orEmpty(tokenFile);
        username = KubeconfigDefaults.orEmpty(username);
        password = KubeconfigDefaults.orEmpty(password);
        impersonation = impersonation == null ? Impersonation.NONE : impersonation;
    }

    /** Returns a client that shows a fixed bearer token. */
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
