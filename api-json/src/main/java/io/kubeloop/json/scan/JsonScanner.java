/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.scan;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tokens of JSON in UTF-8, strictly (RFC 8259), in a window that slides over a stream. Not thread-safe.
 *
 * <p>The window holds all bytes since {@link #origin}, so a place in it stays valid until {@link #startHere}. Callers
 * copy raw text out of it by index. For an error message, the scanner reads the window again to find the path, so it
 * tracks no path otherwise. Eight zero bytes follow the data. JSON allows no zero byte, so every loop stops there
 * without a bounds check, and only then reads more.
 *
 * <p>This class is long because the window and the grammar share these few fields in their innermost loops.
 */
public final class JsonScanner {

    /** Arrays and objects nested deeper than this are rejected: Kubernetes objects never are, and skipping recurses. */
    public static final int MAX_DEPTH = 512;

    /** The default of the largest object, and so of the largest string, that is read from a stream, in bytes. */
    public static final int MAX_OBJECT_BYTES = 64 << 20;

    /** The result of {@link #token} at the end of the input. */
    public static final int END = 0;

    private static final int INITIAL_WINDOW = 64 << 10;
    private static final int LARGEST_KEPT_WINDOW = 1 << 20;
    private static final int SLACK = 8;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int maxObjectBytes;
    private byte[] window;
    private @Nullable InputStream in;
    private int limit;
    private int position;
    private int depth;
    private boolean fresh;
    private boolean plain;
    private int nameEnd;

    /**
     * The place in the window at which {@link #basePath} begins; it may be inside an object rather than before a value.
     */
    private int origin;

    private boolean originInObject;
    private String basePath = "$";
    private int baseIndex;

    /**
     * Creates a scanner that {@link #open} starts, any number of times.
     *
     * @param maxObjectBytes the most bytes of a stream to hold since the last {@link #startHere}; more are an error
     */
    public JsonScanner(int maxObjectBytes) {
        this.maxObjectBytes = maxObjectBytes;
        window = new byte[INITIAL_WINDOW];
    }

    /** Creates a scanner of one whole document; copies it. */
    public JsonScanner(byte[] document) {
        maxObjectBytes = MAX_OBJECT_BYTES;
        window = new byte[document.length + SLACK];
        open(document);
    }

    /** Starts on a stream, which this object never closes. */
    public void open(InputStream in) {
        reset();
        this.in = in;
        limit = 0;
        zeroSlack();
    }

    /** Starts on a whole document; copies it. */
    public void open(byte[] document) {
        open(document, 0, document.length);
    }

    /** Starts on a whole document, a part of an array; copies it. */
    public void open(byte[] array, int from, int length) {
        reset();
        in = null;
        if (window.length < length + SLACK) {
            window = new byte[length + SLACK];
        }
        System.arraycopy(array, from, window, 0, length);
        limit = length;
        zeroSlack();
    }

    private void reset() {
        position = 0;
        depth = 0;
        fresh = false;
        startHere("$", -1, false);
    }

    /** Releases the stream, and an unusually large window. */
    public void release() {
        in = null;
        limit = 0;
        position = 0;
        if (window.length > LARGEST_KEPT_WINDOW) {
            window = new byte[INITIAL_WINDOW];
        }
    }

    /**
     * Releases everything before the current position, at which the value with this path begins.
     *
     * @param path the path of the value that begins here
     * @param index appended to the path in brackets, unless negative
     * @param inObject whether members of the object at that path follow, rather than the value itself
     */
    public void startHere(String path, int index, boolean inObject) {
        if (position > window.length / 2) {
            System.arraycopy(window, position, window, 0, limit - position);
            limit -= position;
            position = 0;
            zeroSlack();
        }
        origin = position;
        basePath = path;
        baseIndex = index;
        originInObject = inObject;
    }

    public byte[] window() {
        return window;
    }

    public int position() {
        return position;
    }

    /** Goes back to a place since the last {@link #startHere}, at the current depth. */
    public void rewind(int position) {
        this.position = position;
        fresh = false;
    }

    /**
     * Skips white space and returns the byte that begins the next token, without consuming it. Returns {@link #END} at
     * the end of input, and a negative number for a byte that begins no token.
     */
    public int token() {
        for (; ; ) {
            byte c = window[position];
            if (c > ' ') {
                return c;
            }
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
                position++;
            } else if (position < limit) {
                return -1;
            } else if (!refill()) {
                return END;
            }
        }
    }

    public void beginObject() {
        begin('{', "an object");
    }

    public void beginArray() {
        begin('[', "an array");
    }

    private void begin(char opening, String what) {
        if (token() != opening) {
            throw expected(what);
        }
        if (++depth > MAX_DEPTH) {
            throw expected("at most " + MAX_DEPTH + " levels of nesting");
        }
        position++;
        fresh = true;
    }

    /**
     * Returns whether another member follows, and consumes the comma before it; otherwise consumes the closing brace.
     */
    public boolean hasNextMember() {
        return hasNext('}', "',' or '}'");
    }

    /**
     * Returns whether another element follows, and consumes the comma before it; otherwise consumes the closing
     * bracket.
     */
    public boolean hasNextElement() {
        return hasNext(']', "',' or ']'");
    }

    private boolean hasNext(char closing, String what) {
        int c = token();
        if (c == closing) {
            position++;
            depth--;
            fresh = false;
            return false;
        }
        if (fresh) {
            fresh = false;
            return true;
        }
        if (c != ',') {
            throw expected(what);
        }
        position++;
        return true;
    }

    /** Consumes a member's name and the colon. Returns the place where the name begins; it ends at {@link #nameEnd}. */
    public int name() {
        if (token() != '"') {
            throw expected("a member name in quotes");
        }
        int from = position + 1;
        nameEnd = endOfString(from);
        position = nameEnd + 1;
        if (token() != ':') {
            throw expected("':'");
        }
        position++;
        return from;
    }

    public int nameEnd() {
        return nameEnd;
    }

    /** Returns whether the last name or string had only ASCII characters and no escapes. */
    public boolean plain() {
        return plain;
    }

    /** Consumes {@code null} if it follows, and returns whether it did. */
    public boolean takeNull() {
        if (token() != 'n') {
            return false;
        }
        literal("null");
        return true;
    }

    public boolean bool() {
        int c = token();
        if (c == 't') {
            literal("true");
            return true;
        }
        if (c == 'f') {
            literal("false");
            return false;
        }
        throw expected("true or false");
    }

    private void literal(String text) {
        require(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (window[position + i] != text.charAt(i)) {
                throw expected("a value");
            }
        }
        position += text.length();
    }

    /** Consumes a string. Returns the place where its text begins; it ends at {@link #position} - 1. */
    public int string(String what) {
        if (token() != '"') {
            throw expected(what);
        }
        int from = position + 1;
        position = endOfString(from) + 1;
        return from;
    }

    /** Consumes an integer in this range. A fraction or an exponent is an error, as in Go. */
    public long integer(long min, long max) {
        int c = token();
        if (c != '-' && !isDigit(c)) {
            throw expected("an integer");
        }
        int start = position;
        int end = endOfNumber(start);
        int i = c == '-' ? start + 1 : start;
        long value = 0;
        for (; i < end; i++) {
            int digit = window[i] - '0';
            if (digit < 0 || digit > 9) {
                throw expected("an integer");
            }
            if (value < (Long.MIN_VALUE + digit) / 10) {
                throw expected("an integer from " + min + " to " + max);
            }
            value = value * 10 - digit;
        }
        if (c != '-') {
            if (value == Long.MIN_VALUE) {
                throw expected("an integer from " + min + " to " + max);
            }
            value = -value;
        }
        if (value < min || value > max) {
            throw expected("an integer from " + min + " to " + max);
        }
        position = end;
        return value;
    }

    /** Consumes any value, checking that it is well-formed. */
    public void skipValue() {
        int c = token();
        switch (c) {
            case '"' -> position = endOfString(position + 1) + 1;
            case '{' -> {
                beginObject();
                while (hasNextMember()) {
                    name();
                    skipValue();
                }
            }
            case '[' -> {
                beginArray();
                while (hasNextElement()) {
                    skipValue();
                }
            }
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                if (c != '-' && !isDigit(c)) {
                    throw expected("a value");
                }
                position = endOfNumber(position);
            }
        }
    }

    /** Checks that only white space follows. */
    public void end() {
        if (token() != END) {
            throw expected("the end of the document");
        }
    }

    /** Returns the text of the string that {@link #string} or {@link #name} has consumed last. */
    public String text(int from, int to) {
        if (plain) {
            return new String(window, from, to - from, StandardCharsets.ISO_8859_1);
        }
        return JsonText.unescape(window, from, to);
    }

    /** Returns the bytes between two places as text, with quotes and escapes. */
    public String rawText(int from, int to) {
        return new String(window, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Returns the place of the closing quote of the string that begins here. Examines eight bytes at a time: the lowest
     * set bit of {@code stops} marks the first byte that is a quote, a backslash, a control character or not ASCII.
     */
    private int endOfString(int from) {
        boolean onlyPlain = true;
        byte[] bytes = window;
        int i = from;
        for (; ; ) {
            long word = (long) LONGS.get(bytes, i);
            long quotes = word ^ 0x2222222222222222L;
            long slashes = word ^ 0x5c5c5c5c5c5c5c5cL;
            long stops = (word
                            | ((quotes - 0x0101010101010101L) & ~quotes)
                            | ((slashes - 0x0101010101010101L) & ~slashes)
                            | ((word - 0x2020202020202020L) & ~word))
                    & 0x8080808080808080L;
            if (stops == 0) {
                i += 8;
                continue;
            }
            i += Long.numberOfTrailingZeros(stops) >>> 3;
            byte c = bytes[i];
            if (c == '"') {
                plain = onlyPlain;
                return i;
            }
            boolean plainBefore = onlyPlain;
            onlyPlain = false;
            if (c < 0) {
                do {
                    i++;
                } while (bytes[i] < 0);
            } else if (c == '\\') {
                i = endOfEscape(i);
                bytes = window;
            } else if (i < limit || !refill()) {
                position = i;
                throw expected(i < limit ? "no control character inside a string" : "the closing quote of a string");
            } else {
                onlyPlain = plainBefore; // the stop was the end of the window
                bytes = window;
            }
        }
    }

    private int endOfEscape(int backslash) {
        int held = position;
        position = backslash;
        require(2);
        int c = window[backslash + 1];
        int length = 2;
        if (c == 'u') {
            length = 6;
            require(length);
            for (int i = 2; i < length; i++) {
                if (Character.digit(window[backslash + i], 16) < 0) {
                    throw expected("four hexadecimal digits after \\u");
                }
            }
        } else if (c <= 0 || "\"\\/bfnrt".indexOf(c) < 0) {
            throw expected("an escape sequence");
        }
        position = held;
        return backslash + length;
    }

    private int endOfNumber(int start) {
        int i = start;
        if (at(i) == '-') {
            i++;
        }
        if (at(i) == '0') {
            i++;
        } else {
            i = endOfDigits(i);
        }
        if (at(i) == '.') {
            i = endOfDigits(i + 1);
        }
        int c = at(i);
        if (c == 'e' || c == 'E') {
            c = at(++i);
            i = endOfDigits(c == '+' || c == '-' ? i + 1 : i);
        }
        if (isDigit(at(i))) {
            position = start;
            throw expected("a number without leading zeros");
        }
        return i;
    }

    private int endOfDigits(int from) {
        int i = from;
        while (isDigit(at(i))) {
            i++;
        }
        if (i == from) {
            position = i;
            throw expected("a digit");
        }
        return i;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** Returns the byte at a place at most one after the data, and reads more if necessary; 0 at the end of input. */
    private int at(int index) {
        byte c = window[index];
        return c != 0 || index < limit || !refill() ? c : window[index];
    }

    private void require(int count) {
        while (limit - position < count) {
            if (!refill()) {
                position = limit;
                throw expected("more");
            }
        }
    }

    /** Reads more after the data; places do not change. Returns false at the end of input. */
    private boolean refill() {
        InputStream source = in;
        if (source == null) {
            return false;
        }
        int largest = origin + maxObjectBytes;
        if (limit >= largest) {
            throw expected("an object of less than " + maxObjectBytes + " bytes (JsonCodec.withMaxObjectBytes)");
        }
        if (window.length - limit <= SLACK) {
            window = Arrays.copyOf(window, Math.min(window.length * 2, largest + SLACK));
        }
        try {
            int count = source.read(window, limit, Math.min(window.length - SLACK, largest) - limit);
            if (count > 0) {
                limit += count;
            }
            zeroSlack();
            return count > 0;
        } catch (SocketTimeoutException e) {
            throw new TransportException(TransportException.Kind.TIMEOUT, interrupted(e), e);
        } catch (IOException e) {
            throw new TransportException(TransportException.Kind.BROKEN, interrupted(e), e);
        }
    }

    private String interrupted(IOException e) {
        zeroSlack();
        return "reading a JSON document was interrupted at " + path() + ": " + e.getMessage();
    }

    private void zeroSlack() {
        LONGS.set(window, limit, 0L);
    }

    /** Returns an error about the token at the current position. */
    public DecodeException expected(String what) {
        return new DecodeException("expected " + what + " at " + path() + ", found " + found(), null);
    }

    /** Returns an error about the value that begins at this place. */
    public DecodeException expected(String what, int from, @Nullable Throwable cause) {
        position = from;
        return new DecodeException("expected " + what + " at " + path() + ", found " + found(), cause);
    }

    /** Returns an error about the value that ends at the current position. */
    public DecodeException rejected(String reason, Throwable cause) {
        return new DecodeException("cannot read " + path() + ": " + reason, cause);
    }

    private String path() {
        String base = baseIndex < 0 ? basePath : basePath + "[" + baseIndex + "]";
        return base + JsonPaths.to(window, origin, position, originInObject);
    }

    private String found() {
        return JsonPaths.describe(window, position, limit);
    }
}
