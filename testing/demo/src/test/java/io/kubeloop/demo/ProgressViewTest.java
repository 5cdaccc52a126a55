/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.demo.Convergence.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressViewTest {

    private final StringWriter text = new StringWriter();

    private static List<Row> rows(int ready) {
        return List.of(
                new Row("ReplicaSet", new ObjectName("shop", "web"), 3, 3, ready, ready == 3),
                new Row("Service", new ObjectName("shop", "web"), 3, ready, ready, true));
    }

    private ProgressView view(boolean terminal) {
        return new ProgressView(new PrintWriter(text, true), terminal);
    }

    private String printed() {
        return text.toString();
    }

    private static List<Row> manyRows(int ready) {
        List<Row> rows = new ArrayList<>(rows(ready));
        while (rows.size() <= Narrator.MAX_OBJECTS) {
            rows.add(new Row("Service", new ObjectName("shop", "empty-" + rows.size()), 1, 0, 0, true));
        }
        return rows;
    }

    @Test
    void show_manyObjectsInAPipe_printsOneLineForEachChange() {
        ProgressView view = view(false);
        view.show(10, manyRows(1));
        view.show(20, manyRows(1));
        view.show(30, manyRows(3));
        assertThat(printed().lines())
                .containsExactly(
                        "  0.010 s  pods 3 of 3, ready 1 of 3; Services with the addresses of all their pods: 0 of 12",
                        "  0.030 s  pods 3 of 3, ready 3 of 3; Services with the addresses of all their pods: 1 of 12");
    }

    @Test
    void show_fewObjectsInAPipe_printsNothing_asEachIsExplained() {
        view(false).show(10, rows(1));
        assertThat(printed()).isEmpty();
    }

    @Test
    void result_serviceWithoutAReadyPod_isWaiting() {
        view(false).result(List.of(new Row("Service", new ObjectName("shop", "web"), 3, 3, 0, true)));
        assertThat(printed()).contains("waiting").doesNotContain("settled");
    }

    @Test
    void show_onATerminal_redrawsTheTable() {
        ProgressView view = view(true);
        view.show(10, rows(1));
        view.show(20, rows(3));
        assertThat(printed()).contains("shop/web").contains("\033[3A\033[J").containsOnlyOnce("...");
    }

    @Test
    void show_onATerminalOf80Columns_takesOneLineForEachRow() {
        view(true)
                .show(
                        10,
                        List.of(new Row(
                                "ReplicationController", new ObjectName("default", "web-67fd4cfb5c"), 3, 3, 3, true)));
        assertThat(printed()).startsWith("\033[?7l").endsWith("\033[?7h");
        assertThat(printed().replaceAll("\033\\[\\?7.", "").lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    @Test
    void result_printsTheTableWithoutControlCharacters() {
        view(false).result(rows(3));
        assertThat(printed()).contains("ReplicaSet").contains("settled").doesNotContain("\033");
    }
}
