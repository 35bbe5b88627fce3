/**
 * The commands around a running service: {@code service}, {@code trainer}, {@code broker}, {@code
 * topics}, {@code doctor} and {@code replay}. Settings come in; processes, topics and what is wrong
 * with them go out.
 */
@NullMarked
package io.holdfast.cli.operate;

import org.jspecify.annotations.NullMarked;
