package io.holdfast.trainer.publish;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.wire.Contracts;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.avro.Schema;

/**
 * How window reports are framed: by the schema that {@link Contracts#REPORT} writes each by, the
 * oldest that says all of it, so that older programs read them. Immutable.
 */
public final class ReportFramings {
  private final Map<Schema, ContractFraming> framings = new HashMap<>();

  /** The framing of each schema, which is asked for once, the oldest first. */
  public ReportFramings(Function<Schema, ContractFraming> framing) {
    Contracts.REPORT.written().forEach(schema -> framings.put(schema, framing.apply(schema)));
  }

  /** As Avro's single objects. */
  public static ReportFramings single() {
    return new ReportFramings(ContractFraming::single);
  }

  ContractFraming of(WindowReport report) {
    return Objects.requireNonNull(framings.get(Contracts.REPORT.written(report)));
  }
}
