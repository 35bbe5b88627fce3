// One model: what its windows, its features and its trainer say.

import { ask, NoAnswer, ofModel } from '../api.js';
import { LineChart } from '../charts.js';
import { behind, card, chip, facts, fillTimes, h, keep, row, say, table } from '../dom.js';
import * as format from '../format.js';
import { rungs } from './actions.js';
import { calibrationCard } from './calibration.js';
import { coverageCard } from './coverage.js';
import { driftCard } from './drift.js';
import { lossCards } from './losses.js';
import { reasonCard } from './reason.js';
import { reliabilityCard } from './reliability.js';
import { storyCard } from './story.js';
import { distributionCard, importanceCard } from './weights.js';

const WINDOWS_SHOWN = 50;
const LABEL_OUTCOMES = {
  USED: ['Used', 'made an example'],
  ABSENT: ['Not known yet', 'the record’s label was null'],
  MALFORMED: ['Malformed', 'could not be read, or a value that is not allowed'],
  NO_KEY: ['Without key', 'belongs to no record'],
  LATE: ['Late', 'its record had waited as long as it may'],
  DUPLICATE: ['Duplicate', 'its record had another label'],
  ORPHAN: ['Orphan', 'no record of its key came in time'],
  UNSCORED: ['Unscored', 'its record was a dead letter'],
};
const WITHOUT_LABEL = {
  UNLABELLED: ['Records without label', 'none came while they waited'],
  SUPERSEDED: ['Records superseded', 'a newer record of the same key took their place'],
  NO_KEY: ['Records without key', 'no label can name them'],
};

export function modelPage(context) {
  const tiles = new Map();
  const grid = h('dl', { class: 'tiles' });
  for (const [key, name] of [['version', 'Served version'], ['rate', 'Records per second'], ['lag', 'Behind'],
    ['loss', 'Loss, last window'], ['labels', 'Labels used'], ['dead', 'Dead letters']]) {
    const [value, note] = [h('dd', { id: `tile-${key}` }, format.NONE), h('dd', { id: `tile-${key}-note`, class: 'muted' })];
    tiles.set(key, { value, note });
    grid.append(h('div', null, h('dt', null, name), value, note));
  }
  const findings = h('div');
  const losses = lossCards(context.mine);
  const reason = reasonCard();
  const story = storyCard();
  const calibration = calibrationCard(context.mine);
  const reliability = reliabilityCard();
  const coverage = coverageCard();
  const drift = driftCard(context.mine);
  const distribution = distributionCard();
  const importance = importanceCard();
  const gamma = card('gamma', 'Gamma in force', 'How much being wrong together in an environment costs in training; 1 is plain boosting.', h('div', { id: 'gamma' }));
  const trainer = card('trainer', 'Trainer now', null, h('div', { id: 'trainer' }));
  const rate = rateCard(context.mine);
  const labels = table('labels', 'Labels by outcome', ['Outcome', '#Count']);
  const windows = table('windows', 'Windows', ['#Window', 'At', '#Rows', '#Loss', '#Constant', '#Difference', 'Metrics', 'Expected', 'Served by', 'Decision']);
  const rejections = h('ul', { id: 'rejections' });
  const rejected = card('rejections', 'Refused versions', 'What served before serves on.', rejections);
  const node = h(
    'div',
    null,
    findings,
    grid,
    losses.nodes[0],
    reason.node,
    story.node,
    losses.nodes[1],
    h('div', { class: 'columns wide' }, calibration.node, distribution.node),
    reliability.node,
    coverage.node,
    drift.node,
    h('div', { class: 'columns wide' }, importance.node, h('div', null, gamma, trainer)),
    h('div', { class: 'columns wide' }, rate.node, card('labels', 'Labels', 'Since this instance started.', labels.node)),
    card('windows', 'Windows', 'Expected is what the scores made one expect before labels came. Metrics that fall short of it say that labels depend on features as they did not before.', windows.node),
    rejected,
  );
  const fetched = { key: null };
  let drawn = -1;
  return {
    node,
    remove() {
      [losses, calibration, coverage, drift, rate].forEach((part) => part.remove());
    },
    update(now) {
      const { model, mine, status } = now;
      showTiles(tiles, now);
      showFindings(findings, now);
      rate.set(mine.rates);
      showTrainer(trainer.lastChild, now);
      showLabels(labels.body, model, status);
      fetchFigures(now, fetched, importance, distribution, gamma.lastChild);
      rejected.hidden = model.rejections.length === 0;
      keep(rejections, model.rejections, () => model.rejections.map((one) =>
        h('li', null, `${format.dateTime(one.at)}: ${one.detail} (${one.reason})`)));
      if (drawn !== mine.round) {
        drawn = mine.round;
        [losses, reason, story, calibration, reliability, coverage, drift].forEach((part) => part.set(mine.reports));
        showWindows(windows.body, mine.reports);
      }
    },
  };
}

/** What the service finds out when it is asked: of the version that serves, now and then. */
async function fetchFigures(now, fetched, importance, distribution, gamma) {
  const { model } = now;
  const key = `${model.serving?.hash} ${Math.floor(Date.now() / 10_000)}`;
  if (!model.serving || fetched.key === key) {
    return;
  }
  fetched.key = key;
  try {
    const [worth, scores, version] = await Promise.all([
      ask(ofModel(model.name, 'importance')),
      ask(ofModel(model.name, 'distribution')),
      ask(ofModel(model.name, `versions/${model.serving.version}`)),
    ]);
    importance.set(worth);
    distribution.set(scores);
    showGamma(gamma, version, now);
  } catch (error) {
    if (!(error instanceof NoAnswer)) {
      throw error;
    }
    fetched.key = null; // asked again with the next round
  }
}

function showTiles(tiles, { model, mine, status }) {
  const { serving, counts } = model;
  const put = (key, value, note) => {
    say(tiles.get(key).value, value);
    say(tiles.get(key).note, note);
  };
  put('version', serving ? String(serving.version) : format.NONE,
    serving ? `${format.plural(serving.trees, 'tree', 'trees')}, ${format.ago(serving.since, Date.now())}` : 'none verified yet');
  put('rate', mine.rates[1].length === 0 ? '…' : format.rate(mine.rates[1].at(-1)), `${format.count(counts.scored)} scored`);
  const lags = status.lags.filter((lag) => lag.model === model.name);
  const stages = { score: 'to score', join: 'to join', train: 'to learn from' };
  put('lag', lags.length === 0 ? format.NONE : format.seconds(Math.max(...lags.map((lag) => lag.seconds))),
    lags.length === 0 ? 'not known' : lags.map((lag) => `${format.count(lag.rows)} ${stages[lag.stage] ?? lag.stage}`).join(', '));
  const last = mine.reports.at(-1);
  const expected = format.figures(model.expected ?? {});
  put('loss', format.loss(last?.loss), [last ? against(last) : 'no window yet', expected === format.NONE ? null : `expected now: ${expected}`]
    .filter(Boolean).join(' · '));
  const used = counts.labels.USED ?? 0;
  const unused = format.sum(counts.labels) - used - (counts.labels.ABSENT ?? 0);
  const delay = model.labelled.delaySeconds ?? null;
  put('labels', format.count(used), [unused === 0 ? 'none left out' : `${format.count(unused)} left out`,
    delay === null ? null : `${format.seconds(delay)} after their records`].filter(Boolean).join(', '));
  const dead = format.sum(counts.deadLetters);
  put('dead', format.count(dead), dead === 0 ? 'none'
    : format.plural(Object.values(counts.deadLetters).filter((count) => count > 0).length, 'reason', 'reasons'));
}

function against(report) {
  const difference = format.difference(report.loss, report.constantLoss);
  if (difference === null) {
    return 'no constant model to compare with';
  }
  return `${format.differenceSize(report.loss, report.constantLoss)} ${difference <= 0 ? 'below' : 'above'} the constant model`;
}

/** What else is not as it should be, with when it began where that is known. */
function showFindings(box, { model, status }) {
  const since = new Map(status.troubles.filter((one) => one.model === model.name).map((one) => [one.sentence, one]));
  const all = model.state.others; // the worst stands above
  keep(box, [all, [...since.values()]], () => {
    if (all.length === 0) {
      return [];
    }
    const list = all.map((one) => {
      const trouble = since.get(one.sentence);
      return row([chip(one.level, one.word), 'nowrap'], [one.sentence, 'words'], [trouble ? `since ${format.dateTime(trouble.since)}` : '', 'muted nowrap']);
    });
    return card('findings', 'What else was found', null, h('table', { class: 'findings' },
      h('thead', { class: 'unseen' }, h('tr', null, ...['What', 'Why, and what to do', 'Since'].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', { id: 'findings' }, ...list)));
  });
}

function showTrainer(box, { model, mine, status }) {
  const lag = status.lags.find((one) => one.model === model.name && one.stage === 'train');
  const last = mine.reports.at(-1);
  const doing = !lag ? 'not known: the broker has not said yet'
    : lag.deserted ? 'nobody is there: start holdfast trainer'
      : lag.seconds > 0 ? `learning, ${format.seconds(lag.seconds)} behind` : 'waits for its next window';
  keep(box, [doing, lag?.rows, last?.window], () => facts([
    ['It', doing],
    lag ? ['Examples to learn from', format.count(lag.rows)] : null,
    last ? ['Last window', `${format.count(last.window)}, ${format.dateTime(last.at)}`] : null,
    last ? ['Took', `${format.count(last.trainingMillis)} ms for ${format.plural(last.rows, 'row', 'rows')}`] : null,
    last ? ['Decided', last.decision] : null,
    last && format.sum(last.unusable) > 0
      ? ['Left out', Object.entries(last.unusable).map(([reason, count]) => `${format.count(count)} ${reason}`).join(', ')] : null,
  ]));
}

function showGamma(box, { version, rungs: ladder, rung }, { model, session, again }) {
  const inForce = rung ?? version.gamma;
  keep(box, [inForce, ladder, version.version, session.secured], () => facts([
    ['In force', h('strong', null, format.loss(inForce))],
    ['Version', `${version.version}, trained with ${format.loss(version.gamma)}`],
    ['Ladder', ladder.length === 0 ? 'none: the version has the leaf values of one gamma' : rungs(ladder, inForce, model, session, again)],
  ]));
}

function showLabels(body, model, status) {
  const pending = status.pending.find((one) => one.model === model.name);
  const counts = model.counts;
  keep(body, [counts.labels, counts.withoutLabel, pending], () => {
    const lines = [
      ...Object.entries(counts.labels).filter(([key, count]) => count > 0 || key === 'USED').map(([key, count]) => [...(LABEL_OUTCOMES[key] ?? [key, '']), count]),
      ...Object.entries(counts.withoutLabel).filter(([, count]) => count > 0).map(([key, count]) => [...(WITHOUT_LABEL[key] ?? [key, '']), count]),
      ...(pending ? [['Pending records', 'scored, and wait for their label', pending.records], ['Pending labels', 'wait for their record or its score', pending.labels]] : []),
    ];
    return lines.length === 0 ? [row(['No label has come', ''], ['0', 'number'])]
      : lines.map(([name, what, count]) => row(h('span', null, name, h('span', { class: 'what' }, what)), [format.count(count), 'number']));
  });
}

function rateCard(mine) {
  const place = h('div', { id: 'rate-chart', class: 'chart' });
  const figures = behind('rate-table', 'Records per second by time', ['Time', '#Records/s']);
  let chart = null;
  return {
    node: card('rate', 'Records per second', 'Scored by this instance since the page was opened.', place, figures.node),
    set(rates) {
      fillTimes(figures.body, rates, format.rate);
      chart ??= new LineChart(place, ['served'], {
        height: 180,
        time: true,
        zero: true,
        unit: 'records/s',
        x: 'time',
        label: 'Records per second over the last minutes',
        describe: (index) => `${format.rate(mine.rates[1][index] ?? 0)} records per second`,
      });
      chart.set(rates);
    },
    remove: () => chart?.remove(),
  };
}

function showWindows(body, reports) {
  const newest = reports.slice(-WINDOWS_SHOWN).reverse();
  keep(body, newest, () => newest.map((report) => {
    const difference = format.difference(report.loss, report.constantLoss);
    return row(
      [String(report.window), 'number'],
      [format.dateTime(report.at), 'nowrap'],
      [format.count(report.rows), 'number'],
      [format.loss(report.loss), 'number'],
      [format.loss(report.constantLoss), 'number'],
      [format.excess(report.loss, report.constantLoss), difference === null ? 'number' : `number ${difference <= 0 ? 'better' : 'worse'}`],
      [format.figures(report.metrics), 'nowrap'],
      [format.figures(report.expected?.metrics ?? {}), 'nowrap'],
      [report.servedVersions.map((version) => `v${version}`).join(', ') || format.NONE, 'some'],
      [report.decision, 'decision'],
    );
  }));
}
