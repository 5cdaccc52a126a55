/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import com.google.re2j.Pattern;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The request line and the headers (RFC 9112, 3 and 5). The parser is strict where a lenient one would allow
 * request smuggling: it rejects folded lines, blanks before the colon, and more than one indication of the body's
 * length.
 *
 * @param http11 whether the client uses HTTP/1.1 instead of 1.0
 * @param headers the headers by name, case-insensitive
 */
record RequestHead(String method, RequestTarget target, boolean http11, Map<String, List<String>> headers) {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] [1-9]\\d\\d( .*)?");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

    /** The body length that means chunks. */
    static final long CHUNKED = -1;

    /**
     * Reads a head of at most this many bytes. Blocks until the client has sent it, or fails at the deadline of the
     * socket.
     *
     * @param memory holds the head
     */
    static RequestHead read(SocketInput in, int maxBytes, ClientMemory.Share memory) throws IOException {
        return read(new LineReader(in, maxBytes, memory));
    }

    private static RequestHead read(LineReader lines) throws IOException {
        String first = lines.next();
        if (first.isEmpty()) {
            first = lines.next(); // some clients send an extra line break after a body
        }
        String[] parts = first.split(" ", -1);
        if (parts.length != 3 || !TOKEN.matcher(parts[0]).matches() || !parts[2].startsWith("HTTP/")) {
            throw new MalformedRequestException(400, "malformed request line");
        }
        if (!parts[2].equals("HTTP/1.1") && !parts[2].equals("HTTP/1.0")) {
            throw new MalformedRequestException(505, "this server supports HTTP/1.1, not " + parts[2]);
        }
        RequestHead head =
                new RequestHead(parts[0], RequestTarget.parse(parts[1]), parts[2].endsWith("1"), headers(lines));
        if (head.http11 && head.all("Host").size() != 1) {
            throw new MalformedRequestException(400, "a request must have exactly one Host header");
        }
        return head;
    }

    private static Map<String, List<String>> headers(LineReader lines) throws IOException {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
            int colon = line.indexOf(':');
            if (colon < 1 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
                throw new MalformedRequestException(400, "malformed header line");
            }
            headers.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>(1))
                    .add(value(line, colon + 1));
        }
        return headers;
    }

    /**
     * Reads the head of a response, of at most this many bytes.
     *
     * @throws MalformedRequestException if the other side does not send HTTP
     */
    static ResponseHead readResponse(SocketInput in, int maxBytes) throws IOException {
        try (ClientMemory.Share memory = ClientMemory.share()) {
            LineReader lines = new LineReader(in, maxBytes, memory);
            String first = lines.next();
            if (!STATUS.matcher(first).matches()) {
                throw new MalformedRequestException(400, "malformed status line");
            }
            return new ResponseHead(Integer.parseInt(first.substring(9, 12)), headers(lines));
        }
    }

    /**
     * The status and the headers of a response.
     *
     * @param headers the headers by name, case-insensitive
     */
    record ResponseHead(int code, Map<String, List<String>> headers) {

        /** Returns the length of the body, {@link #CHUNKED}, or {@link MessageBody#UNTIL_CLOSE}. */
        long bodyLength() throws MalformedRequestException {
            if (code < 200 || code == 204 || code == 304) {
                return 0;
            }
            boolean unknown = !headers.containsKey("Content-Length") && !headers.containsKey("Transfer-Encoding");
            return unknown ? MessageBody.UNTIL_CLOSE : RequestHead.bodyLength(headers, true);
        }
    }

    /**
     * Returns the value of a header line without blanks around it. Other characters that servers may take for a blank
     * or for the end of a line are rejected, because another server on the way could read another request from them.
     *
     * @throws MalformedRequestException if the value contains a control character
     */
    static String value(String line, int from) throws MalformedRequestException {
        int start = from;
        int end = line.length();
        while (start < end && isBlank(line.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(line.charAt(end - 1))) {
            end--;
        }
        for (int i = start; i < end; i++) {
            char c = line.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new MalformedRequestException(400, "a header contains a control character");
            }
        }
        return line.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Returns the values of a header, in order. */
    List<String> all(String name) {
        return headers.getOrDefault(name, List.of());
    }

    /** Returns the first value of a header; empty if absent. */
    String first(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? "" : values.get(0);
    }

    /** Returns the length of the body, or {@link #CHUNKED}. */
    long bodyLength() throws MalformedRequestException {
        return bodyLength(headers, http11);
    }

    private static long bodyLength(Map<String, List<String>> headers, boolean http11) throws MalformedRequestException {
        List<String> lengths = headers.getOrDefault("Content-Length", List.of());
        List<String> codings = headers.getOrDefault("Transfer-Encoding", List.of());
        if (!codings.isEmpty()) {
            if (codings.size() > 1 || !codings.get(0).equalsIgnoreCase("chunked")) {
                throw new MalformedRequestException(501, "unknown transfer coding");
            }
            if (!lengths.isEmpty() || !http11) {
                throw new MalformedRequestException(
                        400, "Transfer-Encoding must not be combined with Content-Length or HTTP/1.0");
            }
            return CHUNKED;
        }
        if (lengths.isEmpty()) {
            return 0;
        }
        if (lengths.size() > 1 || !LENGTH.matcher(lengths.get(0)).matches()) {
            throw new MalformedRequestException(400, "malformed Content-Length");
        }
        return Long.parseLong(lengths.get(0));
    }

    boolean expectsContinue() {
        return http11 && first("Expect").equalsIgnoreCase("100-continue");
    }

    /** Returns whether the client keeps the connection open. */
    boolean keepsAlive() {
        return http11
                && all("Connection").stream()
                        .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    }

    /**
     * Reads lines that end in CRLF or LF, with a limit on their total length, in which a line counts with the memory
     * that its header takes.
     */
    private static final class LineReader {

        private static final int PART = 16 * 1024;
        private static final int OF_A_LINE = 128;

        private final SocketInput in;
        private final ClientMemory.Share memory;
        private int left;
        private int granted;

        LineReader(SocketInput in, int maxBytes, ClientMemory.Share memory) {
            this.in = in;
            this.left = maxBytes;
            this.memory = memory;
        }

        String next() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream(80);
            count(OF_A_LINE);
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new EOFException("the client closed the connection within a request");
                }
                count(1);
                line.write(b);
            }
            String text = line.toString(StandardCharsets.ISO_8859_1);
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        }

        /** The first part of a head, which holds all of nearly every head, is counted with its connection. */
        private void count(int bytes) throws MalformedRequestException {
            left -= bytes;
            granted += bytes;
            if (left < 0) {
                throw new MalformedRequestException(431, "the request's headers are too large");
            }
            if (granted > PART) {
                granted -= PART;
                if (!memory.tryTake(2 * PART)) {
                    throw new MalformedRequestException(503, "too many requests with large headers");
                }
            }
        }
    }
}
