package io.holdfast.schemas.settings;

import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.Framings.Read;
import io.holdfast.schemas.settings.Registry.Credentials;
import io.holdfast.schemas.settings.Registry.Store;
import io.holdfast.schemas.settings.Registry.Subjects;
import io.holdfast.schemas.settings.Registry.Tls;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ProgramKeys;
import io.holdfast.schemas.settings.keys.TopicKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads how values are framed, and where the schema registry is. Stateless. */
final class WireReader {
  private static final int MOST_URLS = 20;

  private WireReader() {}

  /** The section {@code framing} of a model's topics; files are looked for in {@code folder}. */
  static Framings framings(Section section, Path folder) {
    return new Framings(
        read(section, TopicKeys.FRAMING_OF_RECORDS, TopicKeys.RECORD_SCHEMA, folder),
        read(section, TopicKeys.FRAMING_OF_LABELS, TopicKeys.LABEL_SCHEMA, folder),
        Format.of(section.read(TopicKeys.FRAMING_OF_SCORES)),
        Format.of(section.read(TopicKeys.FRAMING_OF_EXAMPLES)));
  }

  private static Read read(Section section, Key<String> topic, Key<String> schemaKey, Path folder) {
    Format format = Format.of(section.read(topic));
    String file = section.optional(schemaKey);
    String right = "a readable Avro schema file";
    Path schema = file == null ? null : section.file(schemaKey, file, folder, right);
    if (schema == null && format.needsSchema()) {
      section.problemAt(
          topic.name(),
          "%s must name the file of the one schema while %s is %s",
          section.name(schemaKey),
          section.name(topic),
          format.label());
    }
    if (schema != null && !format.needsSchema() && format != Format.AUTO) {
      section.problemAt(
          schemaKey.name(),
          "%s has no meaning while %s is %s: leave it out, or take plain or json",
          section.name(schemaKey),
          section.name(topic),
          format.label());
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
      boolean needed =
          Stream.of(
                  framings.records().format(),
                  framings.labels().format(),
                  framings.scores(),
                  framings.examples())
              .anyMatch(Format::needsRegistry);
      if (needed) {
        models.problem(
            "holdfast.registry.urls must be set while %s.topics.framing names confluent",
            models.name(model.name()));
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
            section.read(ProgramKeys.REGISTRY_TIMEOUT),
            Subjects.of(section.read(ProgramKeys.REGISTRY_SUBJECTS)),
            Format.of(section.read(ProgramKeys.REGISTRY_REPORTS)));
    if (urls.isEmpty() && registry.reports().needsRegistry()) {
      section.problem(
          "%s must be set while %s is %s",
          section.name(ProgramKeys.REGISTRY_URLS),
          section.name(ProgramKeys.REGISTRY_REPORTS),
          registry.reports().label());
    }
    section.rejectUnknown();
    return urls.isEmpty() ? null : registry;
  }

  private static List<URI> urls(Section section) {
    List<URI> urls = new ArrayList<>();
    for (String text : section.list(ProgramKeys.REGISTRY_URLS)) {
      URI url = url(text);
      if (url == null) {
        section.wrong(
            ProgramKeys.REGISTRY_URLS,
            "a list of http:// or https:// addresses without user, query or fragment",
            // one that carries a password is not repeated
            text.contains("@") ? "one with @" : Section.quoted(text));
      } else {
        urls.add(url);
      }
    }
    if (urls.size() > MOST_URLS) {
      section.wrong(
          ProgramKeys.REGISTRY_URLS, "at most " + MOST_URLS + " addresses", "" + urls.size());
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
    String user = section.optional(ProgramKeys.REGISTRY_USER);
    String password = section.optional(ProgramKeys.REGISTRY_PASSWORD);
    String token = section.optional(ProgramKeys.REGISTRY_TOKEN);
    if (token != null && (user != null || password != null)) {
      section.problemAt(
          "token",
          "%s and %s cannot both be set: a request has one of them",
          section.name("token"),
          section.name("user"));
    }
    if ((user == null) != (password == null)) {
      section.problem(
          "%s is missing: %s and %s go together",
          section.name(user == null ? "user" : "password"),
          section.name("user"),
          section.name("password"));
    }
    if (token != null) {
      return new Credentials.Bearer(token.strip());
    }
    return user == null || password == null
        ? new Credentials.None()
        : new Credentials.Basic(user, password);
  }

  private static @Nullable Tls tls(Section section, Path folder) {
    Store keys =
        store(
            section, ProgramKeys.REGISTRY_KEYSTORE, ProgramKeys.REGISTRY_KEYSTORE_PASSWORD, folder);
    Store trusted =
        store(
            section,
            ProgramKeys.REGISTRY_TRUSTSTORE,
            ProgramKeys.REGISTRY_TRUSTSTORE_PASSWORD,
            folder);
    return keys == null && trusted == null ? null : new Tls(keys, trusted);
  }

  private static @Nullable Store store(
      Section section, Key<String> key, Key<String> passwordKey, Path folder) {
    String file = section.optional(key);
    String password = section.optional(passwordKey);
    if (file == null) {
      return null;
    }
    Path path = section.file(key, file, folder, "a readable PKCS#12 or JKS file");
    return new Store(path, password);
  }
}
