package io.holdfast.trainer.learn;

import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.evaluate.PairedEvidence;
import io.holdfast.trainer.expect.Trials;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.window.Window;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a model has learned from its example log: what a restart needs beside the model topic.
 * Immutable.
 *
 * @param window the last window's number; 0 before the first
 * @param version the highest version number
 * @param time when the last window's newest example was written; {@link Long#MIN_VALUE} if unknown
 * @param partitions every partition ever read
 * @param evidence for a promotion that was asked for; null without one
 * @param trials what came of the expectations of the newest windows
 */
public record Progress(
    long window,
    long version,
    long time,
    SortedMap<Integer, Reached> partitions,
    @Nullable PairedEvidence evidence,
    Trials trials) {

  /** Version 0 and no example. */
  public static final Progress NONE = new Progress(0, 0, Long.MIN_VALUE, new TreeMap<>());

  public Progress {
    partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
  }

  /** Without evidence and trials. */
  public Progress(long window, long version, long time, SortedMap<Integer, Reached> partitions) {
    this(window, version, time, partitions, null, Trials.NONE);
  }

  /**
   * After a window whose newest example was written at {@code time}, and with the evidence and
   * trials up to its end.
   */
  Progress after(
      Window window,
      TrainerEvent.Outcome outcome,
      long time,
      @Nullable PairedEvidence evidence,
      Trials trials) {
    boolean trained = outcome instanceof TrainerEvent.Outcome.Trained;
    TreeMap<Integer, Reached> reached = new TreeMap<>();
    window
        .cuts()
        .forEach(
            (partition, cut) -> {
              Reached before = partitions.get(partition);
              long since = before == null ? cut.from() : before.unpublishedFrom();
              reached.put(partition, new Reached(cut.to(), trained ? cut.to() : since));
            });
    long newest =
        outcome instanceof TrainerEvent.Outcome.Trained(NewVersion made, TrainingRun _)
            ? made.version().number()
            : version;
    return new Progress(window.number(), newest, time, reached, evidence, trials);
  }

  /** With evidence and trials that were committed. */
  public Progress with(@Nullable PairedEvidence committed, Trials tried) {
    return new Progress(window, version, time, partitions, committed, tried);
  }

  /** After a version that took no example. */
  Progress with(LedgerVersion made) {
    return new Progress(window, made.number(), time, partitions, evidence, trials);
  }

  /**
   * One partition.
   *
   * @param position the next offset to read
   * @param unpublishedFrom where the windows without a version since the newest one begin; {@code
   *     position} if there are none
   */
  public record Reached(long position, long unpublishedFrom) {}
}
