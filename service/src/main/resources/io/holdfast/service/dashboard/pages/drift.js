// How what comes differs from what was learned from: features by environment, and alarms by window.

import { LineChart } from '../charts.js';
import { behind, card, empty, h, keep, row, say } from '../dom.js';
import * as format from '../format.js';

const FEATURES = 20;
const ENVIRONMENTS = 12;

export function driftCard(mine) {
  const note = h('p', { id: 'drift-note', class: 'muted' });
  const grid = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Drift by feature and environment' });
  const key = h('p', { class: 'key' }, 'population stability index: ',
    h('span', { class: 'heat low' }, 'below 0.1'), ' ', h('span', { class: 'heat some' }, '0.1 to 0.25'), ' ', h('span', { class: 'heat much' }, 'above 0.25'), ' ! raised an alarm');
  const place = h('div', { id: 'drift-chart', class: 'chart' });
  const table = behind('drift', 'Alarms by window', ['#Window', 'What', 'Environment', '#PSI', '#KS', 'Alarm']);
  const nothing = empty('drift-empty', 'Drift is not looked for yet: it is from the second window on, if update.drift or the policy asks for it.');
  const found = h('div', null, note, key, grid, h('h3', null, 'Alarms by window'), place, table.node);
  const node = card('drift', 'Drift', 'Each window, or the rows of several small ones, against the reference of those before.', nothing, found);
  let chart = null;
  let told = [];
  return { node, set, remove: () => chart?.remove() };

  function set(reports) {
    told = reports.filter(({ drift }) => drift && (drift.tests > 0 || drift.alarms.length > 0));
    nothing.hidden = told.length > 0;
    found.hidden = told.length === 0;
    if (told.length === 0) {
      return;
    }
    const { window, drift } = told.at(-1);
    say(note, `Window ${window}: ${format.plural(drift.tests, 'test', 'tests')}, `
      + (drift.alarms.length === 0 ? 'no alarm.' : `${format.plural(drift.alarms.length, 'alarm', 'alarms')}.`)
      + ' Where nothing stands, the difference was not among the largest.');
    keep(grid, drift.features, () => heat(drift.features));
    chart ??= new LineChart(place, ['served'], {
      height: 120,
      zero: true,
      unit: 'alarms',
      x: 'window',
      label: 'Alarms by window',
      describe: (index) => (told[index] ? `Window ${told[index].window}: ${format.plural(told[index].drift.alarms.length, 'alarm', 'alarms')}` : ''),
    });
    chart.set([told.map((report) => report.window), told.map((report) => report.drift.alarms.length)]);
    keep(table.body, window, () => lines(told).map((line) => row(
      [String(line.window), 'number'],
      line.what,
      line.environment ? line.environment : 'all',
      [format.loss(line.psi), 'number'],
      [format.loss(line.ks), 'number'],
      [line.alarm ? 'yes' : 'no', line.alarm ? 'worse' : ''],
    )));
  }
}

function lines(told) {
  return told.slice(-20).reverse().flatMap(({ window, drift }, i) => [
    ...(drift.lossRisen ? [{ window, what: 'the loss has risen', alarm: true }] : []),
    ...drift.newEnvironments.map((environment) => ({ window, what: 'a new environment', environment, alarm: true })),
    ...drift.features
      .filter((shift, k) => shift.alarm || (i === 0 && k < 10))
      .map((shift) => ({ window, what: featureName(shift.feature), ...shift })),
  ]);
}

function featureName(feature) {
  return feature === '' ? 'the label' : feature;
}

/** A row a feature, a column an environment. */
function heat(shifts) {
  const features = [...new Set(shifts.map((shift) => shift.feature))].slice(0, FEATURES);
  const environments = [...new Set(shifts.map((shift) => shift.environment))].sort().slice(0, ENVIRONMENTS);
  const cells = new Map(shifts.map((shift) => [JSON.stringify([shift.feature, shift.environment]), shift]));
  return h('table', { class: 'heat-table', id: 'drift-heat' },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Feature'),
      ...environments.map((name) => h('th', { scope: 'col', class: 'number' }, name === '' ? 'all' : name)))),
    h('tbody', null, ...features.map((feature) => row(featureName(feature), ...environments.map((environment) => {
      const shift = cells.get(JSON.stringify([feature, environment]));
      if (!shift) {
        return [format.NONE, 'number muted'];
      }
      const size = shift.psi === null ? '' : shift.psi < 0.1 ? 'low' : shift.psi < 0.25 ? 'some' : 'much';
      return [h('span', { class: `heat ${size}` }, `${format.loss(shift.psi)}${shift.alarm ? ' !' : ''}`), 'number'];
    })))));
}
