package io.holdfast.http;

import io.micronaut.http.HttpStatus;
import java.util.Locale;

/**
 * What may be wrong with a request or its answer: a {@code type} of RFC 9457 each, which is the
 * path that explains it. Names are part of the API.
 */
public enum ProblemKind {
  BAD_REQUEST(400, "The request is not as it must be", "a part of the path, query or headers"),
  MALFORMED_BODY(
      400,
      "The body is not what the path takes",
      "no JSON, of another shape, or not packed as its header says"),
  BAD_RECORD(400, "A record cannot be read", "no known schema has its fields or values"),
  UNAUTHENTICATED(401, "Nobody knows who asks", "no token, or one that is not valid"),
  FORBIDDEN(403, "Who asks may not do this", "the role does not allow it"),
  ACTIONS_OFF(403, "This service takes no actions", "`holdfast.security` names nobody"),
  FROM_A_PAGE(403, "The request comes from a web page", "and that page is of another origin"),
  NO_SUCH_PATH(404, "There is nothing at this path", "the path, or its file"),
  NO_SUCH_MODEL(404, "There is no model of this name", "the configuration lacks it"),
  NO_SUCH_VERSION(404, "There is no such version", "the model topic lacks it, or its gamma"),
  METHOD_NOT_ALLOWED(405, "The path takes another method", "such as GET where POST is meant"),
  NOT_ACCEPTABLE(406, "No answer is of the type asked for", "the header Accept"),
  REQUEST_TIMEOUT(408, "The request took too long to arrive", "see `requestTimeout`"),
  HEAD_REFUSED(409, "The head cannot be changed so", "a version that cannot serve or be reached"),
  VERSION_UNUSABLE(409, "The version cannot be used", "its records are incomplete or damaged"),
  NOT_EXPLAINABLE(409, "The version cannot be explained", "its trees do not know their rows"),
  BODY_TOO_LARGE(413, "The body is too large", "more than 2 MB"),
  TOO_MANY_RECORDS(413, "There are too many records", "more than 1,000 in a request"),
  URI_TOO_LONG(414, "The path is too long", "more than 4,096 characters"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body is not declared as JSON", "the header Content-Type"),
  TOO_MANY_REQUESTS(429, "There were too many attempts", "wait, as Retry-After may say"),
  HEADERS_TOO_LARGE(431, "The headers are too large", "more than 8 KB"),
  INTERNAL(500, "The program failed to answer", "a bug: its log says more"),
  NOT_READY(503, "The model cannot score yet", "no verified version, or no schema that fits"),
  KAFKA_UNAVAILABLE(503, "Kafka does not do it now", "no broker, right or topic"),
  TOO_SLOW(503, "The answer took too long", "ask for fewer records");

  /** Where kinds are explained. */
  public static final String PATH = "/problems";

  private final int status;
  private final String title;
  private final String when;

  ProblemKind(int status, String title, String when) {
    this.status = status;
    this.title = title;
    this.when = when;
  }

  /** The last part of its type. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A URI reference, the same of every program. */
  public String type() {
    return PATH + "/" + label();
  }

  public HttpStatus status() {
    return HttpStatus.valueOf(status);
  }

  /** What it is, without a case. */
  public String title() {
    return title;
  }

  /** What brings it about. */
  public String when() {
    return when;
  }

  /** That of an error that is known by its status alone. */
  public static ProblemKind of(HttpStatus status) {
    return switch (status) {
      case UNAUTHORIZED -> UNAUTHENTICATED;
      case FORBIDDEN -> FORBIDDEN;
      case NOT_FOUND -> NO_SUCH_PATH;
      case METHOD_NOT_ALLOWED -> METHOD_NOT_ALLOWED;
      case NOT_ACCEPTABLE -> NOT_ACCEPTABLE;
      case REQUEST_TIMEOUT -> REQUEST_TIMEOUT;
      case REQUEST_ENTITY_TOO_LARGE -> BODY_TOO_LARGE;
      case REQUEST_URI_TOO_LONG -> URI_TOO_LONG;
      case UNSUPPORTED_MEDIA_TYPE -> UNSUPPORTED_MEDIA_TYPE;
      case TOO_MANY_REQUESTS -> TOO_MANY_REQUESTS;
      case REQUEST_HEADER_FIELDS_TOO_LARGE -> HEADERS_TOO_LARGE;
      default -> status.getCode() < 500 ? BAD_REQUEST : INTERNAL;
    };
  }
}
