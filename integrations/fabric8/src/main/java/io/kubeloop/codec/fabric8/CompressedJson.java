/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** JSON in the format deflate, and the dictionary that it refers to. Immutable. */
final class CompressedJson {

    private final byte[] dictionary;
    private final byte[] data;
    private final int length;

    CompressedJson(byte[] dictionary, byte[] data, int length) {
        this.dictionary = dictionary;
        this.data = data;
        this.length = length;
    }

    byte[] toBytes() {
        byte[] json = new byte[length];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setDictionary(dictionary);
            inflater.setInput(data);
            int done = 0;
            int read = -1;
            while (done < length && read != 0) {
                read = inflater.inflate(json, done, length - done);
                done += read;
            }
            if (done < length) {
                throw new IllegalStateException(
                        "Cannot decompress: only " + done + " of " + length + " bytes came out");
            }
            return json;
        } catch (DataFormatException e) {
            throw new IllegalStateException("Cannot decompress what this process has compressed", e);
        } finally {
            inflater.end();
        }
    }
}
