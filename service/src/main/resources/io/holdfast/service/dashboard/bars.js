// Charts whose marks are boxes: bars in a table, columns, a waterfall. Widths are set on elements,
// since the page's policy allows no style in markup.

import { h } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';

/** A bar for a table's cell: from `from` to `to`, both shares of the cell's width. */
export function bar(from, to, kind) {
  const filled = h('span', { class: `bar ${kind}` });
  filled.style.marginLeft = `${100 * Math.min(from, to)}%`;
  filled.style.width = `max(2px, ${100 * Math.abs(to - from)}%)`;
  return h('span', { class: 'track', 'aria-hidden': 'true' }, filled);
}

function svg(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

/**
 * Columns over an axis.
 *
 * @param bins each with from, to and count, or with name and count
 */
export function columns(bins, label, unit, show) {
  const [width, height, left, bottom] = [640, 180, 44, 34];
  const chart = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, class: 'columns-chart' });
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const step = (width - left - 8) / bins.length;
  const high = height - bottom - 10;
  for (const share of [0, 0.5, 1]) {
    const y = 10 + high * (1 - share);
    chart.append(svg('line', { x1: left, x2: width - 8, y1: y, y2: y, class: 'grid' }));
    chart.append(svg('text', { x: left - 6, y: y + 4, class: 'tick end' }, show(Math.round(most * share))));
  }
  bins.forEach((bin, i) => {
    const tall = (high * bin.count) / most;
    const box = svg('rect', { x: left + i * step + 1, y: 10 + high - tall, width: Math.max(1, step - 2), height: tall, class: 'column' });
    box.append(svg('title', {}, `${bin.name}: ${show(bin.count)}`));
    chart.append(box);
    const every = Math.ceil(bins.length / 8);
    if (i % every === 0) {
      chart.append(svg('text', { x: left + (i + 0.5) * step, y: height - 20, class: 'tick middle' }, bin.short ?? bin.name));
    }
  });
  chart.append(svg('text', { x: left + (width - left) / 2, y: height - 4, class: 'tick middle' }, unit));
  return chart;
}
