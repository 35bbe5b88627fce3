// All models, a row each, the worst first.

import { chip, h, keep, say } from '../dom.js';
import * as format from '../format.js';
import { rateOf } from '../memory.js';

const COLUMNS = ['Model', 'State', '#Version', '#Records/s', '#Behind', '#Dead letters', '#Labels', '#Loss', '#Against baseline'];

export function modelsPage() {
  const body = h('tbody', { id: 'rows' });
  const summary = h('p', { class: 'muted', id: 'summary' });
  const nothing = h('p', { class: 'empty', id: 'models-empty' }, 'The configuration has no models. holdfast init writes one from a file of data.');
  const rows = new Map();
  const node = h(
    'div',
    null,
    h('div', { class: 'title' }, h('h1', null, 'Models'), summary),
    h(
      'section',
      { class: 'card flush', 'aria-label': 'Models, the worst first' },
      nothing,
      h(
        'table',
        { class: 'models' },
        h('thead', null, h('tr', null, ...COLUMNS.map((name) =>
          h('th', { scope: 'col', class: name.startsWith('#') ? 'number' : null }, name.replace('#', ''))))),
        body,
      ),
    ),
    h(
      'p',
      { class: 'muted small' },
      'Loss is a row’s mean over the newest windows, about 1,000 rows. The baseline is the best constant, fitted on rows before. '
        + 'Counts are of this instance since its start; labels are late by the mean time after their records.',
    ),
  );
  return { node, update };

  function update({ models, status }) {
    nothing.hidden = models.length > 0;
    const counts = ['bad', 'warn', 'good'].map((level) => models.filter((model) => model.state.level === level).length);
    say(summary, [[counts[0], 'unhealthy'], [counts[1], 'to look at'], [counts[2], 'healthy']]
      .filter(([number]) => number > 0)
      .map(([number, word]) => `${number} ${word}`)
      .join(' · '));
    const sorted = [...models].sort((a, b) => a.state.rank - b.state.rank || a.name.localeCompare(b.name));
    for (const model of sorted) {
      if (!rows.has(model.name)) {
        rows.set(model.name, newRow(model));
      }
      fill(rows.get(model.name), model, status);
    }
    const order = sorted.map((model) => rows.get(model.name).node);
    if (order.some((row, i) => body.children[i] !== row)) {
      body.replaceChildren(...order);
    }
  }
}

function newRow(model) {
  const head = h('th', { scope: 'row' }, h('a', { href: `#/${encodeURIComponent(model.name)}` }, model.name),
    h('span', { class: 'what' }, model.objective));
  const cells = COLUMNS.slice(1).map((name) =>
    h('td', { class: name.startsWith('#') ? 'number' : 'state-cell', 'data-label': name.replace('#', '') }));
  return { node: h('tr', { 'data-model': model.name }, head, ...cells), cells };
}

function fill({ cells, node }, model, status) {
  const { state, serving, counts, recent, labelled } = model;
  const [stateCell, version, rate, behind, dead, labels, loss, against] = cells;
  node.className = state.level;
  keep(stateCell, state, () => [
    chip(state.level, state.word),
    state.level === 'good' ? null : h('span', { class: 'reason' }, state.reason),
    state.others.length === 0 ? null
      : h('span', { class: 'what' }, `also: ${[...new Set(state.others.map((one) => one.word))].join(', ')}`),
  ]);
  two(version, serving ? `v${serving.version}` : format.NONE, serving ? format.ago(serving.since, Date.now()) : 'none verified');
  const now = rateOf(model.name);
  two(rate, now === null ? '…' : format.rate(now), `${format.count(counts.scored)} scored`);
  const lags = status.lags.filter((lag) => lag.model === model.name);
  const most = lags.toSorted((a, b) => b.seconds - a.seconds)[0];
  two(behind, most ? format.seconds(most.seconds) : format.NONE,
    most && most.rows > 0 ? `${format.count(most.rows)} to ${most.stage}` : most ? 'up to date' : 'not known');
  const letters = format.sum(counts.deadLetters);
  two(dead, format.count(letters), letters === 0 ? '' : largest(counts.deadLetters));
  const pending = status.pending.find((one) => one.model === model.name);
  two(labels, labelled.share === null ? format.NONE : format.part(labelled.share),
    [pending ? `${format.count(pending.records)} pending` : null,
      (labelled.delaySeconds ?? null) === null ? null : `${format.seconds(labelled.delaySeconds)} late`,
      labelled.heldSeconds === null ? null : `held ${format.seconds(labelled.heldSeconds)}`].filter(Boolean).join(', '));
  two(loss, format.loss(recent.all.loss), recent.windows === 0 ? 'no window yet' : format.plural(recent.windows, 'window', 'windows'));
  const difference = format.difference(recent.all.loss, recent.all.constantLoss);
  two(against, format.excess(recent.all.loss, recent.all.constantLoss),
    recent.worst ? `worst: ${format.environment(recent.worst.environment)} ${format.excess(recent.worst.loss, recent.worst.constantLoss)}` : '');
  against.classList.toggle('better', difference !== null && difference <= 0);
  against.classList.toggle('worse', difference !== null && difference > 0);
}

function two(cell, first, second) {
  keep(cell, [first, second], () => [first, second ? h('span', { class: 'what' }, second) : null]);
}

function largest(counts) {
  const [[reason]] = Object.entries(counts).toSorted((a, b) => b[1] - a[1]);
  return reason;
}
