/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The difference of two structs as upstream's messages show it: a unified diff of their internal forms as indented JSON
 * (upstream: {@code apimachinery/pkg/util/diff}).
 */
public final class InternalDiff {

    private static final int CONTEXT = 3;

    private InternalDiff() {}

    /** Returns the difference between two objects of a type. */
    public static String of(String type, JsonObject before, JsonObject after) {
        return between(InternalForm.of(type, before), InternalForm.of(type, after));
    }

    /** Returns the difference between two objects in their internal form. */
    public static String between(JsonObject before, JsonObject after) {
        return unified(lines(before), lines(after));
    }

    private static List<String> lines(JsonValue value) {
        StringBuilder text = new StringBuilder();
        write(value, 0, text);
        return List.of(text.toString().split("\n", -1));
    }

    private static void write(JsonValue value, int depth, StringBuilder text) {
        if (value instanceof JsonObject object && !object.isEmpty()) {
            text.append("{\n");
            int left = object.members().size();
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                text.append(" ".repeat(depth + 1))
                        .append('"')
                        .append(member.getKey())
                        .append("\": ");
                write(member.getValue(), depth + 1, text);
                text.append(--left == 0 ? "\n" : ",\n");
            }
            text.append(" ".repeat(depth)).append('}');
        } else if (value instanceof JsonArray array && !array.isEmpty()) {
            text.append("[\n");
            int left = array.size();
            for (JsonValue element : array) {
                text.append(" ".repeat(depth + 1));
                write(element, depth + 1, text);
                text.append(--left == 0 ? "\n" : ",\n");
            }
            text.append(" ".repeat(depth)).append(']');
        } else {
            text.append(value);
        }
    }

    /** A line of a difference; the mark is a space, a plus or a minus. */
    private record Line(char mark, String text) {}

    private static String unified(List<String> before, List<String> after) {
        List<Line> lines = compare(before, after);
        StringBuilder text = new StringBuilder();
        int[] numbers = {1, 1};
        int at = 0;
        while (at < lines.size()) {
            int change = nextChange(lines, at);
            if (change == lines.size()) {
                break;
            }
            int start = Math.max(at, change - CONTEXT);
            skip(lines, at, start, numbers);
            int end = hunkEnd(lines, change);
            hunk(lines.subList(start, end), numbers, text);
            at = end;
        }
        return text.toString();
    }

    private static int nextChange(List<Line> lines, int from) {
        int i = from;
        while (i < lines.size() && lines.get(i).mark() == ' ') {
            i++;
        }
        return i;
    }

    /** Returns the end of a hunk: changes that are at most two contexts apart are in the same hunk. */
    private static int hunkEnd(List<Line> lines, int change) {
        int last = change;
        while (true) {
            int i = last;
            while (i < lines.size() && lines.get(i).mark() != ' ') {
                i++;
            }
            int next = nextChange(lines, i);
            if (next == lines.size() || next - i > 2 * CONTEXT) {
                return Math.min(lines.size(), i + CONTEXT);
            }
            last = next;
        }
    }

    private static void skip(List<Line> lines, int from, int to, int[] numbers) {
        for (Line line : lines.subList(from, to)) {
            count(line, numbers);
        }
    }

    private static void count(Line line, int[] numbers) {
        numbers[0] += line.mark() == '+' ? 0 : 1;
        numbers[1] += line.mark() == '-' ? 0 : 1;
    }

    private static void hunk(List<Line> lines, int[] numbers, StringBuilder text) {
        int[] start = numbers.clone();
        lines.forEach(line -> count(line, numbers));
        text.append("@@ -").append(range(start[0], numbers[0]));
        text.append(" +").append(range(start[1], numbers[1])).append(" @@\n");
        lines.forEach(line -> text.append(line.mark()).append(line.text()).append('\n'));
    }

    private static String range(int start, int end) {
        return switch (end - start) {
            case 0 -> start - 1 + ",0";
            case 1 -> Integer.toString(start);
            default -> start + "," + (end - start);
        };
    }

    /** Returns the lines of both texts, with those removed before those added. */
    private static List<Line> compare(List<String> before, List<String> after) {
        List<Line> lines = new ArrayList<>();
        int i = 0;
        int j = 0;
        for (LineMatcher.Block block : new LineMatcher(before, after).blocks()) {
            before.subList(i, block.before()).forEach(line -> lines.add(new Line('-', line)));
            after.subList(j, block.after()).forEach(line -> lines.add(new Line('+', line)));
            i = block.before() + block.size();
            j = block.after() + block.size();
            before.subList(block.before(), i).forEach(line -> lines.add(new Line(' ', line)));
        }
        return lines;
    }
}
