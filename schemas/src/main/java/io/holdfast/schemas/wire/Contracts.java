package io.holdfast.schemas.wire;

import io.holdfast.schemas.avro.BinEdges;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.ReferenceSketches;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.avro.WindowReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The codecs of all our contracts, to be shared. Thread-safe.
 *
 * <p>A contract is never edited once a topic may hold it. A change adds fields with defaults under
 * {@code src/main/avro}; what was there before stays as a resource beside this class, under its
 * format's number, and is named here as an older schema.
 */
public final class Contracts {
  public static final ContractCodec<Score> SCORE =
      new ContractCodec<>(Score.class, older("Score-1.avsc"), older("Score-2.avsc"));
  public static final ContractCodec<Label> LABEL = new ContractCodec<>(Label.class);
  public static final ContractCodec<Example> EXAMPLE =
      new ContractCodec<>(Example.class, older("Example-1.avsc"));
  public static final ContractCodec<WindowReport> REPORT =
      new ContractCodec<>(
          WindowReport.class,
          List.of(
              report -> report.getExpected() != null && !report.getExpected().getLow().isEmpty(),
              report -> report.getReason() != null || !report.getCoverage().isEmpty()),
          older("WindowReport-1.avsc"),
          older("WindowReport-2.avsc"),
          older("WindowReport-3.avsc"),
          older("WindowReport-4.avsc"),
          older("WindowReport-5.avsc"),
          older("WindowReport-6.avsc"));
  public static final ContractCodec<TreeSegment> SEGMENT =
      new ContractCodec<>(
          TreeSegment.class, older("TreeSegment-1.avsc"), older("TreeSegment-2.avsc"));
  public static final ContractCodec<BinEdges> BINS = new ContractCodec<>(BinEdges.class);
  public static final ContractCodec<ReferenceSketches> REFERENCE =
      new ContractCodec<>(ReferenceSketches.class);
  public static final ContractCodec<ModelManifest> MANIFEST =
      new ContractCodec<>(
          ModelManifest.class,
          List.of(
              manifest -> manifest.getCalibration() != null || manifest.getForgetting() != null,
              manifest -> manifest.getUncertainty() != null),
          older("ModelManifest-1.avsc"),
          older("ModelManifest-2.avsc"),
          older("ModelManifest-3.avsc"),
          older("ModelManifest-4.avsc"),
          older("ModelManifest-5.avsc"),
          older("ModelManifest-6.avsc"),
          older("ModelManifest-7.avsc"),
          older("ModelManifest-8.avsc"),
          older("ModelManifest-9.avsc"));
  public static final ContractCodec<ModelHead> HEAD =
      new ContractCodec<>(
          ModelHead.class,
          List.of(head -> head.getPromotion() != null),
          older("ModelHead-1.avsc"),
          older("ModelHead-2.avsc"),
          older("ModelHead-3.avsc"));

  private Contracts() {}

  private static Schema older(String resource) {
    try (InputStream in = Contracts.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from the jar of schemas");
      }
      return new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
