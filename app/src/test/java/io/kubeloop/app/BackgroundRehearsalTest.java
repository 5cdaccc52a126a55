package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.ThreadLeakCheck;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ThreadLeakCheck.class)
class BackgroundRehearsalTest {

    private final ShutdownSignal process = ShutdownSignal.inert();
    private final AtomicBoolean idle = new AtomicBoolean();
    private final Semaphore looks = new Semaphore(0);
    private final AtomicInteger rehearsals = new AtomicInteger();
    private final CountDownLatch rehearsed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private boolean look() {
        looks.release();
        return idle.get();
    }

    private void rehearse(ShutdownSignal end) {
        rehearsals.incrementAndGet();
        rehearsed.countDown();
    }

    private void rehearseUntilTheEnd(ShutdownSignal end) throws InterruptedException {
        rehearse(end);
        end.awaitInterruptibly();
        ended.countDown();
    }

    @Test
    void start_waitsUntilThereIsNothingToDo_andRehearsesOnce() throws InterruptedException {
        BackgroundRehearsal background = BackgroundRehearsal.start(process, this::look, this::rehearse);
        looks.acquire(5);
        assertThat(rehearsals).as("while there is work").hasValue(0);

        idle.set(true);
        rehearsed.await();
        background.close();
        assertThat(rehearsals).hasValue(1);
    }

    @Test
    void start_isNotMisledByOneLook() throws InterruptedException {
        AtomicInteger number = new AtomicInteger();
        BackgroundRehearsal background =
                BackgroundRehearsal.start(process, () -> look() || number.getAndIncrement() % 2 == 0, this::rehearse);
        looks.acquire(6);
        background.close();
        assertThat(rehearsals).hasValue(0);
    }

    @Test
    void close_beforeTheMoment_leavesItOut() throws InterruptedException {
        BackgroundRehearsal background = BackgroundRehearsal.start(process, this::look, this::rehearse);
        looks.acquire();
        background.close();
        idle.set(true);
        assertThat(rehearsals).hasValue(0);
    }

    @Test
    void endOfTheProcess_breaksOffWhatIsUnderWay() throws InterruptedException {
        idle.set(true);
        BackgroundRehearsal background = BackgroundRehearsal.start(process, this::look, this::rehearseUntilTheEnd);
        rehearsed.await();
        process.ask();
        ended.await();
        background.close();
    }

    @Test
    void close_breaksOffWhatIsUnderWay_andWaitsForIt() throws InterruptedException {
        idle.set(true);
        BackgroundRehearsal background = BackgroundRehearsal.start(process, this::look, this::rehearseUntilTheEnd);
        rehearsed.await();
        assertThat(ended.getCount()).isOne();
        background.close();
        assertThat(ended.getCount()).isZero();
    }
}
