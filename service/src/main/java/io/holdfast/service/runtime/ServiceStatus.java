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

  /** What this start still waits for before it is of use; empty for good once it is ready. */
  List<String> starting();

  /** What is waited for before records of topics are scored, a sentence each. */
  List<String> awaited();

  /** What is waited for before labels of topics are joined, a sentence each. */
  List<String> joinAwaited();

  /** What is waited for before requests are answered, a sentence each; needs no broker then. */
  List<String> restAwaited();

  /** The models that are stale or in trouble, a sentence each. */
  List<String> degraded();

  /** What is wrong with each model now, by name. */
  List<Trouble> troubles();

  /** How far each stage of each model is behind, as far as that is known. */
  Map<Stage, Lag> lags();

  /** Parts and their states, for people. */
  Map<String, String> details();
}
