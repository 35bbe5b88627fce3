package io.holdfast.service.heads;

import io.holdfast.schemas.ledger.HeadMove;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/**
 * What an action did, or would do.
 *
 * @param dryRun whether it was not done
 * @param changes what is different, a clause each
 */
@Serdeable
public record MoveView(boolean dryRun, HeadView before, HeadView after, List<String> changes) {
  static MoveView of(HeadMove move, boolean dryRun) {
    return new MoveView(
        dryRun, HeadView.of(move.before()), HeadView.of(move.after()), move.changes());
  }
}
