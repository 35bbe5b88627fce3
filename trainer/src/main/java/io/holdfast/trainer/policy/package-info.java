/**
 * The version that training grows from and the rows of a window and of the replay buffer come in
 * from {@code learn}, decoded, with what {@code drift} made of them. The next model goes out, with
 * the figures that its manifest keeps, by the update policy that the settings name. Nothing here
 * knows the log, the ledger's records or a clock, or keeps state from one window to the next.
 */
@NullMarked
package io.holdfast.trainer.policy;

import org.jspecify.annotations.NullMarked;
