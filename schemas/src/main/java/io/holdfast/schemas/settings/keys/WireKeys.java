package io.holdfast.schemas.settings.keys;

import java.time.Duration;
import java.util.List;

/** How values name their schemas, and the registry that may know them. */
public final class WireKeys {
  private static final String[] FORMATS = {
    "auto", "single-object", "confluent", "confluent-header", "plain", "json"
  };

  public static final Key<List<String>> URLS =
      Key.texts("registry.urls", "Its servers, asked in turn; without one no registry is asked");
  public static final Key<String> USER =
      Key.text("registry.user", "For basic authentication").usually("none");
  public static final Key<String> PASSWORD =
      Key.text("registry.password", "The user's").usually("none");
  public static final Key<String> TOKEN =
      Key.text("registry.token", "A bearer token instead").usually("none");
  public static final Key<String> KEYSTORE =
      Key.text("registry.keystore", "Our certificate for mutual TLS: PKCS#12 or JKS")
          .usually("none");
  public static final Key<String> KEYSTORE_PASSWORD =
      Key.text("registry.keystorePassword", "The keystore's").usually("none");
  public static final Key<String> TRUSTSTORE =
      Key.text("registry.truststore", "Certificates that are trusted").usually("Java's");
  public static final Key<String> TRUSTSTORE_PASSWORD =
      Key.text("registry.truststorePassword", "The truststore's").usually("none");
  public static final Key<Duration> TIMEOUT =
      Key.of(
              "registry.timeout",
              new Kind.Length(Duration.ofMillis(1), Duration.ofMinutes(1), "above 0, up to 1m"),
              "How long one request to one server may take")
          .usual(Duration.ofSeconds(5));

  public static final Key<String> RECORDS =
      Key.choice(
              "topics.framing.records",
              "How records name their schema: `auto` looks at them",
              FORMATS)
          .more(
              "`single-object`, `confluent`, `confluent-header` ([all](formats.md#framing));"
                  + " `plain` Avro or `json` of one schema");
  public static final Key<String> RECORD_SCHEMA =
      Key.text("topics.framing.recordSchema", "The file of that one schema")
          .usually("none")
          .more("JSON under `auto` needs it, too");
  public static final Key<String> LABELS =
      Key.choice("topics.framing.labels", "The same of labels in a topic", FORMATS);
  public static final Key<String> LABEL_SCHEMA =
      Key.text("topics.framing.labelSchema", "The file of their one schema").usually("none");

  /** Of the registry, in the order of the documentation; paths are below {@code holdfast}. */
  static final List<Key<?>> REGISTRY =
      List.of(
          URLS,
          USER,
          PASSWORD,
          TOKEN,
          KEYSTORE,
          KEYSTORE_PASSWORD,
          TRUSTSTORE,
          TRUSTSTORE_PASSWORD,
          TIMEOUT);

  /** Of a model's topics, likewise; paths are below the model. */
  static final List<Key<?>> FRAMING = List.of(RECORDS, RECORD_SCHEMA, LABELS, LABEL_SCHEMA);

  private WireKeys() {}
}
