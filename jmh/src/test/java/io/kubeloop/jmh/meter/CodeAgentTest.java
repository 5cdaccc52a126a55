/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts the instructions of all threads")
class CodeAgentTest {

    /** All kinds of instructions that end a block: jumps, switches, exceptions and returns. */
    static final class Program implements IntUnaryOperator {

        @Override
        public int applyAsInt(int rounds) {
            int sum = 0;
            for (int i = 0; i < rounds; i++) {
                sum += switch (i % 3) {
                    case 0 -> 1;
                    case 1 -> caught(i);
                    default -> named(i % 2 == 0 ? "even" : "odd");
                };
            }
            return sum;
        }

        private static int caught(int number) {
            try {
                if (number >= 0) {
                    throw new IllegalStateException("always");
                }
                return 0;
            } catch (IllegalStateException e) {
                return 2;
            }
        }

        private static int named(String name) {
            return switch (name) {
                case "even" -> new int[2][3].length;
                case "odd" -> 5;
                default -> 0;
            };
        }
    }

    /** Loads the program with the counter. */
    private static IntUnaryOperator counted() throws IOException, ReflectiveOperationException {
        String name = Program.class.getName();
        byte[] bytes;
        try (InputStream in = Program.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            bytes = CodeAgent.counted(in.readAllBytes());
        }
        ClassLoader loader = new ClassLoader(CodeAgentTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
                if (!wanted.equals(name)) {
                    return super.loadClass(wanted, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? defineClass(name, bytes, 0, bytes.length) : loaded;
            }
        };
        var constructor = loader.loadClass(name).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (IntUnaryOperator) constructor.newInstance();
    }

    private static long instructions(IntUnaryOperator program, int rounds) {
        long before = ExecutedCode.sum();
        assertThat(program.applyAsInt(rounds)).isEqualTo(new Program().applyAsInt(rounds));
        return ExecutedCode.sum() - before;
    }

    @Test
    void instructions_areProportionalToTheWork_andTheSameEachTime() throws Exception {
        IntUnaryOperator program = counted();
        long none = instructions(program, 0);
        long sixty = instructions(program, 60);

        assertThat(none).isBetween(5L, 20L);
        assertThat(sixty - none).isGreaterThan(60 * 10);
        assertThat(instructions(program, 60)).isEqualTo(sixty);
        assertThat(instructions(program, 600) - none).isEqualTo(10 * (sixty - none));
    }
}
