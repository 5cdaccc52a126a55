/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.meter;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A Java agent that counts the executed instructions of all classes of the class path in {@link ExecutedCode}. Classes
 * of the JDK are not counted; a call of one counts as one instruction.
 */
public final class CodeAgent implements ClassFileTransformer {

    private static final String COUNTER = ExecutedCode.class.getName().replace('.', '/');

    private static final String OWN_PACKAGE = COUNTER.substring(0, COUNTER.lastIndexOf('/') + 1);

    /** The harness, which is the same in all builds, and the agent itself. */
    private static final String[] NOT_COUNTED = {OWN_PACKAGE, "org/openjdk/jmh/", "org/objectweb/asm/"};

    private CodeAgent() {}

    /** Installs the agent; the JVM calls it. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new CodeAgent());
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (loader != CodeAgent.class.getClassLoader() || name == null) {
            return null;
        }
        for (String prefix : NOT_COUNTED) {
            if (name.startsWith(prefix)) {
                return null;
            }
        }
        return counted(bytes);
    }

    /** Returns the class with calls of the counter. */
    static byte[] counted(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String method,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return new Counter(super.visitMethod(access, method, descriptor, signature, exceptions));
                    }
                },
                0);
        return writer.toByteArray();
    }

    /** Inserts one call at the end of each block: before a jump, and before the target of one. */
    private static final class Counter extends MethodVisitor {

        private int pending;

        Counter(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private void countPending() {
            if (pending > 0) {
                super.visitLdcInsn(pending);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, "add", "(I)V", false);
                pending = 0;
            }
        }

        private void countWithThis() {
            pending++;
            countPending();
        }

        @Override
        public void visitInsn(int opcode) {
            if ((opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW) {
                countWithThis();
            } else {
                pending++;
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            countWithThis();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label missing, Label... labels) {
            countWithThis();
            super.visitTableSwitchInsn(min, max, missing, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label missing, int[] keys, Label[] labels) {
            countWithThis();
            super.visitLookupSwitchInsn(missing, keys, labels);
        }

        @Override
        public void visitLabel(Label label) {
            countPending();
            super.visitLabel(label);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            pending++;
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            pending++;
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            pending++;
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            pending++;
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            pending++;
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            pending++;
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitLdcInsn(Object value) {
            pending++;
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            pending++;
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            pending++;
            super.visitMultiANewArrayInsn(descriptor, dimensions);
        }
    }
}
