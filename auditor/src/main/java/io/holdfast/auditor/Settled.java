package io.holdfast.auditor;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Up to where nothing is awaited any more: each record has its outcome, and its example unless it
 * was too long ago for a label. Owned by one thread.
 */
record Settled(
    Map<Integer, Outcomes> outcomes,
    Map<Integer, Long> firstJudged,
    Map<Integer, BitSet> used,
    AuditPlan.Labels labels) {

  /** What an audit that found nothing has proven, after another. */
  Proven proven(Proven earlier, Tail examples) {
    Map<Integer, Long> records = new HashMap<>(earlier.records());
    long newest = outcomes.values().stream().mapToLong(Outcomes::newest).max().orElse(0);
    long more = 0;
    for (Map.Entry<Integer, Outcomes> one : outcomes.entrySet()) {
      Outcomes of = one.getValue();
      BitSet exemplified = used.getOrDefault(one.getKey(), new BitSet());
      long offset = firstJudged.getOrDefault(one.getKey(), of.first());
      long end = labels.inRecord() ? Math.min(of.end(), examples.last(one.getKey()) + 1) : of.end();
      while (offset < end && settled(of, offset, exemplified, newest - labels.patience())) {
        offset++;
      }
      more += offset - of.first();
      records.put(one.getKey(), offset);
    }
    return new Proven(
        earlier.model(), records, earlier.seen(), earlier.starts(), earlier.before() + more);
  }

  private boolean settled(Outcomes of, long offset, BitSet exemplified, long old) {
    if (of.value(offset) == 0) {
      return true; // there is no such record
    }
    return of.count(offset) == 1
        && (of.score(offset) == 0 // a dead letter
            || labels.inRecord()
            || exemplified.get(Math.toIntExact(offset - of.first()))
            || of.before(offset, old));
  }
}
