package io.holdfast.service.score;

import static java.util.Objects.requireNonNull;

import io.holdfast.schemas.wire.Framing;
import io.holdfast.service.model.ActiveModel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Raw scores of one model for records of one partition that were polled and not processed yet, in
 * the order of their offsets. Owned by the stream thread that polls and processes them.
 */
final class PolledScores {
  /*
   * A ring of power-of-two size. Kafka Streams holds about two polls of a partition at most; what
   * is beyond CAPACITY is not kept and is scored when it is processed. A score belongs to the very
   * array that was polled: whatever else has the same offset later (a topic made anew, a partition
   * that came back) is not mistaken for it. What is never asked for goes when its offset is passed,
   * when the offsets come again, or when the task is closed.
   */
  private static final int CAPACITY = 4_096;

  private static final byte[] NOTHING = new byte[0];

  private final Thread owner = Thread.currentThread();
  private final int outputs;
  private long[] offsets = new long[256];
  private double[] scores;
  private double[] spreads = new double[256];
  private byte[][] values = new byte[256][];
  private @Nullable ActiveModel[] models = new @Nullable ActiveModel[256];
  private Framing.@Nullable Frame[] frames = new Framing.@Nullable Frame[256];
  private Framing.@Nullable Frame taken;
  private double takenSpread;
  private int head;
  private int size;

  PolledScores(int outputs) {
    this.outputs = outputs;
    this.scores = new double[256 * outputs];
  }

  boolean owned() {
    return owner.equals(Thread.currentThread());
  }

  int outputs() {
    return outputs;
  }

  /**
   * Some rows that were scored together: output {@code k} of a row is at {@code scores[k * rows +
   * row]}.
   */
  @SuppressWarnings("ArrayRecordComponent") // an argument; never compared
  record Block(ActiveModel model, double[] scores, double[] spreads, int rows) {}

  /** Keeps a record's scores, and its spread. */
  void add(long offset, byte[] value, Framing.Frame frame, Block block, int row) {
    if (size > 0 && offset <= offsets[slot(size - 1)]) {
      clear();
    }
    if (size == CAPACITY) {
      return;
    }
    if (size == offsets.length) {
      grow();
    }
    int slot = slot(size++);
    offsets[slot] = offset;
    values[slot] = value;
    frames[slot] = frame;
    models[slot] = block.model;
    spreads[slot] = block.spreads[row];
    for (int k = 0; k < outputs; k++) {
      scores[slot * outputs + k] = block.scores[k * block.rows + row];
    }
  }

  /**
   * Takes out the scores of the record at {@code offset}, and drops what is before it. The version
   * that scored it; null if there is no score, or it is of another array.
   */
  @SuppressWarnings("ReferenceEquality") // the same array, as the comment at the top says
  @Nullable ActiveModel take(long offset, byte[] value, double[] target) {
    while (size > 0 && offsets[head] < offset) {
      drop();
    }
    if (size == 0 || offsets[head] > offset) {
      return null;
    }
    ActiveModel by = values[head] == value ? models[head] : null;
    if (by != null) {
      System.arraycopy(scores, head * outputs, target, 0, outputs);
      taken = frames[head];
      takenSpread = spreads[head];
    }
    drop();
    return by;
  }

  /** The spread of the record whose scores were taken out last. */
  double spread() {
    return takenSpread;
  }

  /** How the record was framed whose scores were taken out last. */
  Framing.Frame frame() {
    return requireNonNull(taken);
  }

  private void drop() {
    values[head] = NOTHING;
    models[head] = null;
    frames[head] = null;
    head = slot(1);
    size--;
  }

  /** Forgets everything. */
  void clear() {
    Arrays.fill(values, NOTHING);
    Arrays.fill(models, null);
    Arrays.fill(frames, null);
    size = 0;
  }

  private int slot(int number) {
    return (head + number) & (offsets.length - 1);
  }

  private void grow() {
    int before = offsets.length;
    long[] moreOffsets = new long[2 * before];
    double[] moreScores = new double[2 * before * outputs];
    double[] moreSpreads = new double[2 * before];
    byte[][] moreValues = new byte[2 * before][];
    @Nullable ActiveModel[] moreModels = new @Nullable ActiveModel[2 * before];
    Framing.@Nullable Frame[] moreFrames = new Framing.@Nullable Frame[2 * before];
    for (int i = 0; i < size; i++) {
      int slot = slot(i);
      moreOffsets[i] = offsets[slot];
      moreValues[i] = values[slot];
      moreModels[i] = models[slot];
      moreFrames[i] = frames[slot];
      moreSpreads[i] = spreads[slot];
      System.arraycopy(scores, slot * outputs, moreScores, i * outputs, outputs);
    }
    offsets = moreOffsets;
    scores = moreScores;
    values = moreValues;
    models = moreModels;
    frames = moreFrames;
    spreads = moreSpreads;
    head = 0;
  }
}
