package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.version.Digest;
import org.jspecify.annotations.Nullable;

/** A head as machines read it. Stateless. */
final class HeadJson {
  private HeadJson() {}

  static void put(ObjectNode node, ModelHead head) {
    @Nullable Sha256Digest shadow = head.getShadowHash();
    node.put("sequence", head.getSequence());
    node.put("version", head.getVersion());
    node.put("hash", Digest.fromBytes(head.getHash().bytes()).hex());
    node.put("tipVersion", HeadRules.tipVersion(head));
    node.put("tipHash", HeadRules.tipHash(head).hex());
    node.put("shadowVersion", head.getShadowVersion());
    node.put("shadowHash", shadow == null ? null : Digest.fromBytes(shadow.bytes()).hex());
    node.put("pinned", head.getPinned());
    node.put("reason", head.getReason().name());
    node.put("by", head.getBy());
    node.put("why", head.getNote());
    node.put("at", head.getAt().toString());
  }
}
