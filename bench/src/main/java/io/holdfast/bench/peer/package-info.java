/**
 * Other people's boosters, behind the few calls that a comparison needs. In come rows and settings;
 * out go raw scores. Parameters are given as the peer's own names and stand in docs/benchmarks.md:
 * nothing here may favour one side.
 */
@NullMarked
package io.holdfast.bench.peer;

import org.jspecify.annotations.NullMarked;
