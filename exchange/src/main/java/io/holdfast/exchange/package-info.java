/**
 * Models between Holdfast and other programs. A file of another program comes in and a model goes
 * out, or the other way round, by the package of its format. It may not know commands, topics or
 * how a model is trained.
 */
@NullMarked
package io.holdfast.exchange;

import org.jspecify.annotations.NullMarked;
