package io.holdfast.schemas.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.wire.SchemaFile;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Puts a schema together from the registry's answer and from those that it refers to, which stand
 * under subjects and versions of their own. One use each.
 */
final class SchemaParts {
  /*
   * What a schema refers to is parsed before it, each once, so that a circle of references ends.
   * Nothing says that a registry is right: how many there are, how deep and how large is bounded.
   */
  private static final int MAX_DEPTH = 16;
  private static final int MAX_PARTS = 256;
  private static final int MAX_CHARACTERS = 4 << 20;

  /** Whom parts are asked of. */
  @FunctionalInterface
  interface Server {
    Answer ask(String path, @Nullable JsonNode body) throws RegistryException;
  }

  private final Server server;
  private final SchemaId id;
  private final Schema.Parser parser = new Schema.Parser().setValidateDefaults(false);
  private final Set<String> seen = new HashSet<>();
  private int characters;

  SchemaParts(Server server, SchemaId id) {
    this.server = server;
    this.id = id;
  }

  /** The schema of a record in an answer. */
  Schema schema(JsonNode answer) throws RegistryException {
    Schema schema = parse(answer, 0);
    if (schema.getType() != Schema.Type.RECORD) {
      throw Reason.UNUSABLE.because(
          "schema %s of the registry is a %s, not a record", id, schema.getType().getName());
    }
    return schema;
  }

  private Schema parse(JsonNode answer, int depth) throws RegistryException {
    String type = answer.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw Reason.UNUSABLE.because(
          "schema %s of the registry is of the type %s, not AVRO", id, RegistryHttp.cut(type));
    }
    JsonNode text = answer.path("schema");
    if (!text.isTextual()) {
      throw Reason.UNAVAILABLE.because(
          "the registry's answer about schema %s holds no text named schema", id);
    }
    characters += text.textValue().length();
    if (depth > MAX_DEPTH || characters > MAX_CHARACTERS) {
      throw Reason.UNUSABLE.because(
          "schema %s of the registry, with all it refers to, is deeper than %d references or"
              + " longer than %,d characters",
          id, MAX_DEPTH, MAX_CHARACTERS);
    }
    for (JsonNode reference : answer.path("references")) {
      refer(reference, depth);
    }
    return parse(text.textValue());
  }

  private void refer(JsonNode reference, int depth) throws RegistryException {
    String subject = reference.path("subject").asText("");
    int version = reference.path("version").asInt(-1);
    if (!seen.add(subject + "@" + version)) {
      return;
    }
    if (seen.size() > MAX_PARTS) {
      throw Reason.UNUSABLE.because(
          "schema %s of the registry refers to more than %d others", id, MAX_PARTS);
    }
    String path =
        Sentence.of("subjects/%s/versions/%d?deleted=true", RegistryHttp.escaped(subject), version);
    switch (server.ask(path, null)) {
      case Answer.Found(JsonNode body) -> {
        Schema _ = parse(body, depth + 1);
      }
      case Answer.Refused error ->
          throw Reason.UNAVAILABLE.because(
              "schema %s refers to version %d of subject %s, which the registry does not give:"
                  + " %s",
              id, version, RegistryHttp.cut(subject), error.message());
    }
  }

  @SuppressWarnings("IllegalCatch") // Avro's parser throws what it likes, even NPEs.
  private Schema parse(String json) throws RegistryException {
    try {
      return SchemaFile.bounded(parser.parse(json));
    } catch (RuntimeException | StackOverflowError e) {
      throw Reason.UNUSABLE.because(
          "schema %s of the registry is no Avro schema: %s",
          id, RegistryHttp.cut(String.valueOf(e.getMessage())));
    }
  }
}
