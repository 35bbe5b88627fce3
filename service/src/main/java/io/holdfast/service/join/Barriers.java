package io.holdfast.service.join;

import io.holdfast.service.correlate.JoinInput.Barrier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * When one task of the join is to send itself a barrier. A barrier that waits for records to be
 * scored does not keep later ones from being begun: what comes meanwhile waits no longer for it
 * than it must. Owned by the stream thread of its task.
 */
final class Barriers {
  private static final long APART_MILLIS = 100;
  private static final int APART = 8;

  private final InputProgress progress;
  private final long sweepMillis;
  private final Deque<Open> open = new ArrayDeque<>();
  private long begunAt = Long.MIN_VALUE;

  private static final class Open {
    private final long mark;
    private final long upTo;
    private final long begunAt;
    private boolean sent;

    Open(long mark, long upTo, long begunAt) {
      this.mark = mark;
      this.upTo = upTo;
      this.begunAt = begunAt;
    }
  }

  /** {@code sweepMillis}: how often one is wanted though no label is to be decided. */
  Barriers(InputProgress progress, long sweepMillis) {
    this.progress = progress;
    this.sweepMillis = sweepMillis;
  }

  /** Those to be sent now, after beginning another if one is due. */
  List<Barrier> due(long now, long lastRead, boolean undecided) {
    if (begins(now, lastRead, undecided)) {
      open.add(new Open(progress.mark(), lastRead, now));
      begunAt = now;
    }
    progress.look(now);
    List<Barrier> due = new ArrayList<>();
    for (Iterator<Open> all = open.iterator(); all.hasNext(); ) {
      Open next = all.next();
      if (!progress.recordsPassed(next.mark)) {
        break;
      }
      boolean labelsToo = progress.labelsPassed(next.mark);
      if (labelsToo || !next.sent) {
        due.add(new Barrier(next.upTo, next.begunAt, labelsToo));
        next.sent = true;
      }
      if (labelsToo) {
        all.remove();
      }
    }
    return due;
  }

  /** How long the oldest has waited for records to be scored. */
  long heldMillis(long now) {
    for (Open next : open) {
      if (!next.sent) {
        return now - next.begunAt;
      }
    }
    return 0;
  }

  private boolean begins(long now, long lastRead, boolean undecided) {
    Open last = open.peekLast();
    if (last == null) {
      return undecided || begunAt == Long.MIN_VALUE || now - begunAt >= sweepMillis;
    }
    long apart = Math.max(APART_MILLIS, (now - open.getFirst().begunAt) / APART);
    return undecided && last.upTo < lastRead && now - last.begunAt >= apart;
  }
}
