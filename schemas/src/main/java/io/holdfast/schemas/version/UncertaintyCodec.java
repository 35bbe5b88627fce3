package io.holdfast.schemas.version;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.EnvironmentThresholds;
import io.holdfast.schemas.avro.ErrorRange;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestSpread;
import io.holdfast.schemas.avro.ManifestUncertainty;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.LedgerException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How sure scores are, to and from the manifest's field. Stateless. */
final class UncertaintyCodec {
  private static final Objective SPREADS = Objective.named("gamma");

  private UncertaintyCodec() {}

  /** As it is published. */
  record Published(@Nullable Uncertainty uncertainty, @Nullable ManifestUncertainty stored) {}

  /** That of a version with these features, whose segments are written. */
  static Published publish(
      @Nullable Uncertainty given, List<Feature> features, SegmentWriter writer) {
    if (given == null) {
      return new Published(null, null);
    }
    Model spreads = given.spreads();
    ManifestSpread spread = null;
    if (spreads != null) {
      SegmentWriter.Published own = writer.write(spreads);
      spreads = spreads(features, spreads.base().intercept(0), own.segments());
      LedgerCodec.checkLimits(spreads);
      spread =
          new ManifestSpread(
              spreads.base().intercept(0),
              LedgerCodec.segments(spreads, own.digests()),
              given.spreadsAge());
    }
    Thresholds of = given.thresholds();
    LedgerLimits.write(of.levels().size(), LedgerLimits.LEVELS, "the levels of coverage");
    List<EnvironmentThresholds> environments = new ArrayList<>();
    of.environments()
        .forEach(
            (name, ranges) -> environments.add(new EnvironmentThresholds(name, stored(ranges))));
    return new Published(
        new Uncertainty(of, given.since(), spreads, given.spreadsAge()),
        new ManifestUncertainty(
            of.levels(),
            of.labels(),
            given.since(),
            of.powers(),
            environments,
            stored(of.unseen()),
            spread));
  }

  private static List<ErrorRange> stored(List<Range> ranges) {
    return ranges.stream().map(range -> new ErrorRange(range.low(), range.high())).toList();
  }

  private static Model spreads(List<Feature> features, double base, List<Segment> segments) {
    return new Model(SPREADS, SpreadModel.features(features), Base.constant(base), segments);
  }

  /** The segments that it names. */
  static List<ManifestSegment> segments(ModelManifest manifest) {
    ManifestUncertainty stored = manifest.getUncertainty();
    return stored == null || stored.getSpread() == null
        ? List.of()
        : stored.getSpread().getSegments();
  }

  /** Checks what a manifest says of it by itself. */
  static void checkAlone(ModelManifest manifest) throws LedgerException {
    ManifestUncertainty stored = manifest.getUncertainty();
    if (stored != null) {
      LedgerLimits.read(stored.getLevels().size(), LedgerLimits.LEVELS, "the levels of coverage");
      VersionVerifier.checkSegments(segments(manifest));
      if (stored.getLabels() < 1) {
        throw Reason.BAD_RECORD.because(
            "thresholds must be learned from 1 label or more: %d", stored.getLabels());
      }
      for (double power : stored.getPowers()) {
        if (!(power >= 0 && power <= 1)) {
          throw Reason.BAD_RECORD.because("a power must be from 0 to 1: %s", power);
        }
      }
      for (EnvironmentThresholds of : stored.getEnvironments()) {
        checkRanges(of.getRanges());
      }
      checkRanges(stored.getUnseen());
    }
  }

  private static void checkRanges(List<ErrorRange> ranges) throws LedgerException {
    for (ErrorRange range : ranges) {
      if (!(range.getLow() <= range.getHigh()) || !Double.isFinite(range.getHigh())) {
        throw Reason.BAD_RECORD.because(
            "thresholds must be from a number to another: %s to %s",
            range.getLow(), range.getHigh());
      }
    }
  }

  /**
   * That of a manifest; null if it says none.
   *
   * @throws IllegalArgumentException in one sentence, if it is none
   */
  static @Nullable Uncertainty uncertainty(
      ModelManifest manifest, Model model, VersionVerifier.SegmentSource source)
      throws LedgerException {
    ManifestUncertainty stored = manifest.getUncertainty();
    if (stored == null) {
      return null;
    }
    TreeMap<String, List<Range>> environments = new TreeMap<>();
    for (EnvironmentThresholds of : stored.getEnvironments()) {
      environments.put(of.getEnvironment(), ranges(of.getRanges()));
    }
    var thresholds =
        new Thresholds(
            stored.getLevels(),
            stored.getLabels(),
            stored.getPowers(),
            environments,
            ranges(stored.getUnseen()));
    ManifestSpread spread = stored.getSpread();
    if ((spread == null) != (model.objective().classes() > 0)) {
      throw Reason.BAD_RECORD.because(
          "version %d must have a model of spreads if its labels are numbers, and only then",
          manifest.getVersion());
    }
    return new Uncertainty(
        thresholds,
        stored.getSince(),
        spread == null
            ? null
            : spreads(
                model.features(),
                spread.getBase(),
                VersionVerifier.segments(spread.getSegments(), source)),
        spread == null ? 0 : spread.getSince());
  }

  private static List<Range> ranges(List<ErrorRange> stored) {
    return stored.stream().map(range -> new Range(range.getLow(), range.getHigh())).toList();
  }
}
