package io.holdfast.service.runtime;

import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.trouble.Trouble;
import java.util.List;
import java.util.Map;

/** Whether the service lives and is ready, with the reasons why not. Thread-safe. */
public interface ServiceStatus {

  /** What is dead and only a restart mends, a sentence each; empty while all lives. */
  List<String> failures();

  /** What is waited for before records are scored, a sentence each; empty when ready. */
  List<String> awaited();

  /** The models that are stale or in trouble, a sentence each. */
  List<String> degraded();

  /** What is wrong with each model now, by name. */
  List<Trouble> troubles();

  /** How far each stage of each model is behind, as far as that is known. */
  Map<Stage, Lag> lags();

  /** Parts and their states, for people. */
  Map<String, String> details();
}
