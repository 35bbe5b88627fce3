package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger.Event;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import java.time.Instant;
import java.util.List;

/** A ledger to which versions are published, and what it and an audit say of their records. */
final class PublishedVersions {
  private final Ledger ledger = new Ledger();

  Ledger ledger() {
    return ledger;
  }

  /** All records of the versions, and the head of the last one, which then serves. */
  void publish(LedgerCodec.Encoded... versions) {
    for (LedgerCodec.Encoded version : versions) {
      version.records().forEach(this::apply);
    }
    assertThat(apply(LedgerCodecTest.head(versions[versions.length - 1].version())))
        .isInstanceOf(Event.Serves.class);
  }

  Event apply(LedgerRecord record) {
    return ledger.apply(record.key().toString(), record.value());
  }

  /** Why a record is refused, which it must be. */
  String rejection(LedgerRecord record) {
    Event.Rejected rejected = (Event.Rejected) apply(record);
    return rejected.reason() + ": " + rejected.detail();
  }

  static ModelHead headOf(LedgerVersion version) {
    return LedgerCodec.head(version, HeadReason.TRAINED, "trainer", "", Instant.EPOCH);
  }

  /** A version with the model of another one and a manifest of its own. */
  static LedgerVersion forged(LedgerVersion version, ModelManifest manifest) {
    return new LedgerVersion(
        manifest,
        Digest.of(Contracts.MANIFEST.encodeBody(manifest)),
        version.segments(),
        version.model());
  }

  static LedgerAudit.Result audit(List<LedgerRecord> log) {
    LedgerAudit audit = new LedgerAudit();
    for (int offset = 0; offset < log.size(); offset++) {
      audit.apply(offset, log.get(offset).key().toString(), log.get(offset).value());
    }
    return audit.result();
  }

  /** What an audit finds, in sentences. */
  static List<String> violations(List<LedgerRecord> log) {
    return audit(log).violations().stream().map(LedgerAudit.Violation::detail).toList();
  }
}
