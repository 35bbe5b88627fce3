/**
 * What all formats share: an imported model, the sentence why there is none, and trees from nodes
 * in any order. Nodes come in from the readers of formats; engine trees and features go out. It may
 * not know any format.
 */
@NullMarked
package io.holdfast.exchange.foreign;

import org.jspecify.annotations.NullMarked;
