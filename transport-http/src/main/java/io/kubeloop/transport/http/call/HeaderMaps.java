/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.Headers;

/** Converts headers to the form of the transport contract: names in lower case. Stateless. */
final class HeaderMaps {

    private HeaderMaps() {}

    static Map<String, List<String>> of(Headers headers) {
        Map<String, List<String>> map = new LinkedHashMap<>();
        for (int i = 0; i < headers.size(); i++) {
            map.computeIfAbsent(headers.name(i).toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
                    .add(headers.value(i));
        }
        return map;
    }
}
