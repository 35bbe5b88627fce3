package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.ClassCalibration;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ManifestCalibration;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger.Event;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.RandomModels;
import io.holdfast.schemas.wire.Contracts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What corrects probabilities, as a part of versions. */
class LedgerCalibrationTest {
  private static final List<Double> ONES = List.of(1.0, 1.0);
  private static final LearnedCalibration LEARNED =
      new LearnedCalibration(new ClassCalibration(List.of(0.5, 0.75), List.of(0.25, 0.0)), 900, 20);

  private final LedgerCodec.Encoded zero =
      LedgerCodec.encode(
          RandomModels.draft(
              null, new Model(Objective.named("logistic"), RandomModels.FEATURES, 0, List.of())));
  private final PublishedVersions published = new PublishedVersions();

  private LedgerCodec.Encoded corrected() {
    Model model = zero.version().model().plus(new RandomModels(7).segment(1, 3));
    return LedgerCodec.encode(RandomModels.draft(zero.version(), model).withCalibration(LEARNED));
  }

  @Test
  void apply_corrected_hasItsCorrection() {
    LedgerCodec.Encoded one = corrected();
    published.publish(zero, one);
    assertThat(published.ledger().serving("bikes").orElseThrow().calibration()).isEqualTo(LEARNED);
  }

  /** What no writer writes, under a hash of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"classes", "intercepts", "slope", "number", "labels", "since"})
  void manifest_thatCorrectsWhatThereIsNot_isRefused(String wrong) {
    LedgerCodec.Encoded one = corrected();
    List<Double> three = List.of(1.0, 1.0, 1.0);
    ManifestCalibration calibration =
        switch (wrong) {
          case "classes" -> new ManifestCalibration(three, three, 900L, 20L);
          case "intercepts" -> new ManifestCalibration(ONES, three, 900L, 20L);
          case "slope" -> new ManifestCalibration(List.of(1.0, -0.5), ONES, 900L, 20L);
          case "number" -> new ManifestCalibration(ONES, List.of(0.0, Double.NaN), 900L, 20L);
          case "labels" -> new ManifestCalibration(ONES, ONES, 0L, 20L);
          default -> new ManifestCalibration(ONES, ONES, 900L, -1L);
        };
    ModelManifest other =
        ModelManifest.newBuilder(one.version().manifest()).setCalibration(calibration).build();
    published.publish(zero);
    one.records().forEach(published::apply);
    published.apply(
        new LedgerRecord(new LedgerKey.VersionKey("bikes", 1), Contracts.MANIFEST.encode(other)));

    assertThat(
            published.apply(LedgerCodecTest.head(PublishedVersions.forged(one.version(), other))))
        .isInstanceOf(Event.Rejected.class);
    assertThat(published.ledger().serving("bikes").orElseThrow().number()).isZero();
  }
}
