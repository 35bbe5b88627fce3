package io.holdfast.schemas.settings;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.Framings.Read;
import io.holdfast.schemas.settings.Registry.Credentials;
import io.holdfast.schemas.settings.Registry.Store;
import io.holdfast.schemas.settings.Registry.Subjects;
import io.holdfast.schemas.settings.Registry.Tls;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.WireKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads how values are framed, and where the schema registry is. Stateless. */
final class WireReader {
  private static final int MOST_URLS = 20;

  private WireReader() {}

  /** The section {@code framing} of a model's topics; files are looked for in {@code folder}. */
  static Framings framings(Section section, Path folder) {
    Framings framings =
        new Framings(
            read(section, WireKeys.RECORDS, WireKeys.RECORD_SCHEMA, folder),
            read(section, WireKeys.LABELS, WireKeys.LABEL_SCHEMA, folder));
    section.rejectUnknown();
    return framings;
  }

  private static Read read(Section section, Key<String> topic, Key<String> schemaKey, Path folder) {
    Format format = Format.of(section.read(topic));
    String file = section.optional(schemaKey);
    Path schema = file == null ? null : folder.resolve(file).normalize();
    if (schema != null && (!Files.isRegularFile(schema) || !Files.isReadable(schema))) {
      section.wrong(schemaKey, "a readable Avro schema file", schema + " is none");
    }
    if (schema == null && format.needsSchema()) {
      section.problem(
          topic,
          Sentence.of(
              "%s must name the file of the one schema while %s is %s",
              section.name(schemaKey), section.name(topic), format.label()));
    }
    if (schema != null && !format.needsSchema() && format != Format.AUTO) {
      section.problem(
          schemaKey,
          Sentence.of(
              "%s has no meaning while %s is %s: leave it out, or take plain or json",
              section.name(schemaKey), section.name(topic), format.label()));
    }
    return new Read(format, schema);
  }

  /** A model whose values are framed for a registry needs one. */
  static void require(
      @Nullable Registry registry, Section models, Iterable<ModelSettings> settings) {
    if (registry != null) {
      return;
    }
    for (ModelSettings model : settings) {
      Framings framings = model.topics().framings();
      if (framings.records().format().needsRegistry()
          || framings.labels().format().needsRegistry()) {
        models.problem(
            Sentence.of(
                "holdfast.registry.urls must be set while %s.topics.framing names confluent",
                models.name(model.name())));
      }
    }
  }

  /** The section of the registry; null if no URL is set. */
  static @Nullable Registry registry(Section section, Path folder) {
    List<URI> urls = urls(section);
    Registry registry =
        new Registry(
            urls,
            credentials(section),
            tls(section, folder),
            section.read(WireKeys.TIMEOUT),
            Subjects.TOPIC);
    section.rejectUnknown();
    return urls.isEmpty() ? null : registry;
  }

  private static List<URI> urls(Section section) {
    List<URI> urls = new ArrayList<>();
    for (String text : section.list(WireKeys.URLS)) {
      URI url = url(text);
      if (url == null) {
        section.wrong(
            WireKeys.URLS,
            "a list of http:// or https:// addresses without user, query or fragment",
            // one that carries a password is not repeated
            text.contains("@") ? "one with @" : Section.quoted(text));
      } else {
        urls.add(url);
      }
    }
    if (urls.size() > MOST_URLS) {
      section.wrong(WireKeys.URLS, "at most " + MOST_URLS + " addresses", "" + urls.size());
    }
    return urls;
  }

  private static @Nullable URI url(String text) {
    try {
      URI url = new URI(text.strip());
      boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      boolean bare =
          url.getUserInfo() == null && url.getQuery() == null && url.getFragment() == null;
      return http && bare && url.getHost() != null ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static Credentials credentials(Section section) {
    String user = section.optional(WireKeys.USER);
    String password = section.optional(WireKeys.PASSWORD);
    String token = section.optional(WireKeys.TOKEN);
    if (token != null && (user != null || password != null)) {
      section.problem(
          WireKeys.TOKEN,
          Sentence.of(
              "%s and %s cannot both be set: a request has one of them",
              section.name(WireKeys.TOKEN), section.name(WireKeys.USER)));
    }
    if ((user == null) != (password == null)) {
      Key<String> lacking = user == null ? WireKeys.USER : WireKeys.PASSWORD;
      section.problem(
          Sentence.of(
              "%s is missing: %s and %s go together",
              section.name(lacking), section.name(WireKeys.USER), section.name(WireKeys.PASSWORD)));
    }
    if (token != null) {
      return new Credentials.Bearer(token.strip());
    }
    return user == null || password == null
        ? new Credentials.None()
        : new Credentials.Basic(user, password);
  }

  private static @Nullable Tls tls(Section section, Path folder) {
    Store keys = store(section, WireKeys.KEYSTORE, WireKeys.KEYSTORE_PASSWORD, folder);
    Store trusted = store(section, WireKeys.TRUSTSTORE, WireKeys.TRUSTSTORE_PASSWORD, folder);
    return keys == null && trusted == null ? null : new Tls(keys, trusted);
  }

  private static @Nullable Store store(
      Section section, Key<String> key, Key<String> passwordKey, Path folder) {
    String file = section.optional(key);
    String password = section.optional(passwordKey);
    if (file == null) {
      return null;
    }
    Path path = folder.resolve(file).normalize();
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      section.wrong(key, "a readable PKCS#12 or JKS file", path + " is none");
    }
    return new Store(path, password);
  }
}
