// Why the loss rose, and for whom: the newest window of which the trainer says so.

import { intervals } from '../bars.js';
import { behind, card, empty, h, keep, row } from '../dom.js';
import * as format from '../format.js';

const SHOWN = 10;

export function reasonCard() {
  const sentence = h('p', { id: 'reason-sentence' });
  const note = h('p', { class: 'muted', id: 'reason-note' });
  const picture = h('div', { id: 'reason' });
  const nothing = empty('reason-empty', 'In no window is the loss shown to have risen by more than chance.');
  const table = behind('reason-table', 'Every window whose loss rose', ['#Window', 'Why']);
  const node = card('reason', 'Why the loss rose', 'Against the rows before, with intervals of 95 %. Other features came, or rows with like features have other labels: together they are the rise.',
    nothing, sentence, picture, note, table.node);
  return { node, set };

  function set(reports) {
    const risen = reports.filter((one) => one.reason).reverse();
    const [report] = risen;
    nothing.hidden = Boolean(report);
    [sentence, note, picture, table.node].forEach((part) => { part.hidden = !report; });
    if (!report) {
      return;
    }
    const { reason } = report;
    sentence.textContent = reason.sentence;
    note.textContent = `Window ${report.window}; ${format.plural(reason.rows, 'row', 'rows')} against ${format.count(reason.rowsBefore)} before.`;
    keep(picture, report.window, () => {
      const figures = bars(reason);
      const chart = intervals(figures, 'Parts of the rise with their intervals. The sentence above says the same.', format.loss);
      chart.shows = figures; // for whoever wants to know, such as tests
      return [chart];
    });
    keep(table.body, [report.window, risen.length], () => risen.map((one) => row([one.window, 'number'], one.reason.sentence)));
  }
}

function bars(reason) {
  const group = reason.change === 'FEATURES' ? null : reason.subgroup;
  return [
    ['all rows', reason.rise],
    ['other features came', reason.features],
    ['labels given the features', reason.labels],
    [`rows with ${group?.conditions.join(' and ')}`, group?.effect],
    ...(reason.environments.length > 1 ? reason.environments.map((one) => [format.environment(one.environment), one.rise]) : []),
  ].filter(([, figure]) => figure).slice(0, SHOWN).map(([name, figure]) => ({ name, ...figure }));
}
