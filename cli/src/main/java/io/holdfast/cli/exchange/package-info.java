/**
 * Models from and for other programs. Their files come in from users; model files and versions of
 * ours go out, and the other way round. It may not know formats, which {@code io.holdfast.exchange}
 * does, or topics.
 */
@NullMarked
package io.holdfast.cli.exchange;

import org.jspecify.annotations.NullMarked;
