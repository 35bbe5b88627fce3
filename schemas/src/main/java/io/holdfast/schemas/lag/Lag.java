package io.holdfast.schemas.lag;

import java.time.Duration;

/**
 * How far a stage is behind.
 *
 * @param rows records that are there to be read and of which nothing came yet; transaction markers,
 *     and records of transactions that are open or were aborted, are none. Beyond a thousand or so
 *     it is estimated by how many of the offsets before were records
 * @param waited how long the oldest of them has been waiting, or, where a stage takes several
 *     together, the oldest that are enough; zero if there are none
 * @param deserted whether nobody is there to do it
 */
public record Lag(long rows, Duration waited, boolean deserted) {}
