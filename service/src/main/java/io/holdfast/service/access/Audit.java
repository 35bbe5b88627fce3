package io.holdfast.service.access;

import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is written down of actions, in the log; the model topic has it, too. Stateless. */
public final class Audit {
  private static final Logger LOG = LoggerFactory.getLogger(Audit.class);
  private static final int MOST_CHARACTERS = 1_000;

  private Audit() {}

  /** Who somebody is to people: of a JWT its user name, since its subject may be a number. */
  public static String name(Authentication who) {
    Map<String, Object> claims = who.getAttributes();
    return claims.get("preferred_username") instanceof String name && !name.isBlank()
        ? plain(name)
        : plain(who.getName());
  }

  /** An action that was done. */
  public static void done(
      Authentication who, HttpRequest<?> request, String model, String what, String why) {
    LOG.atInfo()
        .addKeyValue("model", model)
        .addKeyValue("by", name(who))
        .log(
            "audit: {} with {} from {} did {} {}: {}",
            name(who),
            String.join(", ", who.getRoles()),
            FailureLimit.address(request),
            model,
            plain(what),
            plain(why));
  }

  /** On one line, whatever somebody writes. */
  static String plain(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "..." : line;
  }
}
