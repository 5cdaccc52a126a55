package io.kubeloop.controller.job.cron;

/**
 * The values of one field of a schedule.
 *
 * @param bits bit n is set for the value n
 * @param isStar whether the field is {@code *} or {@code ?}: it then does not restrict the days
 */
record CronField(long bits, boolean isStar) {

    static final CronField NONE = new CronField(0, false);

    static CronField of(int first, int last, int step, boolean isStar) {
        long bits = 0;
        for (long value = first; value <= last; value += step) {
            bits |= 1L << value;
        }
        return new CronField(bits, isStar);
    }

    CronField or(CronField other) {
        return new CronField(bits | other.bits, isStar || other.isStar);
    }

    boolean has(int value) {
        return (bits >>> value & 1) != 0;
    }
}
