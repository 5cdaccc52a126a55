/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

/** Object keys of about 45 characters, as controllers use them. */
final class Keys {

    private Keys() {}

    static String[] distinct(int count) {
        String[] keys = new String[count];
        for (int i = 0; i < count; i++) {
            keys[i] = "team-%d/checkout-service-%d-adde8f3701-%05d".formatted(i % 100, i / 20, i);
        }
        return keys;
    }
}
