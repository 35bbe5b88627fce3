/**
 * Measurements, side by side with peers. In come generated rows or files named on the command line;
 * out go figures on standard output, quoted in docs/benchmarks.md. Nothing here is shipped, and
 * nothing here may know a hidden setting that favours one side.
 */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
