package io.holdfast.trainer.publish;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.wire.Contracts;

/**
 * How window reports are framed: those without a reason by the schema before the present one, so
 * that older programs read them. Immutable.
 */
public record ReportFramings(ContractFraming plain, ContractFraming reasoned) {
  /** As Avro's single objects. */
  public static ReportFramings single() {
    return new ReportFramings(
        ContractFraming.single(Contracts.REPORT.before()),
        ContractFraming.single(Contracts.REPORT.schema()));
  }

  ContractFraming of(WindowReport report) {
    return report.getReason() == null ? plain : reasoned;
  }
}
