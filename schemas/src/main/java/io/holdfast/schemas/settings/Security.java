package io.holdfast.schemas.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what over HTTP, and how what is said there is kept secret. Holds no token, only their
 * hashes. Immutable.
 *
 * @param tokensFile more of them, read when the service starts; null for none
 * @param jwt tokens of an identity provider; null if none are taken
 * @param openReading whether reading and scoring need no token although others do
 * @param tls null for plain HTTP
 */
public record Security(
    List<Token> tokens,
    @Nullable Path tokensFile,
    @Nullable Jwt jwt,
    boolean openReading,
    @Nullable Tls tls) {
  /** Nobody may change anything; whoever reaches the port may read. */
  public static final Security NONE = new Security(List.of(), null, null, false, null);

  public Security {
    tokens = List.copyOf(tokens);
  }

  /** What somebody may do: each may do what those before it may. */
  public enum Role {
    /** Read, score, explain. */
    VIEWER,
    /** Change which version serves. */
    OPERATOR,
    /** Send dead letters in again. */
    ADMIN;

    /** As it is written in files and tokens. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that label. */
    public static Optional<Role> of(String label) {
      return List.of(values()).stream().filter(role -> role.label().equals(label)).findFirst();
    }

    public boolean includes(Role other) {
      return compareTo(other) >= 0;
    }
  }

  /** A token of ours, by its {@link #hash}. */
  public record Token(String name, Role role, String hash) {}

  /** Tokens of an identity provider, whose keys are at {@code jwks}. */
  public record Jwt(URI jwks, String issuer, String audience, String rolesClaim) {}

  /** Files in PEM format. */
  public record Tls(Path certificate, Path privateKey) {}

  /**
   * The SHA-256 hash of a token, 64 small hex digits; tokens are too long to be guessed from it.
   */
  public static String hash(String token) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether anybody can say who they are. */
  public boolean configured() {
    return !tokens.isEmpty() || tokensFile != null || jwt != null;
  }

  /**
   * These with the tokens of the file.
   *
   * @throws SettingsException if it cannot be read, or is not as it must be
   */
  public Security withFile() {
    if (tokensFile == null) {
      return this;
    }
    List<Token> all = new ArrayList<>(tokens);
    all.addAll(SecurityReader.file(tokensFile));
    return new Security(all, tokensFile, jwt, openReading, tls);
  }

  /** Whether there may be somebody with that role. */
  public boolean anyMay(Role role) {
    return tokensFile != null
        || jwt != null
        || tokens.stream().anyMatch(token -> token.role().includes(role));
  }
}
