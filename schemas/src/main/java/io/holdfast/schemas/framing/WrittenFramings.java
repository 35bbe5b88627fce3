package io.holdfast.schemas.framing;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Score;

/** How what comes of a model's records is framed. */
public record WrittenFramings(
    ContractFraming scores, ContractFraming shadowScores, ContractFraming examples) {
  /** As single objects, whose schema is found without a registry. */
  public static final WrittenFramings SINGLE =
      new WrittenFramings(
          ContractFraming.single(Score.getClassSchema()),
          ContractFraming.single(Score.getClassSchema()),
          ContractFraming.single(Example.getClassSchema()));
}
