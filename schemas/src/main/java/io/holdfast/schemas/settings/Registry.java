package io.holdfast.schemas.settings;

import io.holdfast.schemas.settings.Framings.Format;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a schema registry is that speaks Confluent's REST API. Immutable.
 *
 * @param urls of its servers, which are asked in turn until one answers; at least one
 * @param tls null for what Java trusts
 * @param timeout of one request to one server, from its beginning to the end of the answer
 * @param subjects under which our own schemas are registered
 * @param reports how the topic of reports, which all models share, is framed
 */
public record Registry(
    List<URI> urls,
    Credentials credentials,
    @Nullable Tls tls,
    Duration timeout,
    Subjects subjects,
    Format reports) {
  /** How long a request may take, unless said otherwise. */
  public static final Duration TIMEOUT = Duration.ofSeconds(5);

  public Registry {
    urls = List.copyOf(urls);
  }

  /** A registry that asks nobody who they are. */
  public Registry(List<URI> urls) {
    this(urls, new Credentials.None(), null, TIMEOUT, Subjects.TOPIC, Format.SINGLE_OBJECT);
  }

  /** Who asks. */
  public sealed interface Credentials {
    /** Nobody in particular. */
    record None() implements Credentials {}

    /** By HTTP's basic authentication. */
    record Basic(String user, String password) implements Credentials {
      @Override
      public String toString() {
        return "Basic[user=" + user + "]";
      }
    }

    /** By a bearer token. */
    record Bearer(String token) implements Credentials {
      @Override
      public String toString() {
        return "Bearer[]";
      }
    }
  }

  /** Certificates: our own, for servers that ask for one, and those trusted. */
  public record Tls(@Nullable Store keys, @Nullable Store trusted) {}

  /** A file of keys or certificates that Java reads, PKCS#12 or JKS. */
  public record Store(Path file, @Nullable String password) {
    @Override
    public String toString() {
      return file.toString();
    }
  }

  /** How the subject of a schema is named. */
  public enum Subjects {
    /** {@code TOPIC-value}. */
    TOPIC,
    /** The record's full name. */
    RECORD,
    /** {@code TOPIC-NAME}. */
    TOPIC_RECORD;

    static Subjects of(String label) {
      return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The subject of values of a topic. */
    public String of(String topic, String record) {
      return switch (this) {
        case TOPIC -> topic + "-value";
        case RECORD -> record;
        case TOPIC_RECORD -> topic + "-" + record;
      };
    }
  }
}
