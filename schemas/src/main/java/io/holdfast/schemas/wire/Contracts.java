package io.holdfast.schemas.wire;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.avro.WindowReport;

/** The codecs of all our contracts, to be shared. Thread-safe. */
public final class Contracts {
  public static final ContractCodec<Score> SCORE = new ContractCodec<>(Score.class);
  public static final ContractCodec<Label> LABEL = new ContractCodec<>(Label.class);
  public static final ContractCodec<Example> EXAMPLE = new ContractCodec<>(Example.class);
  public static final ContractCodec<WindowReport> REPORT = new ContractCodec<>(WindowReport.class);
  public static final ContractCodec<TreeSegment> SEGMENT = new ContractCodec<>(TreeSegment.class);
  public static final ContractCodec<ModelManifest> MANIFEST =
      new ContractCodec<>(ModelManifest.class);
  public static final ContractCodec<ModelHead> HEAD = new ContractCodec<>(ModelHead.class);

  private Contracts() {}
}
