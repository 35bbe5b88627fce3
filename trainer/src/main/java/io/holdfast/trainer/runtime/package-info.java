/**
 * Settings come in from a file or the embedding program, examples from each model's topic. A thread
 * a model feeds them to {@code learn} and has {@code publish} send what was decided; health and
 * metrics go out over HTTP. The only package that holds a consumer; how trees are grown is not
 * known here.
 */
@NullMarked
package io.holdfast.trainer.runtime;

import org.jspecify.annotations.NullMarked;
