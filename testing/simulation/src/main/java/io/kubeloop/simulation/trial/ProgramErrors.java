/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the mistakes of a program in what it prints, or in the stack trace of what it throws: panics, and exceptions of
 * kinds that no answer of a server explains, such as a null pointer. An exception counts only with its stack trace.
 * Stateless.
 */
final class ProgramErrors {

    private static final String JAVA = "(?:NullPointer|ClassCast|(?:Array|String)?IndexOutOfBounds|NoSuchElement"
            + "|ConcurrentModification|Arithmetic|NegativeArraySize|ArrayStore|UnsupportedOperation)Exception"
            + "|(?:StackOverflow|OutOfMemory|Assertion|NoClassDefFound|NoSuchMethod|NoSuchField|"
            + "ExceptionInInitializer)Error";

    private static final String PYTHON =
            "(?:Attribute|Index|Key|Name|Recursion|Type|UnboundLocal|ZeroDivision|Assertion|NotImplemented)Error";

    /** The error is the first group. */
    private static final List<Pattern> PATTERNS = List.of(
            // Go: a panic that ends the program, and one that controller-runtime or client-go recovers.
            Pattern.compile("^panic: (.{1,200})$", Pattern.MULTILINE),
            Pattern.compile("^fatal error: (.{1,200})$", Pattern.MULTILINE),
            Pattern.compile("Observed a panic.{0,20}?\"?panic\"?[=:] ?(\"?[^\\n]{1,120})"),
            // Rust
            Pattern.compile("^thread '[^'\\n]*'(?: \\(\\d+\\))? panicked at (.{1,200})$", Pattern.MULTILINE),
            // The JVM
            Pattern.compile("((?:\\w+\\.)*(?:" + JAVA + "))(?::[^\\n]*)?\\n\\s+at "),
            // Python: the last line of a traceback
            Pattern.compile("Traceback \\(most recent call last\\):\\n(?:[ \\t].*\\n|\\n)*(" + PYTHON + ")\\b"),
            // JavaScript
            Pattern.compile("\\b((?:Type|Reference|Range)Error): [^\\n]*\\n\\s+at "),
            // .NET
            Pattern.compile("\\b(System\\.(?:NullReference|InvalidCast|IndexOutOfRange|DivideByZero)Exception)\\b"));

    /** Addresses and numbers differ between runs. */
    private static final Pattern NUMBERS = Pattern.compile("0x[0-9a-f]+|\\d+");

    private ProgramErrors() {}

    /** Returns the mistakes in an output, sorted and without their numbers. O(length of the output). */
    static Set<String> in(String output) {
        List<String> found = new ArrayList<>();
        for (Pattern pattern : PATTERNS) {
            Matcher matcher = pattern.matcher(output);
            while (matcher.find()) {
                found.add(NUMBERS.matcher(matcher.group(1)).replaceAll("N").strip());
            }
        }
        return new TreeSet<>(found);
    }
}
