package io.kubeloop.apiserver.kinds.validation;

import java.util.Base64;

/** Base64 as upstream decodes it: with padding, and with line breaks at any position. */
public final class Base64Text {

    private static final int GROUP = 4;

    private Base64Text() {}

    /** Returns the Base64 form of bytes. */
    public static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Decodes a valid text. */
    static byte[] decode(String text) {
        return Base64.getDecoder().decode(text.replace("\r", "").replace("\n", ""));
    }

    /** Returns the index of the byte at which decoding fails; -1 if the text is valid. */
    static int errorIndex(String text) {
        int inGroup = 0;
        int groupStart = 0;
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (isLineBreak(c)) {
                i++;
            } else if (c == '=') {
                return errorIndexInPadding(text, i, inGroup);
            } else if (isDigit(c)) {
                i++;
                inGroup = (inGroup + 1) % GROUP;
                groupStart = inGroup == 0 ? i : groupStart;
            } else {
                return i;
            }
        }
        return inGroup == 0 ? -1 : groupStart;
    }

    private static int errorIndexInPadding(String text, int at, int inGroup) {
        if (inGroup < 2) {
            return at;
        }
        int end = at + 1;
        if (inGroup == 2) {
            end = afterLineBreaks(text, end);
            if (end == text.length()) {
                return end;
            }
            if (text.charAt(end) != '=') {
                return end - 1;
            }
            end++;
        }
        end = afterLineBreaks(text, end);
        return end < text.length() ? end : -1;
    }

    private static int afterLineBreaks(String text, int from) {
        int i = from;
        while (i < text.length() && isLineBreak(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean isLineBreak(char c) {
        return c == '\n' || c == '\r';
    }

    private static boolean isDigit(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}
