package io.holdfast.service.infer;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.service.infer.InferView.OutputTensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The extension that clients use by default: tensors as bytes behind the JSON. Stateless. */
final class BinaryData {
  /** Says how long the JSON is, in requests and answers. */
  static final String HEADER = "Inference-Header-Content-Length";

  static final String EXTENSION = "binary_tensor_data";
  private static final ObjectMapper JSON = new ObjectMapper();

  private BinaryData() {}

  /** A body in its two parts. */
  @SuppressWarnings("ArrayRecordComponent") // made for one request; never compared
  record Parts(byte[] json, ByteBuffer binary) {}

  /** Takes a body apart; all is JSON without the header. */
  static Parts split(byte[] body, @Nullable String header) {
    int length = body.length;
    if (header != null) {
      try {
        length = Integer.parseInt(header.strip());
      } catch (NumberFormatException e) {
        length = -1;
      }
      if (length < 0 || length > body.length) {
        throw new ProblemException(
            ProblemKind.BAD_REQUEST,
            HEADER
                + " must be how many of the body's "
                + body.length
                + " bytes are JSON: "
                + header);
      }
    }
    ByteBuffer binary = ByteBuffer.wrap(body, length, body.length - length).slice();
    return new Parts(Arrays.copyOf(body, length), binary.order(ByteOrder.LITTLE_ENDIAN));
  }

  /** An answer whose outputs of these names are bytes, and how long its JSON is. */
  @SuppressWarnings("ArrayRecordComponent")
  record Joined(byte[] body, int jsonLength) {}

  static Joined join(InferView view, List<String> asBytes) {
    ByteArrayOutputStream binary = new ByteArrayOutputStream();
    List<OutputTensor> outputs = new ArrayList<>();
    for (OutputTensor output : view.outputs()) {
      if (asBytes.contains(output.name())) {
        byte[] bytes = bytes(output.data());
        binary.writeBytes(bytes);
        outputs.add(
            new OutputTensor(
                output.name(),
                output.datatype(),
                output.shape(),
                Map.of("binary_data_size", bytes.length),
                null));
      } else {
        outputs.add(output);
      }
    }
    try {
      byte[] json = JSON.writeValueAsBytes(view.with(outputs));
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      body.writeBytes(json);
      body.writeBytes(binary.toByteArray());
      return new Joined(body.toByteArray(), json.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(@Nullable List<Object> data) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Object value : data == null ? List.of() : data) {
      if (value instanceof Number number) {
        bytes.writeBytes(little(8).putDouble(number.doubleValue()).array());
      } else {
        byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
        bytes.writeBytes(little(4).putInt(text.length).array());
        bytes.writeBytes(text);
      }
    }
    return bytes.toByteArray();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
