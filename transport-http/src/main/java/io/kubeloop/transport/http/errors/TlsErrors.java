/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.errors;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Describes a TLS failure in terms that an operator can act on; the texts of TLS libraries rarely are. Stateless. */
public final class TlsErrors {

    private TlsErrors() {}

    public static String of(IOException failure) {
        String text = IoErrors.reason(failure);
        String lower = text.toLowerCase(Locale.ROOT);
        Throwable expired = cause(failure, CertificateExpiredException.class);
        if (expired != null) {
            return "the server's certificate has expired (" + expired.getMessage() + ")";
        }
        Throwable early = cause(failure, CertificateNotYetValidException.class);
        if (early != null) {
            return "the server's certificate is not valid yet (" + early.getMessage() + "); is the clock right?";
        }
        if (failure instanceof SSLPeerUnverifiedException || lower.contains("no subject alternative")) {
            return "the server's certificate is for another name: " + text.replaceAll("\\s+", " ")
                    + "; set tls-server-name to the expected name";
        }
        if (cause(failure, CertPathBuilderException.class) != null || lower.contains("path building failed")) {
            return "the server's certificate is not signed by a trusted authority;"
                    + " set certificate-authority(-data) to the authority to trust";
        }
        if (lower.contains("unrecognized ssl message") || lower.contains("unable to parse tls packet header")) {
            return "the server does not use TLS; is its address http:// instead of https://?";
        }
        if (lower.contains("protocol_version") || lower.contains("no appropriate protocol")) {
            return "the server and this client have no version of TLS in common (here: 1.2 and 1.3): " + text;
        }
        if (lower.contains("certificate_required") || lower.contains("bad_certificate")) {
            return "the server requires a client certificate, or a different one: " + text;
        }
        return text;
    }

    private static @Nullable Throwable cause(Throwable failure, Class<? extends Throwable> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 20; depth++) {
            if (type.isInstance(cause)) {
                return cause;
            }
            cause = cause.getCause();
        }
        return null;
    }
}
