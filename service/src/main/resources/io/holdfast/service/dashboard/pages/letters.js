// What could not be scored or joined: how much of what, which ones, and how to send them again.

import { ask, NoAnswer, ofModel } from '../api.js';
import { bar } from '../bars.js';
import { LineChart } from '../charts.js';
import { behind, card, empty, fillTimes, h, keep, row, say, table } from '../dom.js';
import * as format from '../format.js';
import { decide } from './actions.js';

const SHOWN = 50;

export function lettersPage({ model, mine }) {
  const reasons = table('dead', 'Dead letters by reason', ['Reason', 'Share', '#Count']);
  const none = empty('dead-empty', 'None since this instance started: every record was scored, and every label joined.');
  const place = h('div', { id: 'dead-chart', class: 'chart' });
  const figures = behind('dead-table', 'Dead letters by time', ['Time', '#Since the start']);
  const letters = h('div', { id: 'letters', 'aria-live': 'polite' }, empty('letters-waiting', 'They are read from the topic when you ask for them, which takes as long as it is.'));
  const chosen = h('select', { id: 'reason', onchange: look }, h('option', { value: '' }, 'all reasons'));
  const again = h('button', { type: 'button', id: 'letters-again', onclick: look }, 'Show the newest');
  const redriveAll = h('button', { type: 'button', id: 'redrive-all', hidden: true, onclick: () => redrive({ reason: chosen.value }) }, 'Re-drive all of this reason');
  let chart = null;
  const known = new Set(); // reasons to choose from
  let found = null; // the letters that were given last
  let session = null;
  const node = h(
    'div',
    null,
    h('div', { class: 'columns wide' },
      card('dead', 'By reason', null, h('p', { class: 'muted' }, 'On ', h('code', null, model.topics.deadLetters), ', with the reason in the header ', h('code', null, 'holdfast.reason'), '.'), none, reasons.node),
      card('dead-time', 'Over time', 'By this instance since the page was opened.', place, figures.node)),
    card('letters', 'Newest', null,
      h('div', { class: 'fields' }, h('label', { for: 'reason' }, 'Show'), chosen, again, redriveAll), letters),
    card('mend', 'Mend and send again', 'Register the schema that was missing, or mend the framing in the configuration; then send what was refused to where it came from.',
      h('pre', { id: 'commands', tabindex: 0 }, commands(model))),
  );
  return { node, update, remove: () => chart?.remove() };

  function update(context) {
    session = context.session;
    const counts = context.model.counts.deadLetters;
    const sorted = Object.entries(counts).filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1]);
    none.hidden = sorted.length > 0;
    reasons.node.hidden = sorted.length === 0;
    const most = sorted[0]?.[1] ?? 1;
    keep(reasons.body, sorted, () => sorted.map(([reason, count]) =>
      row(reason, [bar(0, count / most, 'dead'), 'bar-cell'], [format.count(count), 'number'])));
    const selected = chosen.value;
    sorted.forEach(([reason]) => known.add(reason));
    keep(chosen, [...known], () => ['', ...known].map((reason) =>
      h('option', { value: reason, selected: reason === selected }, reason === '' ? 'all reasons' : reason)));
    chart ??= new LineChart(place, ['served'], {
      height: 160,
      time: true,
      zero: true,
      unit: 'dead letters',
      x: 'time',
      label: 'Dead letters since the start, over the last minutes',
      describe: (index) => `${format.count(mine.dead[1][index] ?? 0)} since the start`,
    });
    chart.set(mine.dead);
    fillTimes(figures.body, mine.dead, format.count);
    redriveAll.hidden = !session.secured || chosen.value === '';
  }

  /** Asks for the newest: when somebody wants them, since each look reads the topic. */
  async function look() {
    again.disabled = true;
    try {
      const reason = chosen.value ? `&reason=${encodeURIComponent(chosen.value)}` : '';
      found = await ask(ofModel(model.name, `dead-letters?limit=${SHOWN}${reason}`));
      found.forEach((letter) => known.add(letter.reason));
      showLetters();
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        throw error;
      }
      keep(letters, error.message, () => empty('letters-unread', `They cannot be shown here: ${error.message}`));
    } finally {
      again.disabled = false;
    }
  }

  function showLetters() {
    keep(letters, [found, session.secured], () => (found.length === 0 ? empty('letters-none', 'The topic holds none.')
      : found.map((letter) => h(
        'details',
        { class: 'letter', 'data-place': letter.place },
        h('summary', null, h('strong', null, letter.reason), ` ${letter.of}, ${format.dateTime(letter.at)}: `, letter.sentence ?? ''),
        h('p', { class: 'muted small' }, `At ${letter.place}`, letter.from ? `, from ${letter.from.topic}-${letter.from.partition} offset ${letter.from.offset}` : '', letter.refused ? `, refused ${format.dateTime(letter.refused)}` : ''),
        h('p', { class: 'small' }, 'Key ', h('code', null, shown(letter.key))),
        letter.decoded === null ? h('p', { class: 'muted small' }, 'It cannot be decoded; as text or hex digits:')
          : h('p', { class: 'muted small' }, 'Decoded as a scorer reads it:'),
        h('pre', { tabindex: 0 }, letter.decoded === null ? shown(letter.value) : pretty(letter.decoded)),
        session.secured ? h('button', { type: 'button', onclick: () => redrive({ at: letter.place }) }, 'Re-drive this one') : null,
      ))));
  }

  function redrive(which) {
    const path = ofModel(model.name, 'dead-letters/redrive');
    decide({
      title: which.at ? `Re-drive the letter at ${which.at}` : `Re-drive all of ${which.reason}`,
      label: 'Re-drive',
      note: `Model ${model.name}. ${session.lacks('admin') ?? 'Each is sent once, to the topic that it came from.'}`,
      preview: async () => {
        const { sent, tooLarge } = await ask(`${path}?dryRun=true`, which);
        return [`${format.plural(sent, 'message is', 'messages are')} sent again`,
          ...(tooLarge > 0 ? [`${format.plural(tooLarge, 'stays', 'stay')}, since the letter holds a reference alone`] : [])];
      },
      send: async (why) => {
        await ask(path, { ...which, why });
        look();
      },
    });
  }
}

/** Indented, numbers as they are: JavaScript would round them. */
function pretty(json) {
  return json.replace(/("(?:[^"\\]|\\.)*")|([{,])|(})/g, (_, text, open, close) => text ?? (open ? `${open}\n  ` : `\n${close}`));
}

function shown(value) {
  return value == null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function commands({ name }) {
  return [
    `holdfast dead-letters list --config holdfast.yml --model ${name}`,
    `holdfast dead-letters show --config holdfast.yml --model ${name} 0:17`,
    `holdfast dead-letters redrive --config holdfast.yml --model ${name} --reason UNKNOWN_SCHEMA`,
  ].join('\n');
}
