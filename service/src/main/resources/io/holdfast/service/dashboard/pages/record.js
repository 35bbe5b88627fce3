// One record: its score, what each feature adds to it, and what other versions say.

import { ask, NoAnswer, ofModel } from '../api.js';
import { bar } from '../bars.js';
import { card, empty, facts, h, keep, row, say } from '../dom.js';
import * as format from '../format.js';

const VERSIONS = 5;
const MOST = 25;

export function recordPage({ model }) {
  const text = h('textarea', { id: 'record', name: 'record', rows: 14, spellcheck: 'false', 'aria-describedby': 'record-help' });
  const problem = h('p', { class: 'worse', role: 'alert', id: 'record-problem' });
  const button = h('button', { class: 'primary', id: 'score' }, 'Score');
  const form = h(
    'form',
    { onsubmit: submit },
    h('label', { for: 'record' }, 'Record, as JSON'),
    text,
    h('p', { class: 'muted small', id: 'record-help' }, 'Fields by name, as in the record’s schema; what is left out counts as missing. Nothing is written to a topic.'),
    problem,
    h('div', { class: 'buttons' }, h('button', { type: 'button', id: 'template', onclick: template }, 'Fill in anew'), button),
  );
  const result = h('div', { id: 'result', 'aria-live': 'polite' }, empty('record-empty', 'Enter a record, and see its score, why it is so, and what other versions say.'));
  const key = h('input', { type: 'text', id: 'key', name: 'key', maxlength: 1000, autocomplete: 'off' });
  const take = h('button', { id: 'take' }, 'Take from the stream');
  let taken = null; // what was found by the key
  const byKey = h('form', { onsubmit: find, class: 'by-key' },
    h('label', { for: 'key' }, 'Or one of the stream, by its key'), h('div', { class: 'fields' }, key, take));
  const node = h('div', { class: 'columns record' }, h('section', { class: 'card', 'aria-label': 'Record' }, form, byKey), result);
  template();
  return { node, update() {} };

  async function template() {
    try {
      const given = await ask(ofModel(model.name, 'template'));
      text.value = JSON.stringify(given, null, 2);
      say(problem, '');
    } catch (error) {
      complain(error);
    }
  }

  async function find(event) {
    event.preventDefault();
    take.disabled = true;
    say(problem, '');
    try {
      const found = await ask(ofModel(model.name, `lookup?key=${encodeURIComponent(key.value)}`));
      taken = { ...found, key: key.value };
      if (!found.record) {
        say(problem, `No record with the key ${key.value} is among the newest ${format.count(found.looked)} of ${model.topics.records}.`);
      } else if (found.record.value === null) {
        say(problem, found.record.problem);
      } else {
        text.value = JSON.stringify(JSON.parse(found.record.value), null, 2);
        taken.text = text.value;
        form.requestSubmit();
      }
    } catch (error) {
      complain(error);
    } finally {
      take.disabled = false;
    }
  }

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    say(problem, '');
    try {
      const [explained, compared] = await Promise.all([explain(), ask(ofModel(model.name, `compare?last=${VERSIONS}`), text.value)]);
      keep(result, [explained, compared, text.value, taken], () => [scoreCard(explained), ...whyCards(explained), compareCard(compared, explained), fateCard(model, taken?.text === text.value ? taken : null)]);
    } catch (error) {
      complain(error);
    } finally {
      button.disabled = false;
    }
  }

  /** A version may have trees that know no statistics: then there is a score and no reasons. */
  async function explain() {
    try {
      const { explanations, ...by } = await ask(ofModel(model.name, 'explain'), text.value);
      return { ...by, ...explanations[0] };
    } catch (error) {
      if (!(error instanceof NoAnswer) || error.status === 0 || error.status === 400) {
        throw error;
      }
      const { predictions, ...by } = await ask(ofModel(model.name, 'score'), text.value);
      return { ...by, prediction: predictions[0], outputs: [], unexplained: error.message };
    }
  }

  function complain(error) {
    if (!(error instanceof NoAnswer)) {
      throw error;
    }
    say(problem, error.message);
  }
}

function scoreCard({ version, gamma, prediction, unexplained }) {
  const warnings = [
    ['Missing, since the schema lacks them', prediction.absent],
    ['Categories never seen, which count as missing', prediction.unseen],
    ['Numbers that are rounded', prediction.rounded],
  ].filter(([, names]) => names.length > 0).map(([what, names]) => [what, names.join(', ')]);
  return card('score', 'Score', null,
    h('p', { class: 'big', id: 'prediction' }, shown(prediction)),
    facts([
      ['By', `version ${version}${gamma == null ? '' : `, gamma ${format.loss(gamma)}`}`],
      prediction.probabilities.length > 0 ? ['Probabilities of classes', prediction.probabilities.slice(0, 12).map(format.loss).join(', ')] : null,
      ['Before the link', prediction.rawScores.slice(0, 12).map(format.loss).join(', ')],
      ...warnings,
      unexplained ? ['Not explained', unexplained] : null,
    ]));
}

function shown({ label, prediction }) {
  return label ?? format.loss(prediction);
}

/** A waterfall an output; of many classes those of the greatest score. */
function whyCards({ outputs }) {
  return outputs.toSorted((a, b) => b.rawScore - a.rawScore).slice(0, 3).map((output, i) => waterfall(output, i));
}

function waterfall({ output, expected, rawScore, contributions }, number) {
  const sorted = contributions.filter((one) => one.amount !== 0).toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const rest = sorted.slice(MOST);
  const steps = sorted.slice(0, MOST).map((one) => ({ name: one.feature, value: valueOf(one), amount: one.amount }));
  if (rest.length > 0) {
    steps.push({ name: `${rest.length} others`, value: '', amount: rest.reduce((sum, one) => sum + one.amount, 0) });
  }
  let at = expected;
  const placed = steps.map((step) => {
    const from = at;
    at += step.amount;
    return { ...step, from, to: at };
  });
  const points = [expected, rawScore, ...placed.map((step) => step.to)];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const share = (value) => (high > low ? (value - low) / (high - low) : 0.5);
  const body = [
    row('Before anything is known', '', [mark(share(expected), 'constant'), 'bar-cell'], [format.loss(expected), 'number']),
    ...placed.map((step) => row(step.name, [step.value, 'words'],
      [bar(share(step.from), share(step.to), step.amount >= 0 ? 'up' : 'down'), 'bar-cell'],
      [format.signed(step.amount), `number ${step.amount >= 0 ? 'up' : 'down'}`])),
    row('Score before the link', '', [mark(share(rawScore), 'served'), 'bar-cell'], [format.loss(rawScore), 'number']),
  ];
  const id = `why-${number}`;
  return card(id, output === null ? 'Why' : `Why, for ${output}`, 'From what is expected of any record to this one’s score, feature by feature, in units of the score before the link. The greatest first.',
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Contributions' },
      h('table', { class: 'waterfall' },
        h('thead', null, h('tr', null, ...['Feature', 'Value', 'From and to', 'Adds'].map((name, i) => h('th', { scope: 'col', class: i === 3 ? 'number' : null }, name)))),
        h('tbody', { id }, ...body))));
}

/** A thin bar at a place. */
function mark(at, kind) {
  const from = Math.min(Math.max(at - 0.006, 0), 0.988);
  return bar(from, from + 0.012, kind);
}

function valueOf({ number, category }) {
  return category ?? (number === null ? 'missing' : format.loss(number));
}

function compareCard({ scores }, explained) {
  return card('compare', 'What the last versions say', 'Each with each of its gammas, newest first.',
    h('table', null,
      h('thead', null, h('tr', null, ...['Version', 'Gamma', 'Score', 'Difference'].map((name, i) => h('th', { scope: 'col', class: i > 1 ? 'number' : null }, name)))),
      h('tbody', { id: 'compare' }, ...scores.map((one) => row(
        `v${one.version}${one.version === explained.version ? ' (serves)' : ''}`,
        one.gamma == null ? format.NONE : format.loss(one.gamma),
        [shown(one.prediction), 'number'],
        [one.prediction.label == null ? format.signed(one.prediction.prediction - explained.prediction.prediction) : '', 'number'],
      )))));
}

/** What became of the label of a record that was taken from the stream. */
function fateCard({ labels, topics }, taken) {
  if (!taken) {
    return card('fate', 'Its label', null, h('p', { class: 'muted' }, 'A record that is entered here waits for no label.'));
  }
  const { record, label, key, looked } = taken;
  return card('fate', 'Its label', null, facts([
    ['Record', `${record.topic}-${record.partition} offset ${record.offset}, ${format.dateTime(record.at)}`],
    labels === 'record' ? ['Label', 'in the record itself']
      : label ? ['Label', `${label.value ?? label.problem}, ${format.dateTime(label.at)}, at ${label.topic}-${label.partition} offset ${label.offset}`]
        : ['Label', `none with the key ${key} is among the newest ${format.count(looked)} of ${topics.labels}`],
  ]));
}
