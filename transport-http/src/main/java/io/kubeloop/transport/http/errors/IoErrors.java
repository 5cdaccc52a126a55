/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.errors;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Translates I/O errors to transport exceptions, with a kind and a readable message. Stateless. */
public final class IoErrors {

    /**
     * The text of a BoringSSL error: the name of the alert, between colons, surrounded by addresses inside the library.
     */
    private static final Pattern NATIVE_TLS = Pattern.compile("error:[0-9a-f]+:SSL routines:[^:]*:(\\w+)");

    /** Alerts about the identity of the client. */
    private static final Pattern CLIENT_REFUSED =
            Pattern.compile("\\w*_alert_(\\w*certificate\\w*|unknown_ca|access_denied)");

    private IoErrors() {}

    /**
     * Translates a failure before the response.
     *
     * @param requestStarted whether bytes of the request may have been sent
     */
    public static TransportException ofRequest(String what, IOException e, boolean requestStarted) {
        if (isInterrupt()) {
            return new TransportException(Kind.CLOSED, what + ": the calling thread was interrupted", e);
        }
        IOException cut = cutOff(e);
        if (cut != null && requestStarted) {
            return ofAnswer(what, cut);
        }
        if (cut != null) {
            String why = cut instanceof EOFException ? "the peer ended the TLS handshake" : reason(cut);
            return new TransportException(Kind.CONNECT, what + ": cannot connect: " + why, e);
        }
        if (isTls(e, requestStarted)) {
            return new TransportException(Kind.TLS, what + ": TLS failed: " + TlsErrors.of(e), e);
        }
        if (!requestStarted) {
            return new TransportException(Kind.CONNECT, what + ": cannot connect: " + reason(e), e);
        }
        return ofAnswer(what, e);
    }

    /** Translates a failure within the response. */
    public static TransportException ofAnswer(String what, IOException e) {
        if (isInterrupt()) {
            return new TransportException(Kind.CLOSED, what + ": the calling thread was interrupted", e);
        }
        if (e instanceof InterruptedIOException) {
            return new TransportException(Kind.TIMEOUT, what + ": no complete response in time: " + reason(e), e);
        }
        return new TransportException(Kind.BROKEN, what + ": the connection broke: " + reason(e), e);
    }

    /** Returns whether the peer ended its response too early, as opposed to a broken connection. */
    public static boolean isEarlyEnd(IOException e) {
        return e instanceof EOFException || e instanceof ProtocolException;
    }

    /** Returns the error of the connection that ended a TLS handshake; null if TLS itself failed. */
    private static @Nullable IOException cutOff(IOException e) {
        // The JDK reports "Couldn't kickstart handshaking", or that the peer terminated the handshake. The reason is in
        // the cause.
        boolean told = e instanceof SSLException
                && e.getCause() instanceof IOException cause
                && (cause instanceof SocketException
                        || cause instanceof EOFException
                        || cause instanceof InterruptedIOException);
        return told ? (IOException) e.getCause() : null;
    }

    private static boolean isTls(IOException e, boolean requestStarted) {
        // With TLS 1.3, the client receives the rejection of its certificate after the handshake.
        return e instanceof SSLHandshakeException
                || e instanceof SSLPeerUnverifiedException
                || (e instanceof SSLException
                        && (!requestStarted || CLIENT_REFUSED.matcher(reason(e)).matches()));
    }

    /**
     * An interrupt ends every socket operation of its thread ({@code InterruptibleSockets}), with various exceptions.
     */
    private static boolean isInterrupt() {
        return Thread.currentThread().isInterrupted();
    }

    /** Returns whether the server certainly did not process the request. Any request can then be sent again. */
    public static boolean isUntouched(IOException e) {
        // The types of these OkHttp exceptions are internal, but their text and name are stable. The second one
        // reports a connection that the server ended between its selection and its use. If this call had opened the
        // connection, OkHttp would report a different exception.
        return KubeconfigDefaults.orEmpty(e.getMessage()).equals("stream was reset: REFUSED_STREAM")
                || e.getClass().getSimpleName().equals("ConnectionShutdownException");
    }

    /** Returns the message of an error, with its type where the message alone is unclear. */
    public static String reason(Throwable e) {
        String text = KubeconfigDefaults.orEmpty(e.getMessage());
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof UnknownHostException) {
            // The rest of the text is the explanation of the platform's resolver, which does not help.
            return "unknown host " + text.replaceFirst(":.*", "");
        }
        if (e instanceof SocketTimeoutException && text.equals("Read timed out")) {
            // Either the socket or OkHttp limits a wait.
            return "timeout";
        }
        if (e instanceof SSLException) {
            Matcher known = NATIVE_TLS.matcher(text);
            if (known.find()) {
                return known.group(1).toLowerCase(Locale.ROOT);
            }
        }
        if (e instanceof ConnectException && e.getCause() != null) {
            return KubeconfigDefaults.orEmpty(e.getCause().getMessage());
        }
        return text.isEmpty() ? e.getClass().getSimpleName() : text;
    }
}
