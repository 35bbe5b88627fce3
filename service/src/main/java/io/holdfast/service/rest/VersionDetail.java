package io.holdfast.service.rest;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.service.model.KnownVersion;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a version was made of, to be held against another.
 *
 * @param parentVersion null of version 0, and of a manifest that does not say
 * @param window the examples that it newly learned from
 * @param memory older examples that were trained on again, as ranges or as rows by environment
 * @param heldOut the share of the window's rows that were kept out of training, to judge it by
 * @param rungs the gammas of its ladder; empty if it has none
 * @param rung the gamma whose leaf values score; null if it is the version's own
 * @param settings its training settings, as JSON
 */
@Serdeable
public record VersionDetail(
    VersionView version,
    @Nullable Long parentVersion,
    List<Range> window,
    List<Range> memory,
    Map<String, Long> memoryRows,
    double heldOut,
    List<Double> rungs,
    @Nullable Double rung,
    List<Input> features,
    int linearTerms,
    long seed,
    String settings,
    String programVersion) {

  /** Offsets of a partition, from the first to the one after the last. */
  @Serdeable
  public record Range(String topic, int partition, long from, long to) {
    private static Range of(OffsetRange range) {
      return new Range(range.getTopic(), range.getPartition(), range.getFrom(), range.getTo());
    }
  }

  /** A feature, with how many categories it knows. */
  @Serdeable
  public record Input(String name, boolean categorical, int categories) {}

  static VersionDetail of(KnownVersion known) {
    ModelManifest manifest = known.manifest();
    Map<String, Long> memoryRows = new TreeMap<>();
    manifest.getReplay().stream()
        .flatMap(replay -> replay.getQuotas().stream())
        .forEach(one -> memoryRows.merge(one.getEnvironment(), (long) one.getRows(), Long::sum));
    return new VersionDetail(
        VersionView.of(known),
        manifest.getParentVersion() < 0 ? null : (Long) manifest.getParentVersion(),
        manifest.getWindow().stream().map(Range::of).toList(),
        manifest.getMemory().stream().map(Range::of).toList(),
        memoryRows,
        manifest.getHeldOut(),
        manifest.getRungs().stream().map(rung -> rung.getGamma()).toList(),
        manifest.getRung(),
        manifest.getFeatures().stream()
            .map(
                feature ->
                    new Input(
                        ColumnName.of(feature.getName()),
                        feature.getCategorical(),
                        feature.getCategories().size()))
            .toList(),
        manifest.getLinear().size(),
        manifest.getSeed(),
        manifest.getSettings(),
        manifest.getProgramVersion());
  }
}
