/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import com.google.re2j.Pattern;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ClientPresence;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.apiserver.rest.WebhookSender;
import io.kubeloop.json.encoding.TrustBundle;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends reviews to one webhook over HTTPS (upstream: {@code apiserver/pkg/util/webhook/client.go}). Each call opens a
 * connection and closes it. An answer has at most 8 MiB and four times the bytes of the review. Immutable; thread-safe.
 */
public final class WebhookClient {

    private static final Logger log = LoggerFactory.getLogger(WebhookClient.class);

    private static final Pattern SLASHES = Pattern.compile("/+");

    private static final int MAX_SHOWN = 2048;

    /** The most bytes of an answer beside those for the review; the patch of a small object may add large parts. */
    private static final long MAX_ANSWER = 8 << 20;

    /** The most bytes of an answer for each byte of the review, whose objects a conversion returns. */
    private static final long ANSWER_PER_BYTE = 4;

    private static final String UNKNOWN = "unknown";

    private final JsonObject config;
    private final @Nullable SSLSocketFactory trust;
    private final String problem;
    private final String late;

    private WebhookClient(JsonObject config, @Nullable SSLSocketFactory trust, String problem, String late) {
        this.config = config;
        this.trust = trust;
        this.problem = problem;
        this.late = late;
    }

    /**
     * Returns a client for the {@code clientConfig} of an admission webhook. An invalid CA bundle makes each call fail.
     */
    static WebhookClient of(JsonObject config) {
        return of(config, "context deadline exceeded");
    }

    /**
     * Returns the client that sends reviews to a conversion webhook.
     *
     * @param config the {@code clientConfig} of the webhook. An invalid CA bundle makes each call fail
     */
    public static WebhookSender ofConversion(ApiBackend backend, JsonObject config) {
        WebhookClient client = of(config, "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
        ServiceResolver services = backend.kinds().services(backend);
        return (review, timeout) -> client.call(review, timeout, services);
    }

    private static WebhookClient of(JsonObject config, String late) {
        try {
            return new WebhookClient(config, trusting(config.string("caBundle")), "", late);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return new WebhookClient(config, null, "unable to load root certificates: " + e.getMessage(), late);
        }
    }

    /** Without a bundle, the certificate authorities of the JDK are trusted. */
    private static SSLSocketFactory trusting(String bundle) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        if (bundle.isEmpty()) {
            context.init(null, null, null);
            return context.getSocketFactory();
        }
        String pem = new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.ISO_8859_1);
        context.init(null, new TrustManager[] {TrustBundle.parse(pem).trustManager()}, null);
        return context.getSocketFactory();
    }

    /**
     * Sends a document and returns the answer. Blocks for at most about the timeout.
     *
     * @param services finds the address behind a service
     * @throws WebhookException if there is no answer, or it is not JSON
     */
    JsonObject call(JsonObject review, Duration timeout, ServiceResolver services) throws WebhookException {
        URI shown = address(timeout);
        String post = "Post " + GoText.quoted(shown.toString()) + ": ";
        if (trust == null) {
            throw new WebhookException(problem);
        }
        try {
            URI target = config.has("service") ? behind(shown, services) : shown;
            return whileAwaited(new NamedServerSockets(trust, shown.getHost()), review, target, timeout);
        } catch (SocketTimeoutException e) {
            throw new WebhookException(post + late, e);
        } catch (UnknownHostException e) {
            throw new WebhookException(post + "dial tcp: lookup " + e.getMessage() + ": no such host", e);
        } catch (ConnectException e) {
            throw new WebhookException(post + "dial tcp " + shown.getAuthority() + ": connect: connection refused", e);
        } catch (IOException e) {
            throw new WebhookException(post + e.getMessage(), e);
        }
    }

    /** Returns the URL with the address of a server behind the service in place of its name. */
    private URI behind(URI shown, ServiceResolver services) throws IOException {
        JsonObject service = config.object("service");
        InetSocketAddress address =
                services.resolve(service.string("namespace"), service.string("name"), shown.getPort());
        String host = address.getHostString();
        return URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort()
                + shown.getRawPath() + "?" + shown.getRawQuery());
    }

    private URI address(Duration timeout) {
        String parameter = "?timeout=" + timeout.toSeconds() + "s";
        if (!config.has("service")) {
            URI url = URI.create(config.string("url"));
            return URI.create(url.getScheme() + "://" + url.getRawAuthority() + clean(url.getRawPath()) + parameter);
        }
        JsonObject service = config.object("service");
        Long port = service.number("port");
        String path = service.string("path");
        return URI.create("https://" + service.string("name") + "." + service.string("namespace") + ".svc:"
                + (port == null ? 443 : port) + clean(path) + parameter);
    }

    /** As upstream's client, drops repeated slashes and one at the end, which servers would redirect. */
    private static String clean(String path) {
        String absolute = SLASHES.matcher("/" + path).replaceAll("/");
        return absolute.length() > 1 && absolute.endsWith("/")
                ? absolute.substring(0, absolute.length() - 1)
                : absolute;
    }

    /**
     * As upstream, a call whose client leaves ends, and the write fails, although the webhook may ignore failures.
     *
     * @throws StatusException 504 if the client of the request has left
     */
    private static JsonObject whileAwaited(NamedServerSockets sockets, JsonObject review, URI target, Duration timeout)
            throws IOException, WebhookException {
        Runnable ended = ClientPresence.watch(sockets::close);
        try {
            return exchange(target, sockets, review.toBytes(), timeout);
        } catch (IOException e) {
            if (sockets.closed) {
                throw StatusException.of(504, "Timeout", "the client has left");
            }
            throw e;
        } finally {
            ended.run();
        }
    }

    private static JsonObject exchange(URI target, SSLSocketFactory sockets, byte[] body, Duration timeout)
            throws IOException, WebhookException {
        long deadline = System.nanoTime() + timeout.toNanos();
        HttpsURLConnection connection = (HttpsURLConnection) target.toURL().openConnection(Proxy.NO_PROXY);
        try {
            connection.setSSLSocketFactory(sockets);
            connection.setConnectTimeout(Math.toIntExact(timeout.toMillis()));
            connection.setReadTimeout(Math.toIntExact(timeout.toMillis()));
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setRequestProperty("Accept", "application/json, */*");
            connection.setRequestProperty("User-Agent", "kube-apiserver-admission");
            connection.setRequestProperty("Connection", "close");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
            int code = connection.getResponseCode();
            byte[] answer = read(connection, code, deadline, MAX_ANSWER + ANSWER_PER_BYTE * body.length);
            if (code / 100 != 2) {
                throw new WebhookException(
                        describe(code, isText(connection.getContentType()) ? text(answer) : UNKNOWN));
            }
            return parse(answer);
        } finally {
            connection.disconnect();
        }
    }

    private static byte[] read(HttpsURLConnection connection, int code, long deadline, long most) throws IOException {
        try (InputStream in = code >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            int count = in == null ? -1 : in.read(buffer);
            while (count >= 0) {
                content.write(buffer, 0, count);
                if (content.size() > most) {
                    throw new IOException("the answer has more than " + most + " bytes");
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new SocketTimeoutException("the answer is not complete");
                }
                count = in.read(buffer);
            }
            return content.toByteArray();
        }
    }

    private static JsonObject parse(byte[] answer) throws WebhookException {
        try {
            return JsonObject.parse(answer);
        } catch (DecodeException e) {
            throw new WebhookException("couldn't get version/kind; json parse error: " + e.getMessage(), e);
        }
    }

    /** Returns upstream's text for a status of HTTP. */
    private static String describe(int code, String answer) {
        return switch (code) {
            case 401 -> "the server has asked for the client to provide credentials";
            case 403 -> "forbidden";
            case 404 -> "the server could not find the requested resource";
            case 405 -> "the server does not allow this method on the requested resource";
            case 503 -> "the server is currently unable to handle the request";
            default ->
                code < 500
                        ? "the server rejected our request for an unknown reason"
                        : "an error on the server (" + GoText.quoted(answer)
                                + ") has prevented the request from succeeding";
        };
    }

    private static boolean isText(@Nullable String contentType) {
        return contentType == null || contentType.startsWith("text/");
    }

    private static String text(byte[] answer) {
        String text = new String(answer, StandardCharsets.UTF_8).strip();
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) : text.isEmpty() ? UNKNOWN : text;
    }

    /**
     * Adds TLS to the socket of one connection and requires a certificate for a given name, which may differ from the
     * host of the connection. The certificate of a service has the name of the service, not the address behind it. Any
     * thread may close the socket.
     */
    private static final class NamedServerSockets extends SSLSocketFactory {

        private final SSLSocketFactory sockets;
        private final String name;
        private final Socket plain = new Socket();
        private volatile boolean closed;

        NamedServerSockets(SSLSocketFactory sockets, String name) {
            this.sockets = sockets;
            // The host of a URL with an IPv6 address has brackets.
            this.name = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
        }

        void close() {
            closed = true;
            try {
                plain.close();
            } catch (IOException e) {
                log.debug("The connection to a webhook could not be closed: error={}", e.toString());
            }
        }

        /** Returns the socket that the JDK connects. */
        @Override
        public Socket createSocket() {
            return plain;
        }

        @Override
        public Socket createSocket(Socket connected, String host, int port, boolean autoClose) throws IOException {
            SSLSocket socket = (SSLSocket) sockets.createSocket(connected, name, port, autoClose);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            return socket;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return sockets.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return sockets.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            throw unconnected();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            throw unconnected();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            throw unconnected();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
                throws IOException {
            throw unconnected();
        }

        private static SocketException unconnected() {
            return new SocketException("only adds TLS to connected sockets");
        }
    }
}
