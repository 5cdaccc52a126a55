/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One request and its response, at the level of HTTP. Confined to the connection's thread; writers of the response
 * stream must synchronize themselves.
 */
public final class HttpServerExchange {

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    private final RequestHead head;
    private final MessageBody body;
    private final OutputStream out;
    private final ClientLink link;
    private final ClientMemory.Share memory;
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private int status;
    private boolean complete;
    private boolean last;

    HttpServerExchange(
            RequestHead head, MessageBody body, OutputStream out, ClientLink link, ClientMemory.Share memory) {
        this.head = head;
        this.body = body;
        this.out = out;
        this.link = link;
        this.memory = memory;
        this.last = !head.keepsAlive();
    }

    /** Returns what the request and its response hold; it is released when the handler has returned. */
    public ClientMemory.Share memory() {
        return memory;
    }

    /** Returns the method of the request. */
    public String method() {
        return head.method();
    }

    /** Returns the request target; its path starts with a slash. */
    public RequestTarget target() {
        return head.target();
    }

    /** Returns the names of the headers. */
    public Set<String> headerNames() {
        return head.headers().keySet();
    }

    /** Returns the values of a header in order; the name is case-insensitive. */
    public List<String> headers(String name) {
        return head.all(name);
    }

    /** Returns the first value of a header; empty if it is absent. The name is case-insensitive. */
    public String header(String name) {
        List<String> values = head.all(name);
        return values.isEmpty() ? "" : values.get(0);
    }

    /**
     * Returns the certificate that the client has proved to own, followed by its intermediate certificates; empty if it
     * has sent none. Nothing else has been checked.
     */
    public List<X509Certificate> certificates() {
        return link.certificates();
    }

    /**
     * Returns the body of the request. A read blocks until bytes arrive, and fails when the body takes longer than
     * its limit.
     */
    public InputStream body() {
        return body;
    }

    /** Returns whether the client has connected with TLS. */
    public boolean isSecure() {
        return link.isSecure();
    }

    /** Returns the IP address of the client. */
    public String clientAddress() {
        return link.address();
    }

    /** Sets a header of the response and replaces earlier values. */
    public void setHeader(String name, String value) {
        headers.put(name, new ArrayList<>(List.of(value)));
    }

    /** Adds a header to the response. */
    public void addHeader(String name, String value) {
        headers.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
    }

    /** Closes the connection after this response. */
    public void closeAfterwards() {
        last = true;
    }

    /** Returns whether a response has begun, so no other can be sent. */
    public boolean hasResponse() {
        return status != 0;
    }

    /** Returns the status code of the response; 0 if none has begun. */
    public int status() {
        return status;
    }

    /** Sends a response with this body; a response to HEAD omits the body. */
    public void reply(int code, byte[]... content) throws IOException {
        int length = Arrays.stream(content).mapToInt(part -> part.length).sum();
        if (code != 204 && code != 304) {
            setHeader("Content-Length", Integer.toString(length));
        }
        byte[] top = top(code);
        byte[] all = top;
        if (!method().equals("HEAD") && length > 0) {
            all = Arrays.copyOf(top, top.length + length);
            int position = top.length;
            for (byte[] part : content) {
                System.arraycopy(part, 0, all, position, part.length);
                position += part.length;
            }
        }
        out.write(all);
        complete = true;
    }

    /** Starts a response of unknown length and sends its headers at once. Closing the stream completes the response. */
    public OutputStream replyInChunks(int code) throws IOException {
        if (!head.http11()) {
            last = true;
            out.write(top(code));
            return out;
        }
        setHeader("Transfer-Encoding", "chunked");
        out.write(top(code));
        return new ChunkedOutput(out, () -> complete = true);
    }

    /**
     * Starts a response with a body of this length and sends its headers at once. The caller must write exactly this
     * many bytes, and close the stream; a response to HEAD has no body, whatever its length.
     */
    public OutputStream replyWithLength(int code, long length) throws IOException {
        setHeader("Content-Length", Long.toString(length));
        out.write(top(code));
        return new FixedOutput(out, method().equals("HEAD") ? 0 : length, () -> complete = true);
    }

    /**
     * Sends a response without a body and hands the connection over to another protocol. The connection closes when the
     * handler returns. The writes of the protocol need no flush; they are limited as those of responses.
     */
    public Upgraded upgrade(int code) throws IOException {
        last = true;
        out.write(head(code));
        return new Upgraded(link.unlimitedInput(), out, link::endInput);
    }

    /**
     * A connection that no longer carries HTTP.
     *
     * @param input the bytes of the client. A read blocks without a limit until bytes arrive or the connection ends
     * @param output the bytes for the client
     * @param endInput ends the input, also for a thread that is blocked in a read
     */
    public record Upgraded(InputStream input, OutputStream output, Runnable endInput) {}

    /**
     * Returns whether the client has closed the connection, or its side of it. Sends nothing. Blocks for at most 1 ms.
     * Any thread may call it while the body has been read and no other request is read.
     */
    public boolean clientHasLeft() {
        return body.isEnded() && link.hasEnded();
    }

    private byte[] top(int code) {
        setHeader("Date", DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
        if (!body.isEnded()) {
            last = true;
        }
        if (last) {
            setHeader("Connection", "close");
        }
        return head(code);
    }

    private byte[] head(int code) {
        status = code;
        StringBuilder top = new StringBuilder("HTTP/1.1 " + code + " " + phrase(code) + "\r\n");
        headers.forEach((name, values) -> values.forEach(
                value -> top.append(name + ": " + value.replace('\r', ' ').replace('\n', ' ') + "\r\n")));
        return top.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the phrase of a frequent status code. Other codes have an empty phrase, which is valid. */
    static String phrase(int code) {
        return switch (code) {
            case 101 -> "Switching Protocols";
            case 200 -> "OK";
            case 201 -> "Created";
            case 202 -> "Accepted";
            case 301 -> "Moved Permanently";
            case 304 -> "Not Modified";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 409 -> "Conflict";
            case 410 -> "Gone";
            case 413 -> "Request Entity Too Large";
            case 415 -> "Unsupported Media Type";
            case 422 -> "Unprocessable Entity";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            default -> "";
        };
    }

    /** Returns whether another request may follow on the same connection. */
    boolean keepsAlive() {
        return complete && !last;
    }
}
