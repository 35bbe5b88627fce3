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

/**
 * Dots about a diagonal, both axes on one scale.
 *
 * @param dots each with x, y, size (how many it stands for) and name
 * @param bounds the least and the greatest value of all charts that share a scale
 */
export function scatter(dots, [low, high], label, show) {
  const [width, height, left, bottom] = [260, 200, 44, 24];
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  const [from, to] = [low - room, high + room];
  const x = (value) => left + ((width - left - 8) * (value - from)) / (to - from);
  const y = (value) => 8 + ((height - bottom - 8) * (to - value)) / (to - from);
  const chart = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, class: 'columns-chart scatter' });
  for (const value of [low, (low + high) / 2, high]) {
    chart.append(svg('line', { x1: left, x2: width - 8, y1: y(value), y2: y(value), class: 'grid' }));
    chart.append(svg('text', { x: left - 6, y: y(value) + 4, class: 'tick end' }, show(value)));
    chart.append(svg('text', { x: x(value), y: height - 8, class: `tick ${value === high ? 'end' : 'middle'}` }, show(value)));
  }
  chart.append(svg('line', { x1: x(from), y1: y(from), x2: x(to), y2: y(to), class: 'diagonal' }));
  const most = Math.max(...dots.map((dot) => dot.size), 1);
  for (const dot of dots) {
    const circle = svg('circle', { cx: x(dot.x), cy: y(dot.y), r: 2 + 4 * Math.sqrt(dot.size / most), class: 'dot' });
    circle.append(svg('title', {}, dot.name));
    chart.append(circle);
  }
  return chart;
}

/**
 * Figures with their intervals, a line each: a box from 0 to the figure, a whisker over the interval.
 *
 * @param figures each with name, value, low and high
 */
export function intervals(figures, label, show) {
  const [width, each, right] = [640, 44, 150];
  const chart = svg('svg', { viewBox: `0 0 ${width} ${each * figures.length}`, role: 'img', 'aria-label': label, class: 'columns-chart intervals' });
  const from = Math.min(0, ...figures.map((one) => one.low));
  const to = Math.max(0, ...figures.map((one) => one.high));
  const x = (value) => 4 + ((width - right - 8) * (value - from)) / (to - from || 1);
  chart.append(svg('line', { x1: x(0), x2: x(0), y1: 0, y2: each * figures.length, class: 'grid' }));
  figures.forEach((one, i) => {
    const middle = each * i + 30;
    chart.append(svg('text', { x: 4, y: each * i + 14, class: 'tick' }, one.name));
    chart.append(svg('rect', { x: Math.min(x(0), x(one.value)), y: middle - 7, width: Math.max(1, Math.abs(x(one.value) - x(0))), height: 14, class: 'column' }));
    chart.append(svg('line', { x1: x(one.low), x2: x(one.high), y1: middle, y2: middle, class: 'whisker' }));
    for (const end of [one.low, one.high]) {
      chart.append(svg('line', { x1: x(end), x2: x(end), y1: middle - 5, y2: middle + 5, class: 'whisker' }));
    }
    chart.append(svg('text', { x: width - 4, y: middle + 4, class: 'tick end' }, `${show(one.value)} (${show(one.low)} to ${show(one.high)})`));
  });
  return chart;
}
