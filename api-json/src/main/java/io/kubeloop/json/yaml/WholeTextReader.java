/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import java.io.Reader;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Constant;

/**
 * The characters of a text for SnakeYAML's scanner. SnakeYAML's own reader holds a window of the text, which it copies
 * once per 1024 characters of a word: time quadratic in the length of the longest word. Not thread-safe.
 */
final class WholeTextReader extends StreamReader {

    private static final String NAME = "'reader'";
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private final int[] points;

    /** The characters as SnakeYAML's scanner looks at them; it takes words and scalars from the points. */
    private final int[] scanned;

    private int next;
    private int documentStart;
    private int line;
    private int column;

    /**
     * Creates a reader at the beginning of a text.
     *
     * @throws ReaderException if YAML does not allow one of its characters
     */
    WholeTextReader(String text) {
        super(Reader.nullReader());
        points = text.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            if (!isPrintable(points[i])) {
                throw new ReaderException(NAME, i, points[i], "special characters are not allowed");
            }
        }
        scanned = withoutTabsAtEnds(points);
    }

    /** Go allows tabs after a value at the end of a line; SnakeYAML allows only spaces. */
    private static int[] withoutTabsAtEnds(int[] points) {
        int[] result = points;
        int blanks = 0;
        for (int i = 0; i <= points.length; i++) {
            int point = i < points.length ? points[i] : '\n';
            boolean isBlank = point == ' ' || point == '\t';
            boolean isAfterContent = i > blanks && blanks > 0 && !Constant.LINEBR.has(points[i - blanks - 1]);
            for (int tab = i - blanks; Constant.LINEBR.has(point) && isAfterContent && tab < i; tab++) {
                if (points[tab] == '\t') {
                    result = result == points ? points.clone() : result;
                    result[tab] = ' ';
                }
            }
            blanks = isBlank ? blanks + 1 : 0;
        }
        return result;
    }

    @Override
    public Mark getMark() {
        return new Mark(NAME, next, line, column, points, next);
    }

    @Override
    public void forward() {
        forward(1);
    }

    @Override
    public void forward(int count) {
        for (int i = 0; i < count && next < points.length; i++) {
            int point = points[next++];
            if (Constant.LINEBR.has(point) || (point == '\r' && peek() != '\n')) {
                line++;
                column = 0;
            } else if (point != BYTE_ORDER_MARK) {
                column++;
            }
        }
    }

    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int ahead) {
        return ahead < points.length - next ? scanned[next + ahead] : 0;
    }

    @Override
    public String prefix(int length) {
        return new String(points, next, Math.min(length, points.length - next));
    }

    @Override
    public String prefixForward(int length) {
        String prefix = prefix(length);
        next += length;
        column += length;
        return prefix;
    }

    @Override
    public int getColumn() {
        return column;
    }

    @Override
    public int getDocumentIndex() {
        return next - documentStart;
    }

    @Override
    public void resetDocumentIndex() {
        documentStart = next;
    }

    @Override
    public int getIndex() {
        return next;
    }

    @Override
    public int getLine() {
        return line;
    }
}
