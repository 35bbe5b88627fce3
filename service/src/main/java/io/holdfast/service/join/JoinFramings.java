package io.holdfast.service.join;

import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.wire.Framing;

/**
 * How what a join reads and writes is framed.
 *
 * @param single of records, which scoring has made single objects
 */
public record JoinFramings(Framing single, RecordFraming labels, ContractFraming examples) {}
