package io.holdfast.service.rest;

import io.holdfast.schemas.avro.Interval;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.RisenEnvironment;
import io.holdfast.schemas.avro.SubgroupReport;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why the loss of a window rose, as the trainer found it.
 *
 * @param environment the one whose rows are meant; empty for all rows
 * @param change {@code FEATURES}, {@code LABELS}, {@code BOTH} or {@code UNKNOWN}
 * @param features the part of the rise that other features make; null if it cannot be told
 * @param labels the part that other labels of rows with like features make
 * @param subgroup the rows with most of it; null if none stands out
 */
@Serdeable
public record ReasonView(
    String sentence,
    String environment,
    String change,
    long rowsBefore,
    long rows,
    double lossBefore,
    double loss,
    Range rise,
    @Nullable Range features,
    @Nullable Range labels,
    @Nullable Double overlap,
    @Nullable Subgroup subgroup,
    List<Risen> environments) {

  /** A figure and its interval of 95 %. */
  @Serdeable
  public record Range(double value, double low, double high) {
    static Range of(Interval interval) {
      return new Range(interval.getValue(), interval.getLow(), interval.getHigh());
    }
  }

  /** Rows that have something in common, and how much their loss rose, or is above others'. */
  @Serdeable
  public record Subgroup(List<String> conditions, double shareBefore, double share, Range effect) {}

  /** How much the loss of an environment rose. */
  @Serdeable
  public record Risen(String environment, long rowsBefore, long rows, Range rise) {}

  static @Nullable ReasonView of(@Nullable ReasonReport reason) {
    if (reason == null) {
      return null;
    }
    return new ReasonView(
        reason.getSentence(),
        reason.getEnvironment(),
        reason.getChange().name(),
        reason.getRowsBefore(),
        reason.getRows(),
        reason.getLossBefore(),
        reason.getLoss(),
        Range.of(reason.getRise()),
        range(reason.getFeatures()),
        range(reason.getLabels()),
        reason.getOverlap(),
        subgroup(reason.getSubgroup()),
        reason.getEnvironments().stream().map(ReasonView::risen).toList());
  }

  private static @Nullable Range range(@Nullable Interval interval) {
    return interval == null ? null : Range.of(interval);
  }

  private static @Nullable Subgroup subgroup(@Nullable SubgroupReport group) {
    return group == null
        ? null
        : new Subgroup(
            group.getConditions(),
            group.getShareBefore(),
            group.getShare(),
            Range.of(group.getEffect()));
  }

  private static Risen risen(RisenEnvironment each) {
    return new Risen(
        each.getEnvironment(), each.getRowsBefore(), each.getRows(), Range.of(each.getRise()));
  }
}
