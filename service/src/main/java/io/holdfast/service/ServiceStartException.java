package io.holdfast.service;

import java.util.List;

/** Why the service cannot start, a sentence each for the user. */
public final class ServiceStartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ServiceStartException(List<String> problems) {
    super(String.join("\n", problems));
  }
}
