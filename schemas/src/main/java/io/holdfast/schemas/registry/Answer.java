package io.holdfast.schemas.registry;

import com.fasterxml.jackson.databind.JsonNode;

/** What a server of a registry said to a request that it understood. */
sealed interface Answer {

  /** What was asked for. */
  record Found(JsonNode body) implements Answer {}

  /**
   * That there is none, or that it does not take it, with the status of HTTP and the API's own
   * code.
   */
  record Refused(int status, int code, String message) implements Answer {
    boolean absent() {
      return status == 404;
    }
  }
}
