/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Translates a regular expression from the syntax of Go 1.26 into that of RE2/J, and applies the limits of Go that
 * RE2/J lacks: nested repetitions, depth and size. Used once, in time that is linear in the length of the expression.
 */
final class GoPatternSyntax {

    /** The most repetitions of one atom, counted through nested repetitions (Go: {@code repeatIsValid}). */
    private static final long MOST_REPETITIONS = 1000;

    /** RE2/J follows the instructions that consume nothing with a recursion, and a thread may have 512 KiB of stack. */
    private static final long MOST_JUMPS = 2000;

    private static final int MOST_OPEN_GROUPS = 1000;

    /** The most instructions of a program. Go allows 3.3 million, which take a JVM hundreds of megabytes. */
    private static final long MOST_INSTRUCTIONS = 100_000;

    /** The longest expression. Go has no such limit, but RE2/J parses n characters in n² steps. */
    private static final int MOST_CHARACTERS = 10_000;

    /** The longest translated expression, in which a class may be written as its ranges. */
    private static final int MOST_TRANSLATED = 60_000;

    private final String text;
    private final StringBuilder out = new StringBuilder();
    private final Deque<Size> enclosing = new ArrayDeque<>();
    private Size group = new Size();
    private final Set<String> names = new HashSet<>();
    private int at;

    /** Whether the cursor is behind a repetition, which RE2/J does not let another one follow. */
    private boolean repeated;

    GoPatternSyntax(String text) {
        this.text = text;
    }

    /** What a group contains so far. */
    private static final class Size {
        private long instructions;
        private long repetitions = 1;

        /** Instructions that consume nothing, of the atoms that may match the empty text. */
        private long jumps;

        private int alternatives = 1;
        private boolean nullableAlternative;
        private boolean nullableSoFar = true;
        private boolean nullableBeforeLast = true;
        private Atom last = Atom.CHARACTER;

        void add(Atom atom) {
            instructions += atom.instructions;
            repetitions = Math.max(repetitions, atom.repetitions);
            jumps += atom.jumps;
            nullableBeforeLast = nullableSoFar;
            nullableSoFar &= atom.nullable;
            last = atom;
        }

        void repeatLast(int minimum, int maximum) {
            Atom atom = last.repeated(minimum, maximum);
            instructions += atom.instructions - last.instructions;
            repetitions = Math.max(repetitions, atom.repetitions);
            jumps += atom.jumps - last.jumps;
            nullableSoFar = nullableBeforeLast && atom.nullable;
            last = atom;
        }

        void endAlternative() {
            alternatives++;
            nullableAlternative |= nullableSoFar;
            nullableSoFar = true;
        }

        Atom closed() {
            boolean nullable = nullableAlternative || nullableSoFar;
            return new Atom(instructions + 2, repetitions, jumps + (nullable ? 2L * alternatives : 0), nullable);
        }
    }

    /** The expression before the cursor that a repetition applies to. */
    private record Atom(long instructions, long repetitions, long jumps, boolean nullable) {

        static final Atom CHARACTER = new Atom(1, 1, 0, false);
        static final Atom ASSERTION = new Atom(1, 1, 1, true);

        Atom repeated(int minimum, int maximum) {
            boolean mayBeEmpty = nullable || minimum == 0;
            int copies = Math.max(1, maximum);
            return new Atom(
                    instructions * copies,
                    Math.max(1, repetitions * maximum),
                    (jumps + (mayBeEmpty ? 2 : 0)) * copies,
                    mayBeEmpty);
        }
    }

    String toRe2() {
        if (text.length() > MOST_CHARACTERS) {
            throw new PatternSyntaxException("expression too large", text);
        }
        while (at < text.length()) {
            boolean afterRepetition = repeated;
            repeated = false;
            switch (text.charAt(at)) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> open();
                case ')' -> close();
                case '{' -> repeat(afterRepetition);
                case '*', '+', '?' -> {
                    group.repeatLast(text.charAt(at) == '+' ? 1 : 0, 1);
                    copy(1);
                    repeated = true;
                }
                case '|' -> {
                    copy(1);
                    group.endAlternative();
                }
                default -> {
                    group.add("^$".indexOf(text.charAt(at)) < 0 ? Atom.CHARACTER : Atom.ASSERTION);
                    copy(1);
                }
            }
            if (group.instructions > MOST_INSTRUCTIONS || group.jumps > MOST_JUMPS || out.length() > MOST_TRANSLATED) {
                throw new PatternSyntaxException("expression too large", text);
            }
        }
        return out.toString();
    }

    private void copy(int length) {
        int end = Math.min(text.length(), at + length);
        out.append(text, at, end);
        at = end;
    }

    private void open() {
        boolean named = text.startsWith("(?P<", at) || text.startsWith("(?<", at);
        if (named) {
            int start = text.indexOf('<', at) + 1;
            int end = start;
            while (end < text.length() && isWord(text.charAt(end))) {
                end++;
            }
            if (end > start && text.startsWith(">", end)) {
                // Two groups of Go may have one name, and nothing reads a group by its name.
                out.append(names.add(text.substring(start, end)) ? text.substring(at, end + 1) : "(");
                at = end + 1;
                push();
                return;
            }
            if (text.substring(at).equals("(?P<")) {
                throw new PatternSyntaxException("invalid or unsupported Perl syntax", "(?P");
            }
        } else if (text.startsWith("(?", at)) {
            int end = at + 2;
            while (end < text.length() && "imsU-".indexOf(text.charAt(end)) >= 0) {
                end++;
            }
            if (text.startsWith(")", end)) {
                copy(end + 1 - at);
                return;
            }
        }
        copy(1);
        push();
        if (text.startsWith("?", at)) {
            copy(1);
        }
    }

    private void push() {
        enclosing.push(group);
        group = new Size();
        if (enclosing.size() >= MOST_OPEN_GROUPS) {
            throw new PatternSyntaxException("expression nests too deeply", text);
        }
    }

    private void close() {
        if (enclosing.isEmpty()) {
            throw new PatternSyntaxException("unexpected )", text);
        }
        Atom closed = group.closed();
        group = enclosing.pop();
        group.add(closed);
        copy(1);
    }

    /** Copies a repetition such as {@code {2,5}}; other braces are literal. */
    private void repeat(boolean afterRepetition) {
        int start = at;
        int end = start + 1;
        int comma = -1;
        while (end < text.length() && (isDigit(text.charAt(end)) || (text.charAt(end) == ',' && comma < 0))) {
            comma = text.charAt(end) == ',' ? end : comma;
            end++;
        }
        int endOfMinimum = comma < 0 ? end : comma;
        if (!text.startsWith("}", end) || endOfMinimum == start + 1) {
            copy(1);
            group.add(Atom.CHARACTER);
            return;
        }
        copy(end + 1 - start);
        if (text.startsWith("?", at)) {
            copy(1);
        }
        repeated = true;
        if (afterRepetition) {
            return;
        }
        int minimum = number(start + 1, endOfMinimum);
        int maximum = comma < 0 || comma + 1 == end ? minimum : number(comma + 1, end);
        if (maximum * group.last.repetitions > MOST_REPETITIONS) {
            throw new PatternSyntaxException("invalid repeat count", text.substring(start, at));
        }
        group.repeatLast(minimum, maximum);
    }

    /** Returns a decimal number, or one that is above every limit. */
    private int number(int start, int end) {
        return end - start > 8 ? Integer.MAX_VALUE : Integer.parseInt(text.substring(start, end));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(char c) {
        return isDigit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    }

    private void escape() {
        if (text.startsWith("\\Q", at)) {
            int end = text.indexOf("\\E", at);
            int length = (end < 0 ? text.length() : end + 2) - at;
            copy(length);
            group.add(Atom.CHARACTER);
            group.instructions += length;
            return;
        }
        escapeInClass(false);
        group.add(Atom.CHARACTER);
    }

    private void escapeInClass(boolean inClass) {
        if (at + 1 >= text.length()) {
            throw new PatternSyntaxException("trailing backslash at end of expression", "");
        }
        int next = text.codePointAt(at + 1);
        if (next >= 0x80) {
            throw new PatternSyntaxException("invalid escape sequence", "\\" + Character.toString(next));
        }
        boolean braced = (next == 'p' || next == 'P') && text.startsWith("{", at + 2);
        int end = braced ? text.indexOf('}', at) : -1;
        if (end < 0) {
            boolean letter = (next == 'p' || next == 'P') && at + 2 < text.length();
            if (letter && Character.isLowerCase(text.charAt(at + 2))) {
                out.append('\\').append((char) next).append(Character.toUpperCase(text.charAt(at + 2)));
                at += 3;
            } else if (next == 'x' && text.startsWith("{", at + 2)) {
                int close = text.indexOf('}', at);
                copy(close < 0 ? 3 : close + 1 - at);
            } else {
                copy(2);
            }
            return;
        }
        String name = text.substring(at + 3, end);
        boolean inverted = name.startsWith("^");
        String bare = inverted ? name.substring(1) : name;
        out.append(UnicodeClasses.toRe2(bare, inverted == (next == 'p'), inClass, text.substring(at, end + 1)));
        at = end + 1;
    }

    private void characterClass() {
        copy(1);
        if (text.startsWith("^", at)) {
            copy(1);
        }
        boolean first = true;
        while (at < text.length() && out.length() <= MOST_TRANSLATED && (first || text.charAt(at) != ']')) {
            first = false;
            int named = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
            if (named >= 0) {
                copy(named + 2 - at);
            } else if (text.charAt(at) == '\\') {
                escapeInClass(true);
            } else {
                copy(1);
            }
        }
        copy(1);
        group.add(Atom.CHARACTER);
    }
}
