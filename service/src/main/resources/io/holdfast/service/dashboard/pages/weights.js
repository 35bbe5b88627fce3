// What features are worth to the version that serves, and how its scores are distributed.

import { bar, columns } from '../bars.js';
import { behind, card, empty, h, keep, row, say, table } from '../dom.js';
import * as format from '../format.js';

const FEATURES = 25;

export function importanceCard() {
  const note = h('p', { class: 'muted', id: 'importance-note' });
  const rows = table('importance', 'Importance of features', ['Feature', 'Share', '#Percent']);
  const nothing = empty('importance-empty', 'No version serves yet.');
  const node = card('importance', 'Importance', null, note, nothing, rows.node);
  rows.node.hidden = true;
  return {
    node,
    set({ version, measure, features }) {
      nothing.hidden = true;
      rows.node.hidden = false;
      const rest = features.length - FEATURES;
      say(note, `Of version ${version}, by ${measure === 'gain' ? 'what splits on a feature gained in training' : 'how many splits there are on a feature'}.`
        + (rest > 0 ? ` The ${FEATURES} greatest of ${features.length}.` : ''));
      const most = Math.max(...features.map((one) => one.share), 1e-12);
      keep(rows.body, [version, features], () => features.slice(0, FEATURES).map((one) =>
        row(one.feature, [bar(0, one.share / most, 'served'), 'bar-cell'], [format.part(one.share), 'number'])));
    },
  };
}

export function distributionCard() {
  const place = h('div', { id: 'distribution-chart' });
  const rows = behind('distribution', 'Scores by bin', ['Score', '#Records']);
  const nothing = empty('distribution-empty', 'Nothing has been scored since this instance started.');
  const note = h('p', { class: 'muted', id: 'distribution-note' });
  const node = card('distribution', 'Score distribution', null, note, nothing, place, rows.node);
  return {
    node,
    set({ scores, bins }) {
      nothing.hidden = scores > 0;
      place.hidden = scores === 0;
      rows.node.hidden = scores === 0;
      say(note, scores === 0 ? '' : `One in eight of the newest scores of this instance: ${format.count(scores)}.`);
      const named = bins.map((bin) => ({
        count: bin.count,
        name: bin.name ?? `${format.loss(bin.from)} to ${format.loss(bin.to)}`,
        short: bin.name ?? format.loss(bin.from),
      }));
      keep(place, bins, () => (scores === 0 ? [] : columns(named, `Score distribution, ${scores} scores`, bins[0]?.name ? 'class' : 'score', format.count)));
      keep(rows.body, bins, () => named.map((bin) => row(bin.name, [format.count(bin.count), 'number'])));
    },
  };
}
