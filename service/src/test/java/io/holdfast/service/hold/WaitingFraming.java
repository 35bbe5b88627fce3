package io.holdfast.service.hold;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.wire.Framing;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** A framing whose schemas are looked up without end, and the values that were asked about. */
final class WaitingFraming implements RecordFraming {
  final List<byte[]> asked = new ArrayList<>();

  @Override
  public Framing.Frame open(byte @Nullable [] value, Headers headers) {
    throw new IllegalStateException("what is not ready is not opened");
  }

  @Override
  public boolean ready(byte @Nullable [] value, Headers headers) {
    asked.add(value);
    return false;
  }

  @Override
  public String awaited(byte @Nullable [] value, Headers headers) {
    return "the registry is down";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public byte[] single(Schema schema, byte[] body) {
    throw new IllegalStateException("what is not ready is not framed");
  }
}
