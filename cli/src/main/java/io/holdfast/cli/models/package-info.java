/**
 * {@code holdfast models}, one file per command: what the model topic holds, and which version
 * serves. The settings and the topic come in; tables, JSON, model files and new heads go out. It
 * may not decide what a head may become: the ledger's rules do.
 */
@NullMarked
package io.holdfast.cli.models;

import org.jspecify.annotations.NullMarked;
