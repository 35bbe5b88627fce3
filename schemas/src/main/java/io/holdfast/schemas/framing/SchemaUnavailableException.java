package io.holdfast.schemas.framing;

/**
 * Nobody can say now by which schema a value was written, in a sentence. The value may be as good
 * as any, so it is not to be given up: whoever has it tries again.
 */
public final class SchemaUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SchemaUnavailableException(String sentence) {
    super(sentence);
  }
}
