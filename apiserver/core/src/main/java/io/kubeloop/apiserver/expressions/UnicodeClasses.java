/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The names of Unicode classes that Go 1.26 accepts and RE2/J does not: names in another case, the long names of
 * categories, and four classes that RE2/J lacks. Static functions only.
 */
final class UnicodeClasses {

    /** The long names of the categories (Unicode: PropertyValueAliases), without separators, in lower case. */
    private static final Map<String, String> CATEGORIES = Map.ofEntries(
            Map.entry("letter", "L"),
            Map.entry("uppercaseletter", "Lu"),
            Map.entry("lowercaseletter", "Ll"),
            Map.entry("titlecaseletter", "Lt"),
            Map.entry("modifierletter", "Lm"),
            Map.entry("otherletter", "Lo"),
            Map.entry("mark", "M"),
            Map.entry("combiningmark", "M"),
            Map.entry("nonspacingmark", "Mn"),
            Map.entry("spacingmark", "Mc"),
            Map.entry("enclosingmark", "Me"),
            Map.entry("number", "N"),
            Map.entry("decimalnumber", "Nd"),
            Map.entry("digit", "Nd"),
            Map.entry("letternumber", "Nl"),
            Map.entry("othernumber", "No"),
            Map.entry("punctuation", "P"),
            Map.entry("punct", "P"),
            Map.entry("connectorpunctuation", "Pc"),
            Map.entry("dashpunctuation", "Pd"),
            Map.entry("openpunctuation", "Ps"),
            Map.entry("closepunctuation", "Pe"),
            Map.entry("initialpunctuation", "Pi"),
            Map.entry("finalpunctuation", "Pf"),
            Map.entry("otherpunctuation", "Po"),
            Map.entry("symbol", "S"),
            Map.entry("mathsymbol", "Sm"),
            Map.entry("currencysymbol", "Sc"),
            Map.entry("modifiersymbol", "Sk"),
            Map.entry("othersymbol", "So"),
            Map.entry("separator", "Z"),
            Map.entry("spaceseparator", "Zs"),
            Map.entry("lineseparator", "Zl"),
            Map.entry("paragraphseparator", "Zp"),
            Map.entry("other", "C"),
            Map.entry("control", "Cc"),
            Map.entry("cntrl", "Cc"),
            Map.entry("format", "Cf"),
            Map.entry("surrogate", "Cs"),
            Map.entry("privateuse", "Co"));

    private static boolean isCased(int code) {
        int type = Character.getType(code);
        return type == Character.UPPERCASE_LETTER
                || type == Character.LOWERCASE_LETTER
                || type == Character.TITLECASE_LETTER;
    }

    /** The classes that RE2/J lacks. */
    private static final Map<String, IntPredicate> CLASSES = Map.of(
            "ascii",
            code -> code < 0x80,
            "assigned",
            Character::isDefined,
            "lc",
            UnicodeClasses::isCased,
            "casedletter",
            UnicodeClasses::isCased,
            "cn",
            code -> !Character.isDefined(code),
            "unassigned",
            code -> !Character.isDefined(code));

    private static final Map<String, String> SCRIPTS = scripts();

    private UnicodeClasses() {}

    private static Map<String, String> scripts() {
        Map<String, String> names = new HashMap<>();
        for (Character.UnicodeScript script : Character.UnicodeScript.values()) {
            StringBuilder name = new StringBuilder(script.name().toLowerCase(Locale.ROOT));
            for (int i = 0; i < name.length(); i++) {
                if (i == 0 || name.charAt(i - 1) == '_') {
                    name.setCharAt(i, Character.toUpperCase(name.charAt(i)));
                }
            }
            names.put(normalized(name.toString()), name.toString());
        }
        return Map.copyOf(names);
    }

    private static String normalized(String name) {
        return name.replace("_", "").replace(" ", "").replace("-", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the class in RE2/J's syntax.
     *
     * @param name the name of the class, without a sign
     * @param negated whether the class contains all other characters
     * @param inClass whether the name stands in brackets
     * @param text the text of the class in the expression, which the error names
     */
    static String toRe2(String name, boolean negated, boolean inClass, String text) {
        String sign = negated ? "\\P{" : "\\p{";
        String normalized = normalized(name);
        IntPredicate members = CLASSES.get(normalized);
        if (members != null) {
            String ranges = ranges(negated ? members.negate() : members);
            return inClass ? ranges : "[" + ranges + "]";
        }
        for (String known : List.of(
                name,
                normalized.isEmpty()
                        ? name
                        : normalized.substring(0, 1).toUpperCase(Locale.ROOT) + normalized.substring(1),
                CATEGORIES.getOrDefault(normalized, name),
                SCRIPTS.getOrDefault(normalized, name))) {
            if (isKnown(known)) {
                return sign + known + "}";
            }
        }
        throw new PatternSyntaxException("invalid character class range", text);
    }

    private static boolean isKnown(String name) {
        try {
            return !name.startsWith("^") && Pattern.compile("\\p{" + name + "}") != null;
        } catch (PatternSyntaxException e) {
            return false; // the caller tries the next name
        }
    }

    private static String ranges(IntPredicate members) {
        StringBuilder ranges = new StringBuilder();
        for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
            if (members.test(code)) {
                int start = code;
                while (code < Character.MAX_CODE_POINT && members.test(code + 1)) {
                    code++;
                }
                ranges.append(String.format("\\x{%x}-\\x{%x}", start, code));
            }
        }
        return ranges.toString();
    }
}
