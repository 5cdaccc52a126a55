/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts are those of kube-apiserver 1.37.2 about definitions. */
class WebhookAddressTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "https://h:1/%zz | url must be a valid URL: parse \"https://h:1/%zz\": invalid URL escape \"%zz\"",
                "https://h ost | url must be a valid URL: parse \"https://h ost\": invalid character \" \" in host "
                        + "name",
                "https://[::1 | url must be a valid URL: parse \"https://[::1\": missing ']' in host",
                "https://h:x/ | url must be a valid URL: parse \"https://h:x/\": invalid port \":x\" after host",
                "1a:b | url must be a valid URL: parse \"1a:b\": first path segment in URL cannot contain colon",
                "http://x | 'https' is the only allowed URL scheme",
                "https:// | host must be specified",
            })
    void urls(String url, String detail) {
        assertThat(messages(JsonObject.EMPTY.with("url", url)))
                .contains(detail + "; desired format: https://host[/path]");
    }

    @ParameterizedTest
    @CsvSource({"https://[::1]:443/a%20b", "HTTPS://h:1", "https://h/a b"})
    void validUrls(String url) {
        assertThat(messages(JsonObject.EMPTY.with("url", url))).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "// | 443 | [service.path: Invalid value: \"//\": segment[0] may not be empty]",
                "/ | 443 | []",
                "/a | 0 | [service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive]",
            })
    void services(String path, int port, String expected) {
        JsonObject service =
                JsonObject.EMPTY.with("name", "n").with("namespace", "s").with("path", path);
        assertThat(messages(JsonObject.of("service", service.with("port", JsonNumber.of(port)))))
                .isEqualTo(expected);
    }

    private static String messages(JsonObject client) {
        FieldErrors errors = new FieldErrors();
        WebhookAddress.client(FieldCursor.of(client, errors));
        return errors.list().stream().map(error -> error.message()).toList().toString();
    }
}
