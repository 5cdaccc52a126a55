package io.kubeloop.transport.http.failure;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.route.InterruptibleSockets;
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

/** Tells from an I/O error what has happened, in kinds and in words. */
public final class IoFailures {

    /** What BoringSSL says where the JVM names the alert: the name is between colons, with the library's addresses around it. */
    private static final Pattern NATIVE_TLS = Pattern.compile("error:[0-9a-f]+:SSL routines:[^:]*:(\\w+)");

    /** Alerts about who the client is. */
    private static final Pattern CLIENT_REFUSED =
            Pattern.compile("\\w*_alert_(\\w*certificate\\w*|unknown_ca|access_denied)");

    private IoFailures() {}

    /** Translates a failure before an answer came. */
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
            return new TransportException(Kind.TLS, what + ": TLS failed: " + TlsProblem.of(e), e);
        }
        if (!requestStarted) {
            return new TransportException(Kind.CONNECT, what + ": cannot connect: " + reason(e), e);
        }
        return ofAnswer(what, e);
    }

    /** Translates a failure in the middle of an answer. */
    public static TransportException ofAnswer(String what, IOException e) {
        if (isInterrupt()) {
            return new TransportException(Kind.CLOSED, what + ": the calling thread was interrupted", e);
        }
        if (e instanceof InterruptedIOException) {
            return new TransportException(Kind.TIMEOUT, what + ": no (whole) answer in time: " + reason(e), e);
        }
        return new TransportException(Kind.BROKEN, what + ": the connection broke: " + reason(e), e);
    }

    /** Returns whether the peer ended its answer too early, as opposed to a connection that broke. */
    public static boolean isEarlyEnd(IOException e) {
        return e instanceof EOFException || e instanceof ProtocolException;
    }

    /** Returns what has ended a TLS handshake, if it was the connection and not what the two had to say to each other. */
    private static @Nullable IOException cutOff(IOException e) {
        // The JDK says "Couldn't kickstart handshaking", or that the peer terminated it; the reason is in the cause.
        boolean told = e instanceof SSLException
                && e.getCause() instanceof IOException cause
                && (cause instanceof SocketException
                        || cause instanceof EOFException
                        || cause instanceof InterruptedIOException);
        return told ? (IOException) e.getCause() : null;
    }

    private static boolean isTls(IOException e, boolean requestStarted) {
        // With TLS 1.3 a server refuses the client's certificate after the handshake, as seen from here.
        return e instanceof SSLHandshakeException
                || e instanceof SSLPeerUnverifiedException
                || (e instanceof SSLException
                        && (!requestStarted || CLIENT_REFUSED.matcher(reason(e)).matches()));
    }

    /** An interrupt ends whatever its thread does with a socket ({@link InterruptibleSockets}), in many words. */
    private static boolean isInterrupt() {
        return Thread.currentThread().isInterrupted();
    }

    /** Returns whether the server has certainly not touched the request: it may be sent again whatever it was. */
    public static boolean isUntouched(IOException e) {
        // OkHttp's exceptions for these are internal; text and name are not. The second is a connection that the server
        // has ended between being chosen and being used. If the call had made it itself, OkHttp knows no other way.
        return KubeconfigDefaults.orEmpty(e.getMessage()).equals("stream was reset: REFUSED_STREAM")
                || e.getClass().getSimpleName().equals("ConnectionShutdownException");
    }

    /** Returns what an error says, with its kind where the text alone says little. */
    public static String reason(Throwable e) {
        String text = KubeconfigDefaults.orEmpty(e.getMessage());
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof UnknownHostException) {
            // Behind the name the resolver of the platform says why, in words that help nobody.
            return "unknown host " + text.replaceFirst(":.*", "");
        }
        if (e instanceof SocketTimeoutException && text.equals("Read timed out")) {
            // The socket's clock and OkHttp's are set to the same time: either may be the first.
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
