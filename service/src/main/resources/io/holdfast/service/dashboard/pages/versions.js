// A model's versions: how they came to be, who made which serve, and what is done about it.

import { ask, NoAnswer, ofModel } from '../api.js';
import { card, empty, h, keep, row, say, table } from '../dom.js';
import * as format from '../format.js';
import { actionBar } from './actions.js';

const SHOWN = 15;
const HEAD_REASONS = {
  INITIAL: 'began',
  TRAINED: 'trained',
  ROLLED_BACK: 'rolled back',
  PINNED: 'pinned',
  UNPINNED: 'unpinned',
  IMPORTED: 'imported',
  SHADOWED: 'shadow',
  PROMOTED: 'promoted',
  GATED: 'trained, waits',
  CLIMBED: 'another rung',
  OTHER: 'other',
};

export function versionsPage() {
  const head = h('p', { id: 'head', class: 'notice plain' });
  const lacking = h('p', { id: 'lacking', class: 'muted' });
  const line = h('ol', { id: 'timeline', class: 'timeline' });
  let limit = SHOWN;
  let last = null;
  const more = h('button', { type: 'button', id: 'versions-all', onclick: () => {
    limit *= 4;
    update(last);
  } }, 'Show older');
  const nothing = empty('versions-empty', 'No version yet: the trainer publishes version 0 when it starts, and the next after the first window.');
  const heads = table('heads', 'What was made to serve', ['#Head', 'At', 'Done', 'Serves', 'Training from', 'Shadow', 'Pinned', 'By', 'Why']);
  const shadows = table('shadows', 'Shadow against what was served', ['#Window', 'Shadow', 'Environment', '#Rows', '#Shadow’s loss', '#Served', '#Difference']);
  const shadowsCard = card('shadows', 'Shadow against what was served', 'Both on the same labelled rows, by window and environment. Lower is better.', shadows.node);
  const diff = diffCard();
  const node = h(
    'div',
    null,
    head,
    card('timeline', 'Timeline', 'Newest first: versions with what they learned from and what the gate decided, and windows that came to none.', lacking, nothing, line, more),
    shadowsCard,
    diff.node,
    card('heads', 'What was made to serve, and by whom', null, heads.node),
  );
  return { node, update };

  function update(context) {
    last = context;
    const { model, mine, session } = context;
    head.hidden = !model.head;
    say(head, model.head ? standing(model) : '');
    const lacks = session.lacks('operator');
    lacking.hidden = !lacks;
    say(lacking, lacks ?? '');
    const events = timeline(mine);
    nothing.hidden = events.length > 0;
    more.hidden = events.length <= limit;
    keep(line, [mine.round, limit, model.head, session.secured], () => events.slice(0, limit).map((event) =>
      (event.version === undefined ? refusal(event) : versionItem(event, context))));
    showShadows(shadowsCard, shadows.body, mine.reports);
    showHeads(heads.body, mine.heads);
    diff.update(context);
  }
}

function standing({ head, counts }) {
  const parts = [`Version ${head.version} serves${head.pinned ? ', pinned' : ''}`];
  if (head.tipVersion !== head.version) {
    parts.push(`training grows from version ${head.tipVersion}`);
  }
  if (head.shadowVersion != null) {
    const failed = format.sum(counts.shadowFailed);
    parts.push(`version ${head.shadowVersion} shadows it (${format.count(counts.shadowScored)} scored${failed === 0 ? '' : `, ${format.count(failed)} failed`})`);
  }
  return `${parts.join(' · ')} · ${HEAD_REASONS[head.reason] ?? head.reason} by ${head.by || 'somebody'}, ${format.ago(head.at, Date.now())}`;
}

/** Versions and refused windows, newest first. */
function timeline({ versions, reports }) {
  const byVersion = new Map(reports.filter((report) => report.publishedVersion !== null).map((report) => [report.publishedVersion, report]));
  const published = versions.map((version) => ({ ...version, report: byVersion.get(version.version) ?? null, at: version.publishedAt }));
  const refused = reports.filter((report) => report.publishedVersion === null && report.rows > 0).map((report) => ({ report, at: report.at }));
  return [...published, ...refused].sort((a, b) => b.at.localeCompare(a.at) || (b.version ?? -1) - (a.version ?? -1));
}

function refusal({ report, at }) {
  return h('li', { class: 'refused' },
    h('h3', null, `Window ${report.window}: no version`, h('span', { class: 'when' }, format.dateTime(at))),
    h('p', null, report.decision),
    gate(report.gate));
}

function versionItem(version, { model, mine, session, again }) {
  const { report } = version;
  const parent = mine.versions.find((one) => one.hash === version.parent);
  const badges = marks(version, model.head);
  const rows = report ? `${format.plural(report.rows, 'row', 'rows')} of window ${report.window}` : version.metrics.rows ? format.plural(version.metrics.rows, 'row', 'rows') : null;
  const grew = version.parent === null ? 'the first' : `grew from ${parent ? `version ${parent.version}` : format.shortHash(version.parent)}`;
  return h('li', { class: badges.includes('serving') ? 'serving' : null },
    h('h3', null, `Version ${version.version}`, ...badges.map((badge) => h('span', { class: 'badge' }, badge)),
      h('span', { class: 'when' }, format.dateTime(version.publishedAt))),
    h('p', { class: 'muted' }, [grew, rows ? `learned from ${rows}` : null, format.plural(version.trees, 'tree', 'trees'), `gamma ${format.loss(version.gamma)}`,
      version.environments.length > 0 ? `environments ${version.environments.slice(0, 6).map(format.environment).join(', ')}${version.environments.length > 6 ? ' …' : ''}` : null]
      .filter(Boolean).join(' · '), ' · ', h('code', { title: version.hash }, format.shortHash(version.hash))),
    report ? h('p', null, report.decision) : null,
    gate(report?.gate),
    actionBar(version.version, model, session, again));
}

function gate(decided) {
  if (!decided) {
    return null;
  }
  const { passed, margin, comparison } = decided;
  const against = comparison.against === null ? 'what served' : `version ${comparison.against}`;
  return h('p', { class: passed ? 'gate passed' : 'gate failed' },
    `Gate: ${passed ? 'passed' : 'not passed'}. On ${format.plural(comparison.rows, 'held-out row', 'held-out rows')} it loses ${format.loss(comparison.loss)}, `
    + `${against} ${format.loss(comparison.againstLoss)} (${format.excess(comparison.loss, comparison.againstLoss)}; it may be ${format.part(margin)} worse).`);
}

function marks({ hash }, head) {
  return [
    hash === head?.hash ? 'serving' : null,
    hash === head?.hash && head.pinned ? 'pinned' : null,
    hash === head?.tipHash && head.tipHash !== head.hash ? 'tip' : null,
    hash === head?.shadowHash ? 'shadow' : null,
  ].filter(Boolean);
}

function showShadows(cardNode, body, reports) {
  const compared = reports.filter((report) => report.shadow).slice(-5).reverse();
  cardNode.hidden = compared.length === 0;
  keep(body, compared, () => compared.flatMap(({ window, shadow }) => [
    { environment: null, ...shadow },
    ...(shadow.environments.length > 1 ? shadow.environments : []),
  ].map((line) => {
    const difference = format.difference(line.loss, line.againstLoss);
    return row(
      [String(window), 'number'],
      `v${shadow.version}`,
      line.environment === null ? 'all' : format.environment(line.environment),
      [format.count(line.rows), 'number'],
      [format.loss(line.loss), 'number'],
      [format.loss(line.againstLoss), 'number'],
      [format.excess(line.loss, line.againstLoss), difference === null ? 'number' : `number ${difference <= 0 ? 'better' : 'worse'}`],
    );
  })));
}

function showHeads(body, heads) {
  keep(body, heads, () => heads.map((item) => row(
    [String(item.sequence), 'number'],
    [format.dateTime(item.at), 'nowrap'],
    [HEAD_REASONS[item.reason] ?? item.reason, 'nowrap'],
    `v${item.version}`,
    `v${item.tipVersion}`,
    item.shadowVersion == null ? format.NONE : `v${item.shadowVersion}`,
    item.pinned ? 'yes' : format.NONE,
    [item.by, 'words'],
    [item.why, 'words'],
  )));
}

// --- two versions side by side -------------------------------------------------------------------

function diffCard() {
  const [left, right] = ['diff-left', 'diff-right'].map((id) => h('select', { id, onchange: () => compare() }));
  const body = h('div', { id: 'diff', 'aria-live': 'polite' });
  const node = card('diff', 'Two versions', null,
    h('div', { class: 'fields' }, h('label', { for: 'diff-left' }, 'Version'), left, h('label', { for: 'diff-right' }, 'against'), right), body);
  let model = null;
  let names = '';
  return {
    node,
    update(context) {
      model = context.model;
      const numbers = context.mine.versions.map((version) => version.version);
      node.hidden = numbers.length < 2;
      if (numbers.join() === names || numbers.length < 2) {
        return;
      }
      const [before, after] = names === '' ? [numbers[0], numbers[1]] : [left.value, right.value];
      names = numbers.join();
      for (const select of [left, right]) {
        select.replaceChildren(...numbers.map((number) => h('option', { value: String(number) }, String(number))));
      }
      left.value = String(before);
      right.value = String(after);
      compare();
    },
  };

  async function compare() {
    try {
      const [one, other] = await Promise.all([left.value, right.value].map((number) => ask(ofModel(model.name, `versions/${number}`))));
      const lines = differences(one, other);
      keep(body, lines, () => (lines.length === 0 ? empty('diff-empty', 'They do not differ.')
        : h('table', null, h('thead', null, h('tr', null, ...['What', one.version.version, other.version.version].map((name) => h('th', { scope: 'col' }, String(name))))),
          h('tbody', null, ...lines.map(([what, mine, its]) => row(what, [mine, 'words'], [its, 'words']))))));
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        throw error;
      }
      keep(body, error.message, () => h('p', { class: 'worse' }, error.message));
    }
  }
}

/** What differs between two versions, each as a name and two texts. */
function differences(one, other) {
  const [left, right] = [flat(one), flat(other)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((name) => [name, left.get(name) ?? format.NONE, right.get(name) ?? format.NONE])
    .filter(([, mine, its]) => mine !== its);
}

function flat(detail) {
  const { version } = detail;
  const range = (ranges) => ranges.map((one) => `${one.topic}-${one.partition}: ${one.from} to ${one.to}`).join(', ') || format.NONE;
  const map = new Map([
    ['Published', format.dateTime(version.publishedAt)],
    ['Parent', detail.parentVersion === null ? format.NONE : `version ${detail.parentVersion}`],
    ['Trees', format.count(version.trees)],
    ['Segments', format.count(version.segments)],
    ['Gamma', format.loss(version.gamma)],
    ['Ladder', detail.rungs.map(format.loss).join(', ') || format.NONE],
    ['Rung', format.loss(detail.rung)],
    ['Learned from', range(detail.window)],
    ['Trained on again', Object.entries(detail.memoryRows).map(([name, rows]) => `${format.environment(name)}: ${format.count(rows)}`).join(', ') || range(detail.memory)],
    ['Kept out to judge by', format.part(detail.heldOut)],
    ['Environments', version.environments.map(format.environment).join(', ')],
    ['Features', detail.features.map((one) => one.name).join(', ')],
    ['Categories', detail.features.filter((one) => one.categorical).map((one) => `${one.name}: ${one.categories}`).join(', ') || format.NONE],
    ['Linear terms', format.count(detail.linearTerms)],
    ['Seed', String(detail.seed)],
    ['Trained by', detail.programVersion],
    ['Hash', version.hash],
  ]);
  Object.entries(version.metrics).forEach(([name, value]) => map.set(`Metric ${name}`, format.loss(value)));
  Object.entries(version.objectiveParameters).forEach(([name, value]) => map.set(`Objective ${name}`, format.loss(value)));
  try {
    Object.entries(JSON.parse(detail.settings)).forEach(([name, value]) => map.set(`Setting ${name}`, JSON.stringify(value)));
  } catch {
    map.set('Settings', detail.settings);
  }
  return map;
}
