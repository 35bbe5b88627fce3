// What scores predicted against what labels showed, by environment: on the diagonal they are right.

import { scatter } from '../bars.js';
import { behind, card, empty, h, keep, row } from '../dom.js';
import * as format from '../format.js';

const SHOWN = 12;

export function reliabilityCard() {
  const note = h('p', { class: 'muted', id: 'reliability-note' });
  const multiples = h('div', { id: 'reliability', class: 'multiples' });
  const nothing = empty('reliability-empty', 'Nothing to compare yet: it is shown with the first window whose labels have come.');
  const table = behind('reliability-table', 'Predicted and observed by environment', ['Environment', '#Rows', '#Predicted', '#Observed']);
  const node = card('reliability', 'Predicted and observed', 'Rows of like predictions; the larger a dot, the more of them. Above the line more came than was predicted, below it less. Environments whose dots are off most stand first.',
    note, nothing, multiples, table.node);
  return { node, set };

  function set(reports) {
    const report = reports.findLast((one) => one.calibration.length > 0);
    nothing.hidden = Boolean(report);
    [note, multiples, table.node].forEach((part) => { part.hidden = !report; });
    if (!report) {
      return;
    }
    const all = { environment: null, bins: report.calibration };
    const each = report.environments.map(({ environment, calibration }) => ({ environment, bins: calibration }))
      .filter((one) => one.bins.length > 0).sort((a, b) => off(b.bins) - off(a.bins));
    const shown = [all, ...each];
    const values = shown.flatMap((one) => one.bins).flatMap((bin) => [bin.predicted, bin.observed]);
    const bounds = [Math.min(...values), Math.max(...values)];
    const more = shown.length - 1 - SHOWN;
    note.textContent = `Window ${report.window}, ${format.plural(report.rows, 'row', 'rows')}; predictions from left to right, labels upwards.`
      + (more > 0 ? ` ${format.plural(more, 'environment is', 'environments are')} in the table alone.` : '');
    keep(multiples, report.window, () => shown.slice(0, SHOWN + 1).map((one) => {
      const chart = scatter(one.bins.map((bin) => ({ x: bin.predicted, y: bin.observed, size: bin.rows, name: told(bin) })), bounds,
        `Predicted and observed, ${name(one)}. The table behind it has the figures.`, format.loss);
      chart.shows = one.bins; // for whoever wants to know, such as tests
      return h('figure', null, h('figcaption', null, h('h3', null, name(one)), h('span', { class: 'figure-note' }, `off by ${format.loss(off(one.bins))}`)), chart);
    }));
    keep(table.body, report.window, () => shown.flatMap((one) => one.bins.map((bin) =>
      row(name(one), [format.count(bin.rows), 'number'], [format.loss(bin.predicted), 'number'], [format.loss(bin.observed), 'number']))));
  }
}

function name({ environment }) {
  return environment === null ? 'all rows' : format.environment(environment);
}

function told(bin) {
  return `predicted ${format.loss(bin.predicted)}, observed ${format.loss(bin.observed)}, ${format.plural(bin.rows, 'row', 'rows')}`;
}

/** The mean distance of dots from the diagonal, by rows: the expected calibration error. */
function off(bins) {
  const rows = bins.reduce((sum, bin) => sum + bin.rows, 0);
  return bins.reduce((sum, bin) => sum + bin.rows * Math.abs(bin.predicted - bin.observed), 0) / rows;
}
