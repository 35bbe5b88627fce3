package io.holdfast.trainer.rebuild;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Which versions may have learned from some rows of the log: those that learned up to a place
 * behind the first of the rows, and whatever grew from them. A version's memory reaches no further
 * than its window. Immutable.
 */
public final class Influence {
  private final Map<Long, ModelManifest> versions = new HashMap<>();
  private final SortedMap<Integer, Long> last;

  /*
   * Partitions are merged by the times of the rows that come next in each. So a row is looked at before
   * it is taken, from the time on that the row before it was; and what is behind it may come earlier
   * without it, where times go backwards. A version that ended before the row before it never saw it.
   */

  /**
   * Of rows in a log of several partitions.
   *
   * @param versions all that the model topic holds
   * @param last by partition that has any of the rows, the offset of the last row before the first
   *     of them, or -1 if none is before it; in a log of one partition the offset of the first of
   *     them
   */
  public Influence(Collection<ModelManifest> versions, SortedMap<Integer, Long> last) {
    versions.forEach(version -> this.versions.put(version.getVersion(), version));
    this.last = last;
  }

  /** The versions that may have. */
  public Set<Long> reached() {
    Set<Long> reached = new HashSet<>();
    versions.values().stream()
        .sorted(Comparator.comparingLong(ModelManifest::getVersion)) // parents first
        .filter(version -> reaches(version, reached))
        .forEach(version -> reached.add(version.getVersion()));
    return reached;
  }

  private boolean reaches(ModelManifest version, Set<Long> reached) {
    boolean rows = !version.getWindow().isEmpty() || !version.getMemory().isEmpty();
    long parent = version.getParentVersion();
    boolean unknown = !rows && version.getVersion() > 0 && !versions.containsKey(parent);
    return unknown
        || reached.contains(parent)
        || behind(version.getWindow())
        || behind(version.getMemory());
  }

  private boolean behind(List<OffsetRange> ranges) {
    boolean fromTheBeginning = last.values().stream().anyMatch(offset -> offset < 0);
    return !ranges.isEmpty()
        && (fromTheBeginning
            || ranges.stream()
                .anyMatch(
                    range ->
                        last.getOrDefault(range.getPartition(), Long.MAX_VALUE) < range.getTo()));
  }

  /**
   * The newest version that learned from the log, none of the rows has reached, and is not newer
   * than {@code origin}: that goes on where it ended. Empty if it goes on from the log's beginning.
   */
  public Optional<ModelManifest> learnedBefore(ModelManifest origin) {
    Set<Long> reached = reached();
    return versions.values().stream()
        .filter(version -> version.getVersion() <= origin.getVersion())
        .filter(
            version -> !version.getWindow().isEmpty() && !reached.contains(version.getVersion()))
        .max(Comparator.comparingLong(ModelManifest::getVersion));
  }

  /** The newest version that {@code tip} is or grew from, and that none of the rows has reached. */
  public Optional<ModelManifest> lastWithout(long tip) {
    Set<Long> reached = reached();
    ModelManifest at = versions.get(tip);
    while (at != null && reached.contains(at.getVersion())) {
      at = versions.get(at.getParentVersion());
    }
    return Optional.ofNullable(at);
  }
}
