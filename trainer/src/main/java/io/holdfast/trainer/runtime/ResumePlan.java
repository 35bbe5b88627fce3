package io.holdfast.trainer.runtime;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.publish.CommitMetadata;
import io.holdfast.trainer.publish.LearnedTopic;
import io.holdfast.trainer.runtime.log.ExampleLog;
import io.holdfast.trainer.runtime.log.HaltException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * Where to continue in a model's example log, from what is committed alone. Immutable.
 *
 * @param topic the log's topic, for the next commit
 * @param another whether another topic of that name was learned from before
 */
record ResumePlan(Progress progress, ReplayPlan replay, LearnedTopic topic, boolean another) {
  private static final Progress.Reached BEGINNING = new Progress.Reached(0, 0);

  private static final ReplayPlan NOTHING =
      new ReplayPlan(List.of(), false, new TreeMap<>(), new TreeMap<>());

  /*
   * Offsets, their metadata and the manifest of the last trained version are committed together, so
   * they must agree: the offsets are at the end of that version's window, or further if later windows
   * published nothing. Kafka forgets the offsets of a group that commits nothing for a week; then the
   * manifest is enough, and later windows without a version are done again. Imported versions have no
   * window and change nothing here.
   *
   * The broker forgets the offsets of a deleted topic; the note of which topic it was stands elsewhere.
   * Without a note, as after that week, a topic that was made anew is known only while it is shorter.
   */

  /**
   * The plan for a model. A topic that is not the one learned from, or shorter, was made anew, and
   * is learned from its beginning.
   *
   * @param versions ascending; at least one
   * @throws HaltException if the offsets were moved by somebody else
   */
  static ResumePlan of(ModelSettings model, List<ModelManifest> versions, ExampleLog.State log) {
    long newest = versions.getLast().getVersion();
    ModelManifest trained = trainedLast(versions);
    LearnedTopic learned = log.learned();
    if (learned != null && !learned.id().equals(log.topic())) {
      long window = Math.max(window(trained), learned.window());
      return fromBeginning(fromManifest(trained, window, newest), log);
    }
    if (learned != null && window(trained) <= learned.after()) {
      trained = withoutLog(trained);
    }
    Progress progress =
        log.committed().isEmpty()
            ? fromManifest(trained, window(trained), newest)
            : fromCommits(model, trained, newest, log);
    if (learned != null && learned.window() == progress.window()) {
      progress = progress.with(learned.evidence(), learned.trials());
    }
    Map<Integer, Progress.Reached> partitions = progress.partitions();
    boolean shorter =
        partitions.entrySet().stream()
            .anyMatch(
                each ->
                    each.getValue().position()
                        > log.ends().getOrDefault(each.getKey(), Long.MAX_VALUE));
    return shorter
        ? fromBeginning(progress, log)
        : new ResumePlan(
            progress,
            ReplayPlan.after(trained, progress),
            learned == null ? new LearnedTopic(log.topic(), 0, progress.window()) : learned,
            false);
  }

  private static Progress fromCommits(
      ModelSettings model, ModelManifest trained, long newest, ExampleLog.State log) {
    TreeMap<Integer, Progress.Reached> partitions = new TreeMap<>();
    CommitMetadata common = null;
    for (Map.Entry<Integer, OffsetAndMetadata> entry : log.committed().entrySet()) {
      long position = entry.getValue().offset();
      CommitMetadata metadata =
          CommitMetadata.parse(entry.getValue().metadata())
              .orElseThrow(() -> moved(model, entry.getKey(), position));
      if (common != null
          && (metadata.window() != common.window() || metadata.version() != common.version())) {
        throw moved(model, entry.getKey(), position);
      }
      common = metadata;
      partitions.put(entry.getKey(), new Progress.Reached(position, metadata.since()));
    }
    if (common == null || common.version() < trained.getVersion() || common.version() > newest) {
      throw moved(model, partitions.firstKey(), partitions.firstEntry().getValue().position());
    }
    for (OffsetRange range : trained.getWindow()) {
      if (range.getTo() > log.ends().getOrDefault(range.getPartition(), Long.MAX_VALUE)) {
        continue; // of a log that is gone
      }
      Progress.Reached reached = partitions.get(range.getPartition());
      long position = reached == null ? -1 : reached.position();
      if (common.window() == window(trained)
          ? position != range.getTo()
          : position < range.getTo()) {
        throw moved(model, range.getPartition(), position);
      }
      if (reached != null && reached.unpublishedFrom() < range.getTo()) { // an earlier program's
        partitions.put(range.getPartition(), new Progress.Reached(position, range.getTo()));
      }
    }
    return new Progress(common.window(), newest, common.time(), partitions);
  }

  private static long window(ModelManifest trained) {
    return trained.getMetrics().getOrDefault("window", 0.0).longValue();
  }

  /** Without offsets: the version's log is gone. */
  private static ModelManifest withoutLog(ModelManifest trained) {
    return ModelManifest.newBuilder(trained)
        .setWindow(List.of())
        .setMemory(List.of())
        .setReplay(List.of())
        .build();
  }

  /** Without a time: by that of the old log, windows of the new one would have to wait. */
  private static ResumePlan fromBeginning(Progress progress, ExampleLog.State log) {
    TreeMap<Integer, Progress.Reached> partitions = new TreeMap<>();
    progress.partitions().keySet().forEach(each -> partitions.put(each, BEGINNING));
    return new ResumePlan(
        new Progress(progress.window(), progress.version(), Long.MIN_VALUE, partitions),
        NOTHING,
        new LearnedTopic(log.topic(), progress.window(), progress.window()),
        true);
  }

  private static ModelManifest trainedLast(List<ModelManifest> versions) {
    return versions.reversed().stream()
        .filter(version -> !version.getWindow().isEmpty() || Retrained.of(version) != null)
        .findFirst()
        .orElse(versions.getFirst());
  }

  private static Progress fromManifest(ModelManifest trained, long window, long newest) {
    TreeMap<Integer, Progress.Reached> partitions = new TreeMap<>();
    for (OffsetRange range : trained.getWindow()) {
      partitions.put(range.getPartition(), new Progress.Reached(range.getTo(), range.getTo()));
    }
    return new Progress(window, newest, Long.MIN_VALUE, partitions);
  }

  private static HaltException moved(ModelSettings model, int partition, long position) {
    return new HaltException(
        TroubleKind.STOPPED,
        "Model %s: the committed offset %d of %s-%d in group %s is not where the model's newest"
            + " version ends, so somebody else moved it: delete the group's offsets, and training"
            + " goes on from the version's own record of them.",
        model.name(),
        position,
        model.topics().examples(),
        partition,
        ModelLoop.groupOf(model));
  }
}
