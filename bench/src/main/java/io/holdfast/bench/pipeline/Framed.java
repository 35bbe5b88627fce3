package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.framing.ContractFramings;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.SchemaStore;
import io.holdfast.schemas.framing.TopicFraming;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.registry.RegistryException;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Ways in which the benchmark's records are framed, read as the service reads them. Scores are
 * framed for a registry where records are.
 */
enum Framed {
  SINGLE_OBJECT,
  CONFLUENT,
  CONFLUENT_HEADER,
  PLAIN,
  JSON;

  private static final int ID = 7;
  private static final UUID GUID = new UUID(7, 7);

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Framed of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private boolean named() {
    return this == CONFLUENT || this == CONFLUENT_HEADER;
  }

  /** What stands in the settings of a model's topics. */
  String topics(Path schema) {
    return switch (this) {
      case SINGLE_OBJECT -> "{}";
      case CONFLUENT, CONFLUENT_HEADER -> Sentence.of("{ scores: %s }", label());
      case PLAIN, JSON -> Sentence.of("{ records: %s, recordSchema: '%s' }", label(), schema);
    };
  }

  /** The setting of a registry, if there is one: never asked, as what it would say is known. */
  String registry() {
    return named() ? "registry: { urls: ['http://127.0.0.1:9'] }" : "";
  }

  /** A single object as it is framed here. */
  byte[] value(byte[] single) {
    int from = SingleObjectFraming.HEADER_BYTES;
    byte[] body = Arrays.copyOfRange(single, from, single.length);
    return switch (this) {
      case SINGLE_OBJECT -> single;
      case CONFLUENT -> numbered(body);
      case CONFLUENT_HEADER, PLAIN -> body;
      case JSON -> json(body);
    };
  }

  private static byte[] numbered(byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(ID).put(body).array();
  }

  private static byte[] json(byte[] body) {
    try {
      return new GenericDatumReader<>(WideRecords.schema())
          .read(null, DecoderFactory.get().binaryDecoder(body, null))
          .toString()
          .getBytes(UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the benchmark's records can be decoded", e);
    }
  }

  /** The headers of such a value. */
  Headers headers() {
    var headers = new RecordHeaders();
    if (this == CONFLUENT_HEADER) {
      ByteBuffer id = ByteBuffer.allocate(17).put((byte) 1);
      id.putLong(GUID.getMostSignificantBits()).putLong(GUID.getLeastSignificantBits());
      headers.add(TopicFraming.VALUE_HEADER, id.array());
    }
    return headers;
  }

  /** How a model's records are read, and what comes of them is written. */
  record Wire(RecordFraming records, WrittenFramings written) {}

  /** As settings say that were made of {@link #topics} and {@link #registry}. */
  static Wire wire(Settings settings, Framing single) {
    ModelSettings model = settings.models().values().iterator().next();
    Registry at = settings.registry();
    if (at == null) {
      return new Wire(new TopicFramings(single).records(model), WrittenFramings.SINGLE);
    }
    var registry = new SchemaRegistry(at, failure -> {});
    var store = new Known();
    try {
      return new Wire(
          new TopicFramings(single, registry, store).records(model),
          new ContractFramings(registry, store).of(model));
    } catch (RegistryException e) {
      throw new IllegalStateException("schemas that are known need no registry", e);
    }
  }

  /** A registry's answers, as if they had been kept. */
  private static final class Known implements SchemaStore {
    @Override
    public Schema find(SchemaId id) {
      return WideRecords.schema();
    }

    @Override
    public Schema keep(String topic, SchemaId id, Schema schema) {
      return schema;
    }

    @Override
    public @Nullable Registered known(Schema schema) {
      return new Registered(ID, GUID);
    }
  }
}
