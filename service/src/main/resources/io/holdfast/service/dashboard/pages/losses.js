// Losses by window, in all and by environment, with what served when.

import { LineChart } from '../charts.js';
import { behind, card, empty, h, keep, row } from '../dom.js';
import * as format from '../format.js';

const ENVIRONMENTS_SHOWN = 24;
const RECENT_ROWS = 1000;

export function lossCards(mine) {
  let logarithmic = null; // as the user set it; null: as the losses are
  let charts = []; // of environments, in the order of what they show
  let chart = null;
  let drawn = null;
  const box = h('input', { type: 'checkbox', id: 'logarithmic', onchange: (event) => {
    logarithmic = event.target.checked;
    drop();
    set(mine.reports);
  } });
  const place = h('div', { id: 'loss-chart', class: 'chart' });
  const nothing = empty('loss-empty', 'No window has been reported yet. The trainer reports one as soon as it is full.');
  const figures = behind('loss-table', 'Loss by window', ['#Window', '#Served', '#Constant', 'Served by']);
  const all = card('loss', 'Loss by window', 'Mean loss a row of what was served, on examples the model had not yet learned from. Lower is better. Thin lines: another version began to serve.',
    legend(h('label', { class: 'option' }, box, ' Logarithmic')), place, nothing, figures.node);
  const multiples = h('div', { id: 'environments', class: 'multiples' });
  const more = h('p', { id: 'environments-more', class: 'muted', hidden: true });
  const table = behind('environments-table', 'Loss by environment over the newest windows', ['Environment', '#Rows', '#Served', '#Constant', '#Difference']);
  const each = behind('environments-windows', 'Served loss by window and environment', []);
  const environments = card('environments', 'Loss by environment', 'The worst against its constant first; all on one scale.', legend(), multiples, more, table.node, each.node);
  return { nodes: [all, environments], set, remove: drop };

  function set(reports) {
    nothing.hidden = reports.length > 0;
    environments.hidden = reports.every((report) => report.environments.length === 0);
    figures.node.hidden = reports.length === 0;
    if (reports.length === 0) {
      return;
    }
    chooseScale(reports);
    chart ??= new LineChart(place, ['served', 'constant'], {
      height: 260,
      logarithmic: box.checked,
      unit: 'mean loss a row',
      x: 'window',
      marks: () => changes(mine.reports),
      label: 'Loss by window, served and constant model. The table behind it has the figures.',
      describe: (index) => described(mine.reports[index]),
    });
    chart.set([windows(reports), reports.map((report) => report.loss), reports.map((report) => report.constantLoss)]);
    keep(figures.body, reports.at(-1).window, () => reports.toReversed().map((report) => row(
      [String(report.window), 'number'],
      [format.loss(report.loss), 'number'],
      [format.loss(report.constantLoss), 'number'],
      [report.servedVersions.map((version) => `v${version}`).join(', '), 'words'],
    )));
    showEnvironments(reports);
  }

  /** Losses that span more than a decade and a half, as a first untrained window's, need a log scale. */
  function chooseScale(reports) {
    const every = losses(reports);
    const possible = every.every((loss) => loss > 0);
    const wanted = possible && (logarithmic ?? Math.max(...every) > 30 * Math.min(...every));
    box.disabled = !possible;
    if (box.checked !== wanted) {
      box.checked = wanted;
      drop();
    }
  }

  function showEnvironments(reports) {
    const ranked = rank(reports);
    const shown = ranked.slice(0, ENVIRONMENTS_SHOWN);
    const key = JSON.stringify(shown.map((one) => one.name));
    if (drawn !== key) {
      charts.forEach((view) => view.chart.remove());
      charts = shown.map((one) => view(one.name));
      multiples.replaceChildren(...charts.map((made) => made.figure));
      drawn = key;
      charts.forEach((made) => made.draw());
    }
    charts.forEach((made, i) => made.set(reports, shown[i]));
    each.node.firstChild.textContent = 'Table by window';
    keep(each.body, [key, reports.at(-1).window], () => {
      const head = h('tr', null, ...['Window', ...shown.map((one) => format.environment(one.name))].map((name) => h('th', { scope: 'col', class: 'number' }, name)));
      return [head, ...reports.toReversed().map((report) => row([String(report.window), 'number'], ...shown.map((one) =>
        [format.loss(report.environments.find((own) => own.environment === one.name)?.loss), 'number'])))];
    });
    more.hidden = ranked.length <= shown.length;
    more.textContent = `${format.plural(ranked.length - shown.length, 'environment is', 'environments are')} in the table alone.`;
    keep(table.body, ranked, () => ranked.map((one) => row(
      format.environment(one.name),
      [format.count(one.rows), 'number'],
      [format.loss(one.loss), 'number'],
      [format.loss(one.constantLoss), 'number'],
      [format.excess(one.loss, one.constantLoss), `number ${one.loss <= one.constantLoss ? 'better' : 'worse'}`],
    )));
  }

  function view(name) {
    const inner = h('div');
    const note = h('span', { class: 'figure-note' });
    const made = {
      figure: h('figure', null, h('figcaption', null, h('h3', null, format.environment(name)), note), inner),
      draw() {
        made.chart = new LineChart(inner, ['served', 'constant'], {
          height: 140,
          logarithmic: box.checked,
          bounds: () => made.bounds,
          marks: () => changes(mine.reports).map((mark) => ({ ...mark, text: '' })),
          label: `Loss by window in environment ${format.environment(name)}`,
          describe: (index) => {
            const report = mine.reports[index];
            const own = report?.environments.find((one) => one.environment === name);
            return own ? `Window ${report.window}: served ${format.loss(own.loss)}, constant ${format.loss(own.constantLoss)}, ${format.plural(own.rows, 'row', 'rows')}` : 'No rows in this window';
          },
        });
      },
      set(reports, one) {
        const of = reports.map((report) => report.environments.find((own) => own.environment === name));
        made.bounds = bounds(reports, ENVIRONMENTS_SHOWN);
        made.chart.set([windows(reports), of.map((own) => own?.loss ?? null), of.map((own) => own?.constantLoss ?? null)]);
        note.textContent = `${format.excess(one.loss, one.constantLoss)} against constant`;
        note.className = `figure-note ${one.loss <= one.constantLoss ? 'better' : 'worse'}`;
      },
    };
    return made;
  }

  function drop() {
    chart?.remove();
    chart = null;
    place.replaceChildren();
    charts.forEach((made) => made.chart.remove());
    charts = [];
    multiples.replaceChildren();
    drawn = null;
  }
}

function legend(...others) {
  return h('div', { class: 'legend' },
    h('p', { class: 'key' }, h('span', { class: 'swatch served' }), 'served ', h('span', { class: 'swatch constant' }), 'constant model'),
    ...others);
}

function windows(reports) {
  return reports.map((report) => report.window);
}

function described(report) {
  return report
    ? `Window ${report.window}: served ${format.loss(report.loss)}, constant ${format.loss(report.constantLoss)}, ${format.plural(report.rows, 'row', 'rows')}`
    : '';
}

function losses(reports) {
  return reports
    .flatMap((report) => [report, ...report.environments])
    .flatMap((figures) => [figures.loss, figures.constantLoss])
    .filter((loss) => loss !== null);
}

/** The least and the greatest loss of any environment. */
function bounds(reports) {
  const losses = reports.flatMap((report) => report.environments).flatMap((one) => [one.loss, one.constantLoss]).filter((loss) => loss !== null);
  return [Math.min(...losses), Math.max(...losses)];
}

/** The windows in which another version than before began to serve. */
function changes(reports) {
  const marks = [];
  let last = null;
  for (const report of reports) {
    const newest = report.servedVersions.at(-1);
    if (newest !== undefined && newest !== last) {
      if (last !== null) {
        marks.push({ x: report.window, text: newest < last ? `back to v${newest}` : `v${newest}` });
      }
      last = newest;
    }
  }
  return marks;
}

/** The environments by their newest rows, the worst against its constant first. */
function rank(reports) {
  const sums = new Map();
  for (const report of reports.toReversed()) {
    for (const one of report.environments) {
      const sum = sums.get(one.environment) ?? { name: one.environment, rows: 0, loss: 0, constantLoss: 0 };
      if (sum.rows < RECENT_ROWS && one.loss !== null && one.constantLoss !== null && one.rows > 0) {
        const rows = sum.rows + one.rows;
        sums.set(one.environment, {
          name: one.environment,
          rows,
          loss: sum.loss + ((one.loss - sum.loss) * one.rows) / rows,
          constantLoss: sum.constantLoss + ((one.constantLoss - sum.constantLoss) * one.rows) / rows,
        });
      }
    }
  }
  const excess = (one) => (one.loss - one.constantLoss) / Math.max(Math.abs(one.constantLoss), 1e-12);
  return [...sums.values()].sort((a, b) => excess(b) - excess(a) || a.name.localeCompare(b.name));
}
