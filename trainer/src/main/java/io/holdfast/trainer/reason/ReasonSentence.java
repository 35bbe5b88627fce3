package io.holdfast.trainer.reason;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Says a reason in plain words. Stateless. */
final class ReasonSentence {
  private static final int DIGITS = 2; // of the rise; all else is as fine

  private ReasonSentence() {}

  static String of(LossReason reason) {
    int scale = scale(reason.rise().value());
    Said said = new Said(scale);
    String where =
        reason.environment().isEmpty()
            ? "Loss rose"
            : "In environment " + reason.environment() + " loss rose";
    return where
        + " by "
        + said.number(reason.rise().value())
        + " ("
        + said.number(reason.rise().low())
        + " to "
        + said.number(reason.rise().high())
        + "), from "
        + said.number(reason.lossBefore())
        + " to "
        + said.number(reason.loss())
        + parts(reason, said)
        + ".";
  }

  private static String parts(LossReason reason, Said said) {
    LossReason.Parts parts = reason.parts();
    if (parts == null) {
      return ": its rows are too unlike those before to tell whether labels changed"
          + grown(reason.subgroup(), said);
    }
    return switch (reason.change()) {
      case LABELS ->
          ": mostly labels given the features ("
              + said.interval(parts.labels())
              + ")"
              + risen(reason.subgroup(), said);
      case FEATURES ->
          ": mostly other features came ("
              + said.interval(parts.features())
              + ")"
              + grown(reason.subgroup(), said);
      case BOTH, UNKNOWN ->
          ": "
              + (reason.change() == LossReason.Change.BOTH ? "both " : "not known whether by ")
              + "features ("
              + said.interval(parts.features())
              + ") "
              + (reason.change() == LossReason.Change.BOTH ? "and" : "or by")
              + " labels given the features ("
              + said.interval(parts.labels())
              + ")"
              + risen(reason.subgroup(), said);
    };
  }

  private static String risen(@Nullable Subgroup group, Said said) {
    return group == null
        ? ", with no group of rows that stands out"
        : ", most in rows with "
            + Condition.sentence(group.conditions())
            + " ("
            + percent(group.share())
            + " of rows, "
            + said.signed(group.effect())
            + ")";
  }

  private static String grown(@Nullable Subgroup group, Said said) {
    return group == null
        ? ""
        : ", more with "
            + Condition.sentence(group.conditions())
            + " ("
            + percent(group.shareBefore())
            + " of rows before, "
            + percent(group.share())
            + " now, whose loss is "
            + said.interval(group.effect())
            + " above others')";
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private static int scale(double rise) {
    BigDecimal size = BigDecimal.valueOf(Math.abs(rise));
    return rise == 0 ? DIGITS : Math.max(0, DIGITS - size.precision() + size.scale());
  }

  private record Said(int scale) {
    String number(double value) {
      BigDecimal rounded = BigDecimal.valueOf(value).setScale(scale, RoundingMode.HALF_EVEN);
      return rounded.toPlainString().replace('-', '−');
    }

    String interval(Estimate estimate) {
      return number(estimate.value())
          + ", "
          + number(estimate.low())
          + " to "
          + number(estimate.high());
    }

    String signed(Estimate estimate) {
      return (estimate.value() >= 0 ? "+" : "") + interval(estimate);
    }
  }
}
