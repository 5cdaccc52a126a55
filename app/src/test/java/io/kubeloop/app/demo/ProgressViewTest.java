package io.kubeloop.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.app.demo.Convergence.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressViewTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private static List<Row> rows(int ready) {
        return List.of(
                new Row("ReplicaSet", new ObjectName("shop", "web"), 3, 3, ready, ready == 3),
                new Row("Service", new ObjectName("shop", "web"), ready, ready, ready, true));
    }

    private ProgressView view(boolean terminal) {
        return new ProgressView(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void show_inAPipe_printsOneLineForEachChange() {
        ProgressView view = view(false);
        view.show(10, rows(1));
        view.show(20, rows(1));
        view.show(30, rows(3));
        assertThat(printed().lines())
                .containsExactly(
                        "  0.010 s  pods 3 of 3, ready 1 of 3, services with their endpoints 1 of 1",
                        "  0.030 s  pods 3 of 3, ready 3 of 3, services with their endpoints 1 of 1");
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
