package io.holdfast.http;

import io.holdfast.schemas.Sentence;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose request does not arrive whole in time, however steadily its bytes drip
 * in: from the first byte of a request to its last, and from the connection's beginning. One
 * connection's; used by its event loop.
 */
final class RequestDeadline extends ChannelDuplexHandler {
  /** In which a loop reads all that has come. */
  static final Duration TURNS = Duration.ofMillis(100);

  private final Duration limit;
  private @Nullable Future<?> deadline;
  private int unanswered;
  private boolean answeredEarly;

  RequestDeadline(Duration limit) {
    this.limit = limit;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    begin(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request && request.decoderResult().isFailure()) {
      end();
      ReferenceCountUtil.release(message);
      refuse(context, request.decoderResult().cause());
      return;
    }
    if (message instanceof LastHttpContent) {
      end();
      unanswered++;
    } else {
      begin(context);
    }
    context.fireChannelRead(message);
  }

  /** Bytes came, perhaps too few for the codec to make anything of. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (unanswered == 0) {
      begin(context);
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent) {
      answeredEarly = unanswered == 0;
      unanswered = Math.max(0, unanswered - 1);
    }
    var _ = context.write(message, promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    end();
  }

  private void begin(ChannelHandlerContext context) {
    if (deadline == null) {
      answeredEarly = false;
      deadline = after(context, limit, () -> readFirst(context));
    }
  }

  /** A loop that was busy runs what is due before it reads what had come in time. */
  private void readFirst(ChannelHandlerContext context) {
    deadline = after(context, TURNS, () -> expired(context));
  }

  private static Future<?> after(ChannelHandlerContext context, Duration time, Runnable task) {
    return context.executor().schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void end() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  private void expired(ChannelHandlerContext context) {
    if (unanswered > 0 || answeredEarly) {
      var _ = context.close(); // there is, or was, another answer than that it came late
      return;
    }
    answer(
        context,
        ProblemKind.REQUEST_TIMEOUT,
        "the request did not arrive whole within " + limit.toMillis() + " ms");
  }

  /** What is no HTTP request, or too long a one: the server would not say which. */
  private static void refuse(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      answer(context, ProblemKind.URI_TOO_LONG, "the first line must be shorter");
    } else if (cause instanceof TooLongHttpHeaderException) {
      answer(context, ProblemKind.HEADERS_TOO_LARGE, "the headers must be shorter");
    } else {
      answer(context, ProblemKind.BAD_REQUEST, "what came is no HTTP request");
    }
  }

  /** The last answer of a connection; {@code detail} is ours, and needs no quoting. */
  private static void answer(ChannelHandlerContext context, ProblemKind kind, String detail) {
    ByteBuf body =
        Unpooled.copiedBuffer(
            Sentence.of(
                "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}",
                kind.type(), kind.title(), kind.status().getCode(), detail),
            StandardCharsets.UTF_8);
    FullHttpResponse answer =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(kind.status().getCode()), body);
    answer
        .headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    var _ = context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }
}
