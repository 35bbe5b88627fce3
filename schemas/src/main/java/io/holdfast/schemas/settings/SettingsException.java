package io.holdfast.schemas.settings;

/** A mistake in the configuration, said in one sentence for the user. */
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SettingsException(String message) {
    super(message);
  }
}
