/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which images are pulled always: those whose tag is latest, as kube-apiserver reads their names. */
class ImageNamesTest {

    @ParameterizedTest
    @CsvSource({
        "nginx, true",
        "nginx:latest, true",
        "nginx:1.25, false",
        "example.com:5000/team/app, true",
        "example.com:5000/team/app:v1, false",
        "app@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false",
        "Bad Value!, false",
        "team/App, false",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false"
    })
    void knowsWhetherTheTagIsLatest(String image, boolean latest) {
        assertThat(ImageNames.isLatest(image)).isEqualTo(latest);
    }
}
