package io.holdfast.schemas.version;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.ManifestCalibration;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestForgetting;
import io.holdfast.schemas.avro.ManifestUncertainty;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.wire.ContractCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * The body of a manifest, as its contract says. Of one manifest.
 *
 * <p>Its generated code writes the same in one method so large that the compiler takes a second for
 * it, several times, and turns each name of a topic and an environment to bytes wherever it stands:
 * in the list of replayed windows, a few hundred times.
 */
final class ManifestCodec {
  /** The layout that this program writes; without what is new in it, the one before. */
  static final int FORMAT = 10;

  private static final int WITH_UNCERTAINTY_ALONE = 9;
  private static final int WITHOUT_UNCERTAINTY = 8;

  private static final int FEWEST_BYTES = 2_048;
  private static final int BYTES_OF_FIGURE = 32;
  private static final int BYTES_OF_STRETCH = 64;

  private final Encoder out;
  private final Map<String, byte[]> texts = new HashMap<>();

  private ManifestCodec(Encoder out) {
    this.out = out;
  }

  static byte[] body(ModelManifest manifest) {
    return ContractCodec.body(
        expected(manifest),
        out -> {
          var codec = new ManifestCodec(out);
          codec.writeModel(manifest);
          codec.writeTraining(manifest);
          codec.writeServing(manifest);
        });
  }

  static int format(
      @Nullable ManifestUncertainty uncertainty,
      @Nullable ManifestCalibration calibration,
      @Nullable ManifestForgetting forgetting) {
    if (calibration != null || forgetting != null) {
      return FORMAT;
    }
    return uncertainty == null ? WITHOUT_UNCERTAINTY : WITH_UNCERTAINTY_ALONE;
  }

  /** The numeric features whose zeros are missing, by place. */
  static List<Integer> zeroMissing(Model model) {
    return places(
        model, feature -> feature instanceof Feature.Numeric numeric && numeric.zeroMissing());
  }

  /** The categorical features whose other categories are one of its own, by place. */
  static List<Integer> otherCategory(Model model) {
    return places(
        model,
        feature ->
            feature instanceof Feature.Categorical categorical && categorical.otherCategory());
  }

  private static List<Integer> places(Model model, Predicate<Feature> of) {
    return IntStream.range(0, model.features().size())
        .filter(place -> of.test(model.features().get(place)))
        .boxed()
        .toList();
  }

  /** Some more than it takes as a rule, so that nothing is copied to make room. */
  private static int expected(ModelManifest manifest) {
    return FEWEST_BYTES
        + manifest.getSettings().length()
        + BYTES_OF_FIGURE * manifest.getMetrics().size()
        + BYTES_OF_STRETCH * manifest.getReplay().size();
  }

  private void writeModel(ModelManifest manifest) throws IOException {
    out.writeInt(manifest.getFormat());
    out.writeString(manifest.getModel());
    out.writeLong(manifest.getVersion());
    writeDigest(manifest.getParentHash());
    out.writeString(manifest.getObjective());
    writeFigures(manifest.getObjectiveParameters());
    out.writeDouble(manifest.getGamma());
    ArrayWriter.write(out, manifest.getBase(), out::writeDouble);
    ArrayWriter.write(out, manifest.getFeatures(), feature -> feature.customEncode(out));
    ArrayWriter.write(out, manifest.getSegments(), segment -> segment.customEncode(out));
  }

  private void writeTraining(ModelManifest manifest) throws IOException {
    writeRanges(manifest.getWindow());
    writeRanges(manifest.getMemory());
    ArrayWriter.write(out, manifest.getEnvironments(), this::writeText);
    out.writeLong(manifest.getSeed());
    out.writeString(manifest.getSettings());
    writeFigures(manifest.getMetrics());
    out.writeString(manifest.getProgramVersion());
    ArrayWriter.write(out, manifest.getLinear(), term -> term.customEncode(out));
    out.writeLong(manifest.getParentVersion());
  }

  private void writeServing(ModelManifest manifest) throws IOException {
    ArrayWriter.write(out, manifest.getReplay(), this::writeReplayed);
    out.writeDouble(manifest.getHeldOut());
    ArrayWriter.write(out, manifest.getRungs(), rung -> rung.customEncode(out));
    Double rung = manifest.getRung();
    out.writeIndex(rung == null ? 0 : 1);
    if (rung != null) {
      out.writeDouble(rung);
    }
    writeDigest(manifest.getBins());
    out.writeIndex(manifest.getReference() == null ? 0 : 1);
    if (manifest.getReference() != null) {
      manifest.getReference().customEncode(out);
    }
    ArrayWriter.write(out, manifest.getZeroMissing(), out::writeInt);
    ArrayWriter.write(out, manifest.getOtherCategory(), out::writeInt);
    int format =
        format(manifest.getUncertainty(), manifest.getCalibration(), manifest.getForgetting());
    if (format > WITHOUT_UNCERTAINTY) {
      out.writeIndex(manifest.getUncertainty() == null ? 0 : 1);
      if (manifest.getUncertainty() != null) {
        manifest.getUncertainty().customEncode(out);
      }
    }
    if (format == FORMAT) {
      out.writeIndex(manifest.getCalibration() == null ? 0 : 1);
      if (manifest.getCalibration() != null) {
        manifest.getCalibration().customEncode(out);
      }
      out.writeIndex(manifest.getForgetting() == null ? 0 : 1);
      if (manifest.getForgetting() != null) {
        manifest.getForgetting().customEncode(out);
      }
    }
  }

  private void writeDigest(@Nullable Sha256Digest digest) throws IOException {
    out.writeIndex(digest == null ? 0 : 1);
    if (digest != null) {
      out.writeFixed(digest.bytes());
    }
  }

  private void writeFigures(Map<String, Double> figures) throws IOException {
    if (figures instanceof Figures ordered) {
      ordered.writeTo(out);
      return;
    }
    out.writeMapStart();
    out.setItemCount(figures.size());
    for (Map.Entry<String, Double> figure : figures.entrySet()) {
      out.writeString(figure.getKey());
      out.writeDouble(figure.getValue());
    }
    out.writeMapEnd();
  }

  private void writeRanges(List<OffsetRange> ranges) throws IOException {
    ArrayWriter.write(
        out,
        ranges,
        range -> {
          writeText(range.getTopic());
          out.writeInt(range.getPartition());
          out.writeLong(range.getFrom());
          out.writeLong(range.getTo());
        });
  }

  private void writeReplayed(ReplayedWindow replayed) throws IOException {
    writeRanges(replayed.getWindow());
    ArrayWriter.write(
        out,
        replayed.getQuotas(),
        quota -> {
          writeText(quota.getEnvironment());
          out.writeInt(quota.getRows());
        });
  }

  /** A text that may come again. */
  private void writeText(String text) throws IOException {
    out.writeBytes(texts.computeIfAbsent(text, key -> key.getBytes(StandardCharsets.UTF_8)));
  }

  static ManifestFeature feature(Feature feature) {
    return switch (feature) {
      case Feature.Numeric numeric -> new ManifestFeature(numeric.name(), false, List.of());
      case Feature.Categorical categorical ->
          new ManifestFeature(categorical.name(), true, categorical.categories());
    };
  }
}
