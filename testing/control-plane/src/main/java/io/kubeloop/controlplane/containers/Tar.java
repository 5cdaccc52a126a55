/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** Archives in the format of POSIX (ustar), as {@code kubectl cp} sends and reads them: files and directories. */
final class Tar {

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int PREFIX = 345;
    private static final int PREFIX_LENGTH = 155;
    private static final int LARGEST = 16 << 20;
    private static final int LONGEST_PATH = 4096;

    private Tar() {}

    /** Extracts an archive below a directory, and ignores owners, modes, times and links. */
    static void extract(InputStream in, MemoryFiles files, String directory) throws IOException {
        String longName = "";
        for (byte[] header = block(in); header != null && header[0] != 0; header = block(in)) {
            long size = octal(header, 124, 12);
            if (size < 0 || size > LARGEST) {
                throw new IOException("No space left on device");
            }
            char type = (char) header[156];
            String name = longName.isEmpty() ? name(header) : longName;
            longName = "";
            switch (type) {
                case 'x' -> longName = extendedPath(longPath(in, size));
                case 'L' -> {
                    byte[] content = longPath(in, size);
                    longName = text(content, 0, content.length);
                }
                case '5' -> {
                    in.skipNBytes(size);
                    files.makeDirectory(directory + "/" + name);
                }
                case '0', '\0', '7' -> files.write(directory + "/" + name, (int) size, in);
                default -> in.skipNBytes(size); // a link or a device, which the files in memory do not have
            }
            in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
            if (longName.length() > LONGEST_PATH) {
                throw new IOException("a path in the archive is too long");
            }
        }
        in.transferTo(OutputStream.nullOutputStream()); // the padding
    }

    /** Reads the content of a header that only names the next file. */
    private static byte[] longPath(InputStream in, long size) throws IOException {
        if (size > 2 * LONGEST_PATH) {
            throw new IOException("a path in the archive is too long");
        }
        byte[] content = in.readNBytes((int) size);
        if (content.length < size) {
            throw new EOFException("Unexpected EOF in archive");
        }
        return content;
    }

    /** Returns the next block; null at the end of the input. */
    private static byte @org.jspecify.annotations.Nullable [] block(InputStream in) throws IOException {
        byte[] block = in.readNBytes(BLOCK);
        if (block.length > 0 && block.length < BLOCK) {
            throw new EOFException("Unexpected EOF in archive");
        }
        return block.length == 0 ? null : block;
    }

    private static String name(byte[] header) {
        String prefix = text(header, 257, 5).equals("ustar") ? text(header, PREFIX, PREFIX_LENGTH) : "";
        String name = text(header, 0, NAME);
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    private static long octal(byte[] bytes, int from, int length) {
        long value = 0;
        for (int i = from; i < from + length; i++) {
            int digit = bytes[i] - '0';
            if (digit >= 0 && digit < 8) {
                value = value << 3 | digit;
            } else if (bytes[i] != 0 && bytes[i] != ' ') {
                return -1;
            }
        }
        return value;
    }

    /** Returns the path of an extended header, whose records are {@code LENGTH KEY=VALUE}; empty if it has none. */
    private static String extendedPath(byte[] content) {
        for (String line : new String(content, StandardCharsets.UTF_8).split("\n", -1)) {
            int key = line.indexOf(" path=");
            if (key > 0) {
                return line.substring(key + " path=".length());
            }
        }
        return "";
    }

    /** Writes a file or a directory with everything below it, under its path without the first slash. */
    static void create(MemoryFiles files, String path, OutputStream out) throws IOException {
        for (String each : files.below(path)) {
            if (!each.equals("/")) {
                boolean isDirectory = files.isDirectory(each);
                byte[] content =
                        isDirectory ? new byte[0] : Objects.requireNonNullElse(files.content(each), new byte[0]);
                out.write(header(each.substring(1) + (isDirectory ? "/" : ""), content.length, isDirectory));
                out.write(content);
                out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
            }
        }
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }

    private static byte[] header(String path, int size, boolean isDirectory) throws IOException {
        byte[] header = new byte[BLOCK];
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        int split = name.length <= NAME ? 0 : path.indexOf('/', Math.max(0, path.length() - NAME - 1));
        if (name.length > NAME && (split <= 0 || split > PREFIX_LENGTH || name.length != path.length())) {
            throw new IOException(path + ": the path is too long for the archive");
        }
        put(header, 0, split == 0 ? path : path.substring(split + 1));
        put(header, PREFIX, split == 0 ? "" : path.substring(0, split));
        put(header, 100, isDirectory ? "0000755" : "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, String.format("%011o", size));
        put(header, 136, "00000000000");
        header[156] = (byte) (isDirectory ? '5' : '0');
        put(header, 257, "ustar");
        put(header, 263, "00");
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, String.format("%06o", sum));
        header[154] = 0;
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
