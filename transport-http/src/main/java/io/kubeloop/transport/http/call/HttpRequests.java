/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.Impersonation;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.route.IpAddresses;
import io.kubeloop.transport.http.route.ServerAddress;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/** Makes HTTP requests from API requests: address, headers and body. Thread-safe. */
final class HttpRequests {

    private static final String HEADER_PUNCTUATION = "!#$&'*+-.^_`|~";
    private static final ApiRequest.Body NO_BYTES = ApiRequest.Body.json(new byte[0]);

    private final HttpUrl base;
    private final String userAgent;
    private final boolean compression;
    private final Impersonation impersonation;
    private final String via;

    /**
     * The last address without a query. Creations often come in runs, and all those of one kind and namespace have the
     * same address.
     */
    private volatile Address recent;

    private record Address(String path, HttpUrl url) {}

    /**
     * Makes a factory.
     *
     * @param via the text that messages add to the server's address, such as the proxy; may be empty
     */
    HttpRequests(ClientConfig config, HttpUrl base, String via) {
        this.base = base;
        this.via = via;
        this.userAgent = KubeconfigDefaults.either(config.userAgent(), UserAgent.OWN);
        this.compression = !config.disableCompression();
        this.impersonation = config.auth().impersonation();
        this.recent = new Address("", base);
    }

    /** Returns the address of the server for messages: without path, and without parts that may be secret. */
    String server() {
        return base.scheme() + "://" + IpAddresses.bracketed(base.host()) + ":" + base.port();
    }

    /** Returns method, path and server, for messages. */
    String describe(ApiRequest request) {
        return request.describe() + " at " + server() + via;
    }

    /**
     * Makes the request of one attempt.
     *
     * @param stream whether the response is read frame by frame
     * @param authorization the value of the header, or null for none
     * @param progress follows the attempt
     */
    Request build(ApiRequest request, boolean stream, @Nullable String authorization, CallProgress progress) {
        HeaderSet headers = new HeaderSet(request);
        headers.add("Accept", request.accept());
        headers.add("User-Agent", userAgent);
        if (!compression || (stream && !isStreamingList(request))) {
            headers.add("Accept-Encoding", "identity");
        } else if (stream) {
            headers.add("Accept-Encoding", "gzip"); // so OkHttp leaves the response as it is
        }
        if (authorization != null) {
            headers.add("Authorization", authorization);
        }
        impersonate(headers);
        ApiRequest.Body body = body(request);
        if (body != null) {
            headers.add("Content-Type", body.contentType());
        }
        return new Request.Builder()
                .url(url(request))
                .headers(headers.build())
                .tag(CallProgress.class, progress)
                .method(request.method(), body == null ? null : new SentOnce(body.bytes()))
                .build();
    }

    /**
     * A streaming list may be as large as a list. A plain watch is not compressed by any server: each of its frames is
     * sent at once.
     */
    private static boolean isStreamingList(ApiRequest request) {
        return "true".equals(request.query().get("sendInitialEvents"));
    }

    private HttpUrl url(ApiRequest request) {
        if (!request.query().isEmpty()) {
            return newUrl(request);
        }
        Address address = recent;
        if (!address.path().equals(request.path())) {
            address = new Address(request.path(), newUrl(request));
            recent = address;
        }
        return address.url();
    }

    private HttpUrl newUrl(ApiRequest request) {
        HttpUrl.Builder url = base.newBuilder();
        String[] segments = request.path().substring(1).split("/", -1);
        for (String segment : segments) {
            if (segment.equals(".") || segment.equals("..")) {
                throw new TransportException(
                        Kind.CONFIGURATION, describe(request) + ": a path must not have the segment " + segment, null);
            }
            url.addPathSegment(segment);
        }
        request.query().forEach(url::addQueryParameter);
        return url.build();
    }

    private void impersonate(HeaderSet headers) {
        if (!impersonation.user().isEmpty()) {
            headers.add("Impersonate-User", impersonation.user());
        }
        if (!impersonation.uid().isEmpty()) {
            headers.add("Impersonate-Uid", impersonation.uid());
        }
        impersonation.groups().forEach(group -> headers.add("Impersonate-Group", group));
        for (Map.Entry<String, List<String>> extra : impersonation.extra().entrySet()) {
            String name = "Impersonate-Extra-" + escapeHeaderName(extra.getKey());
            extra.getValue().forEach(value -> headers.add(name, value));
        }
    }

    /** Headers with any text in one line, as upstream. OkHttp by default accepts only ASCII. */
    private final class HeaderSet {

        private final Headers.Builder headers = new Headers.Builder();
        private final ApiRequest request;

        HeaderSet(ApiRequest request) {
            this.request = request;
        }

        void add(String name, String value) {
            if (hasControl(value)) {
                // The message omits the value: it may be a credential, such as a token file of two lines.
                throw new TransportException(
                        Kind.CONFIGURATION,
                        describe(request) + ": the header " + name
                                + " cannot be sent: it has a line break or another control" + " character in it",
                        null);
            }
            headers.addUnsafeNonAscii(name, value);
        }

        Headers build() {
            return headers.build();
        }

        private static boolean hasControl(String value) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if ((c < ' ' && c != '\t') || c == 0x7f) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Percent-encodes the characters that the name of a header cannot contain, and the percent sign. */
    static String escapeHeaderName(String key) {
        StringBuilder out = new StringBuilder();
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean legal = (c >= '0' && c <= '9')
                    || (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || HEADER_PUNCTUATION.indexOf(c) >= 0;
            if (legal) {
                out.append(c);
            } else {
                out.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return out.toString();
    }

    /**
     * Returns the body; every write has one, possibly empty. Without a body, OkHttp would repeat a DELETE by itself.
     */
    private static ApiRequest.@Nullable Body body(ApiRequest request) {
        ApiRequest.Body body = request.body();
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        return body == null && !reads ? NO_BYTES : body;
    }

    /**
     * Returns the address of the server, with the scheme that its configuration implies.
     *
     * @throws TransportException of kind {@code CONFIGURATION} if it is not an address
     */
    static HttpUrl baseUrl(ClientConfig config) {
        TlsConfig tls = config.tls();
        try {
            return ServerAddress.parse(
                    KubeconfigDefaults.either(config.server(), "localhost"),
                    tls.hasCa() || tls.hasCertificate() || tls.insecure());
        } catch (IllegalArgumentException e) {
            throw new TransportException(Kind.CONFIGURATION, "cannot use " + e.getMessage(), e);
        }
    }

    /**
     * A body that OkHttp must not send again by itself. It would do so when a kept-alive connection breaks during a
     * request. For a write that is wrong: the server may have carried it out already.
     */
    private static final class SentOnce extends RequestBody {

        private final byte[] bytes;

        SentOnce(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Returns null: the headers contain the type already, and OkHttp would parse it for every request. */
        @Override
        public @Nullable MediaType contentType() {
            return null;
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws java.io.IOException {
            sink.write(bytes);
        }
    }

    /** The default User-Agent: {@code kubeloop/VERSION (OS/ARCHITECTURE)}. */
    private static final class UserAgent {

        static final String OWN =
                "kubeloop/" + version() + " (" + systemProperty("os.name") + "/" + systemProperty("os.arch") + ")";

        private UserAgent() {}

        private static String version() {
            try (InputStream in = UserAgent.class.getResourceAsStream("version.properties")) {
                Properties properties = new Properties();
                if (in != null) {
                    properties.load(in);
                }
                return properties.getProperty("version", "unknown");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String systemProperty(String name) {
            return System.getProperty(name, "unknown").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
        }
    }
}
