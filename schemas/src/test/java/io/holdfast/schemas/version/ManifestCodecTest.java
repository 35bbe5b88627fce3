package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.EnvironmentThresholds;
import io.holdfast.schemas.avro.ErrorRange;
import io.holdfast.schemas.avro.ForgottenRows;
import io.holdfast.schemas.avro.LogPlace;
import io.holdfast.schemas.avro.ManifestCalibration;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestForgetting;
import io.holdfast.schemas.avro.ManifestReference;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestSpread;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ManifestUncertainty;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.schemas.avro.RetrainedVersion;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.avro.TermRange;
import io.holdfast.schemas.wire.Contracts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ManifestCodecTest {
  private static final Map<String, Double> FIGURES = Map.of("one", 1.0, "ü", -0.0, "none", 1e-300);

  @Test
  void body_ofEveryField_isWhatTheContractSays() {
    assertSame(manifest());
    ModelManifest ordered =
        ModelManifest.newBuilder(manifest()).setMetrics(Figures.of(FIGURES)).build();
    assertSame(ordered);
    assertSame(ordered); // with names that were written before
    assertSame(ModelManifest.newBuilder(manifest()).setUncertainty(null).build());
    assertSame(ModelManifest.newBuilder(manifest()).setCalibration(null).build());
  }

  @Test
  void body_ofNoMoreThanThereMustBe_isWhatTheContractSays() {
    ModelManifest manifest =
        ModelManifest.newBuilder(manifest())
            .setParentHash(null)
            .setObjectiveParameters(Map.of())
            .setBase(List.of())
            .setFeatures(List.of())
            .setSegments(List.of())
            .setWindow(List.of())
            .setMemory(List.of())
            .setEnvironments(List.of())
            .setMetrics(Figures.of(Map.of()))
            .setLinear(List.of())
            .setReplay(List.of())
            .setRungs(List.of())
            .setRung(null)
            .setBins(null)
            .setReference(null)
            .setUncertainty(null)
            .setCalibration(null)
            .setForgetting(null)
            .build();
    assertSame(manifest);
    assertSame(
        ModelManifest.newBuilder(manifest)
            .setForgetting(new ManifestForgetting(List.of(), null))
            .build());
  }

  private static void assertSame(ModelManifest manifest) {
    assertThat(ManifestCodec.body(manifest)).isEqualTo(Contracts.MANIFEST.encodeBody(manifest));
  }

  private static ModelManifest manifest() {
    List<OffsetRange> ranges =
        List.of(new OffsetRange("rows", 0, 5L, 900L), new OffsetRange("", 300, 1L << 40, 1L << 41));
    List<ManifestSegment> segments =
        List.of(new ManifestSegment(digest(1), 17, 0.5), new ManifestSegment(digest(2), 1, 1.0));
    return new ModelManifest(
        6,
        "shop",
        12L,
        digest(3),
        "softmax",
        new TreeMap<>(FIGURES),
        7.5,
        List.of(0.25, -1.0),
        List.of(
            new ManifestFeature("price", false, List.of()),
            new ManifestFeature("land", true, List.of("de", "österreich", ""))),
        segments,
        ranges,
        ranges.subList(1, 2),
        List.of("", "eu", "übersee"),
        -1L,
        "{\"rows\":4}",
        new TreeMap<>(FIGURES),
        "1.0",
        List.of(
            new ManifestTerm(0, 2.5, List.of(1.0, 2.0), new TermRange(-1.5, 40.0)),
            new ManifestTerm(1, null, List.of(3.0), null)),
        11L,
        List.of(
            new ReplayedWindow(ranges, List.of(new ReplayQuota("eu", 3))),
            new ReplayedWindow(
                ranges, List.of(new ReplayQuota("eu", 0), new ReplayQuota("übersee", 70_000))),
            new ReplayedWindow(List.of(), List.of())),
        0.125,
        List.of(new ManifestRung(2.0, new TreeMap<>(FIGURES), segments)),
        2.0,
        digest(4),
        new ManifestReference(digest(5), 6L, List.of(new LogPlace(0, 7L)), 8L, 9L),
        List.of(0),
        List.of(1),
        new ManifestUncertainty(
            List.of(0.9),
            700L,
            3L,
            List.of(0.5),
            List.of(new EnvironmentThresholds("übersee", List.of(new ErrorRange(-1.0, 2.0)))),
            List.of(new ErrorRange(-1.5, 2.5)),
            new ManifestSpread(-0.5, segments, 9L)),
        new ManifestCalibration(List.of(1.5, 0.5), List.of(-0.25, 0.0), 400L, 20L),
        new ManifestForgetting(
            List.of(
                new ForgottenRows(
                    List.of(digest(6), digest(7)), "üb", List.of(new LogPlace(1, 9L)))),
            new RetrainedVersion(7L, digest(8))));
  }

  private static Sha256Digest digest(int seed) {
    byte[] bytes = new byte[32];
    bytes[31] = (byte) seed;
    return new Sha256Digest(bytes);
  }
}
