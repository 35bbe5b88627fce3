package io.holdfast.service.prediction;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why records score as they do, all by one version and in their order. */
@Serdeable
public record ExplainView(@JsonUnwrapped VersionUsed by, List<Explained> explanations) {

  /** A record's score, and each of its raw scores taken apart. */
  @Serdeable
  public record Explained(ScoreView.Prediction prediction, List<Output> outputs) {}

  /**
   * A raw score: {@code expected} and all amounts add up to it.
   *
   * @param output the class, by name or number; null if there is one raw score alone
   * @param expected before anything is known of the record
   */
  @Serdeable
  public record Output(
      @Nullable String output,
      double expected,
      double rawScore,
      List<Contribution> contributions) {}

  /**
   * What a feature adds to a raw score.
   *
   * @param number its value; null if it is missing or a category
   * @param category its value if it is a known category, else null
   */
  @Serdeable
  public record Contribution(
      String feature, @Nullable Double number, @Nullable String category, double amount) {}
}
