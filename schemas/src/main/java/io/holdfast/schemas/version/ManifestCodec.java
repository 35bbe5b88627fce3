package io.holdfast.schemas.version;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
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
          codec.writeMemory(manifest);
          codec.writeServing(manifest);
        });
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

  private void begin(int items) throws IOException {
    out.writeArrayStart();
    out.setItemCount(items);
  }

  private void writeModel(ModelManifest manifest) throws IOException {
    out.writeInt(manifest.getFormat());
    out.writeString(manifest.getModel());
    out.writeLong(manifest.getVersion());
    writeDigest(manifest.getParentHash());
    out.writeString(manifest.getObjective());
    writeFigures(manifest.getObjectiveParameters());
    out.writeDouble(manifest.getGamma());
    writeNumbers(manifest.getBase());
    begin(manifest.getFeatures().size());
    for (ManifestFeature feature : manifest.getFeatures()) {
      feature.customEncode(out);
    }
    out.writeArrayEnd();
    begin(manifest.getSegments().size());
    for (ManifestSegment segment : manifest.getSegments()) {
      segment.customEncode(out);
    }
    out.writeArrayEnd();
  }

  private void writeTraining(ModelManifest manifest) throws IOException {
    writeRanges(manifest.getWindow());
    writeRanges(manifest.getMemory());
    begin(manifest.getEnvironments().size());
    for (String environment : manifest.getEnvironments()) {
      writeText(environment);
    }
    out.writeArrayEnd();
    out.writeLong(manifest.getSeed());
    out.writeString(manifest.getSettings());
    writeFigures(manifest.getMetrics());
    out.writeString(manifest.getProgramVersion());
    begin(manifest.getLinear().size());
    for (ManifestTerm term : manifest.getLinear()) {
      term.customEncode(out);
    }
    out.writeArrayEnd();
    out.writeLong(manifest.getParentVersion());
  }

  private void writeMemory(ModelManifest manifest) throws IOException {
    begin(manifest.getReplay().size());
    for (ReplayedWindow replayed : manifest.getReplay()) {
      writeRanges(replayed.getWindow());
      writeQuotas(replayed.getQuotas());
    }
    out.writeArrayEnd();
    out.writeDouble(manifest.getHeldOut());
  }

  private void writeServing(ModelManifest manifest) throws IOException {
    begin(manifest.getRungs().size());
    for (ManifestRung rung : manifest.getRungs()) {
      rung.customEncode(out);
    }
    out.writeArrayEnd();
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
    writePlaces(manifest.getZeroMissing());
    writePlaces(manifest.getOtherCategory());
  }

  private void writePlaces(List<Integer> places) throws IOException {
    begin(places.size());
    for (Integer place : places) {
      out.writeInt(place);
    }
    out.writeArrayEnd();
  }

  private void writeDigest(@Nullable Sha256Digest digest) throws IOException {
    out.writeIndex(digest == null ? 0 : 1);
    if (digest != null) {
      out.writeFixed(digest.bytes());
    }
  }

  private void writeNumbers(List<Double> numbers) throws IOException {
    begin(numbers.size());
    for (Double number : numbers) {
      out.writeDouble(number);
    }
    out.writeArrayEnd();
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
    begin(ranges.size());
    for (OffsetRange range : ranges) {
      writeText(range.getTopic());
      out.writeInt(range.getPartition());
      out.writeLong(range.getFrom());
      out.writeLong(range.getTo());
    }
    out.writeArrayEnd();
  }

  private void writeQuotas(List<ReplayQuota> quotas) throws IOException {
    begin(quotas.size());
    for (ReplayQuota quota : quotas) {
      writeText(quota.getEnvironment());
      out.writeInt(quota.getRows());
    }
    out.writeArrayEnd();
  }

  /** A text that may come again. */
  private void writeText(String text) throws IOException {
    byte[] known = texts.get(text);
    if (known == null) {
      known = text.getBytes(StandardCharsets.UTF_8);
      texts.put(text, known);
    }
    out.writeBytes(known);
  }
}
