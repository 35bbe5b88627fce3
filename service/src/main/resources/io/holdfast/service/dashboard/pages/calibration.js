// What the scores said of themselves against what their labels showed.

import { LineChart } from '../charts.js';
import { behind, card, empty, h, keep, row } from '../dom.js';
import * as format from '../format.js';

export function calibrationCard(mine) {
  const place = h('div', { id: 'calibration-chart', class: 'chart' });
  const nothing = empty('calibration-empty', 'Nothing to compare yet: scores say what to expect of classes, counts and shares, once labels have come.');
  const table = behind('calibration', 'Expected and found by window', ['#Window', 'Metric', '#Expected', '#From', '#To', '#Found']);
  const key = h('p', { class: 'key' }, h('span', { class: 'swatch served' }), 'found with labels ', h('span', { class: 'swatch constant' }), 'expected before ', h('span', { class: 'swatch band' }), '95 of 100 windows if features alone change');
  const doubt = h('p', { class: 'notice', id: 'calibration-doubt' });
  const title = h('p', { class: 'muted', id: 'calibration-metric' });
  const node = card('calibration', 'Calibration', 'What the scores made one expect before labels came, and what came true. Apart: they say too much or too little of themselves.', doubt, title, h('div', { class: 'legend' }, key), place, nothing, table.node);
  let chart = null;
  let drawn = null;
  let points = [];
  return { node, set, remove: () => chart?.remove() };

  function set(reports) {
    const told = reports.filter((report) => report.expected);
    const metric = told.flatMap((report) => Object.keys(report.expected.metrics)).find((name) => told.some((report) => report.metrics[name] != null));
    points = told.filter((report) => report.expected.metrics[metric] != null);
    doubt.textContent = told.at(-1)?.expected.doubt ?? '';
    doubt.hidden = doubt.textContent === '';
    const any = points.length > 0;
    nothing.hidden = any;
    place.hidden = !any;
    table.node.hidden = !any;
    title.hidden = !any;
    key.hidden = !any;
    if (!any) {
      return;
    }
    title.textContent = `By ${metric}, window by window.`;
    if (drawn !== metric) {
      chart?.remove();
      place.replaceChildren();
      drawn = metric;
      chart = new LineChart(place, ['low', 'high', 'served', 'constant'], {
        height: 180,
        unit: metric,
        x: 'window',
        label: `${metric} by window, expected and found`,
        describe: (index) => {
          const report = points[index];
          return report ? `Window ${report.window}: expected ${format.loss(report.expected.metrics[metric])}${between(report, metric)}, found ${format.loss(report.metrics[metric])}` : '';
        },
      });
    }
    const low = points.map((report) => report.expected.low[metric] ?? null);
    const high = points.map((report) => report.expected.high[metric] ?? null);
    chart.set([points.map((report) => report.window), low, high, points.map((report) => report.metrics[metric] ?? null), points.map((report) => report.expected.metrics[metric])]);
    keep(table.body, told.at(-1).window, () => told.toReversed().flatMap((report) =>
      Object.entries(report.expected.metrics).map(([name, value]) => row(
        [String(report.window), 'number'], name, [format.loss(value), 'number'],
        [format.loss(report.expected.low[name]), 'number'], [format.loss(report.expected.high[name]), 'number'], [format.loss(report.metrics[name]), 'number'],
      ))));
  }
}

function between({ expected: { low, high } }, metric) {
  return low[metric] == null ? '' : ` (${format.loss(low[metric])} to ${format.loss(high[metric])})`;
}
