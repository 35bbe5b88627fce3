package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.publish.CommitMetadata;
import io.holdfast.trainer.runtime.log.HaltException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * Where to go on in a model's example log. Immutable; made from what is committed, and nothing
 * else.
 *
 * @param progress how far the log has been learned from
 * @param replay what of it to read again
 */
record ResumePlan(Progress progress, ReplayPlan replay) {
  private static final Progress.Reached BEGINNING = new Progress.Reached(0, 0);

  /** What a log that was made anew holds of what was learned from before. */
  private static final ReplayPlan NOTHING =
      new ReplayPlan(List.of(), false, new TreeMap<>(), new TreeMap<>());

  /*
   * Offsets, their metadata and the manifest of the version that was trained last are committed
   * together, so they must agree: the offsets stand at the end of that version's window, or further if
   * later windows published nothing. Kafka forgets the offsets of a group that commits nothing for a
   * week; the manifest alone is enough then, and windows after it that published nothing are done
   * again. Imported versions have a number and no window: they change nothing here.
   */

  /**
   * The plan for a model.
   *
   * @param versions its versions, ascending; at least one
   * @param committed what the model's group has committed, by partition; partitions without a
   *     commit are not in it
   * @param ends where the partitions end now: if one ends before what was learned from, the topic
   *     was made anew, and is learned from its beginning
   * @throws HaltException if the offsets were moved by somebody else
   */
  static ResumePlan of(
      ModelSettings model,
      List<ModelManifest> versions,
      Map<Integer, OffsetAndMetadata> committed,
      Map<Integer, Long> ends) {
    long newest = versions.getLast().getVersion();
    ModelManifest trained = trainedLast(versions);
    long manifestWindow = trained.getMetrics().getOrDefault("window", 0.0).longValue();
    if (committed.isEmpty()) {
      return of(trained, fromManifest(trained, manifestWindow, newest), ends);
    }
    TreeMap<Integer, Progress.Reached> partitions = new TreeMap<>();
    CommitMetadata common = null;
    for (Map.Entry<Integer, OffsetAndMetadata> entry : committed.entrySet()) {
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
      if (range.getTo() > ends.getOrDefault(range.getPartition(), Long.MAX_VALUE)) {
        continue; // it is of a log that there is no more
      }
      Progress.Reached reached = partitions.get(range.getPartition());
      long position = reached == null ? -1 : reached.position();
      if (common.window() == manifestWindow
          ? position != range.getTo()
          : position < range.getTo()) {
        throw moved(model, range.getPartition(), position);
      }
      if (reached != null && reached.unpublishedFrom() < range.getTo()) { // an earlier program's
        partitions.put(range.getPartition(), new Progress.Reached(position, range.getTo()));
      }
    }
    return of(trained, new Progress(common.window(), newest, common.time(), partitions), ends);
  }

  private static ResumePlan of(ModelManifest trained, Progress progress, Map<Integer, Long> ends) {
    boolean anew =
        progress.partitions().entrySet().stream()
            .anyMatch(
                each ->
                    each.getValue().position() > ends.getOrDefault(each.getKey(), Long.MAX_VALUE));
    return anew
        ? new ResumePlan(fromBeginning(progress), NOTHING)
        : new ResumePlan(progress, ReplayPlan.after(trained, progress));
  }

  /** By the time of the old log, windows of the new one would have to wait. */
  private static Progress fromBeginning(Progress progress) {
    TreeMap<Integer, Progress.Reached> partitions = new TreeMap<>();
    progress.partitions().keySet().forEach(each -> partitions.put(each, BEGINNING));
    return new Progress(progress.window(), progress.version(), Long.MIN_VALUE, partitions);
  }

  private static ModelManifest trainedLast(List<ModelManifest> versions) {
    for (ModelManifest version : versions.reversed()) {
      if (!version.getWindow().isEmpty()) {
        return version;
      }
    }
    return versions.getFirst();
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
        Sentence.of(
            "Model %s: the committed offset %d of %s-%d in group %s is not where the model's newest"
                + " version ends, so somebody else moved it: delete the group's offsets, and"
                + " training goes on from the version's own record of them.",
            model.name(),
            position,
            model.topics().examples(),
            partition,
            ModelLoop.groupOf(model)));
  }
}
