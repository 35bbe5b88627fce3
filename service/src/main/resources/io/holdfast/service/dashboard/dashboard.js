// Asks the service once a second and shows one model. No state but what the service said and how
// fast its counts grew since the page was opened.

import { LineChart } from './charts.js';
import * as format from './format.js';

const PERIOD_MILLIS = 1000;
const RATE_SECONDS = 5;
const RATE_POINTS = 300;
const WINDOWS_KEPT = 500;
const ENVIRONMENTS_SHOWN = 24;
const VERSIONS_SHOWN = 10;
const WINDOWS_SHOWN = 25;
const DRIFT_SHOWN = 20;
const SHADOWS_SHOWN = 5;
const HEADS_SHOWN = 25;

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

const byId = (id) => document.getElementById(id);
const seen = new Map(); // by model: what was fetched and how counts grew
let shown = null; // the name of the model on the page
let lossChart = null;
let rateChart = null;
let environmentCharts = new Map();
let versionsLimit = VERSIONS_SHOWN;
let logarithmic = null; // as the user set it; null: as the losses are

function memory(name) {
  if (!seen.has(name)) {
    seen.set(name, { reports: [], versions: [], versionsKey: null, heads: [], headsKey: null, samples: [], rates: [[], []] });
  }
  return seen.get(name);
}

class NoAnswer extends Error {}

async function ask(path) {
  let response;
  try {
    response = await fetch(path, { headers: { Accept: 'application/json' } });
  } catch (error) {
    throw new NoAnswer(error.message);
  }
  if (!response.ok) {
    throw new NoAnswer(`${path} answered ${response.status}`);
  }
  return response.json();
}

// --- one round -----------------------------------------------------------------------------------

async function round() {
  try {
    const [status, models] = await Promise.all([ask('api/v1/status'), ask('api/v1/models')]);
    for (const model of models) {
      sample(model);
    }
    choose(models);
    showStatus(status);
    showTroubles(status.troubles);
    showLags(status.lags);
    const model = models.find((candidate) => candidate.name === shown);
    if (model) {
      await catchUp(model);
      show(model);
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) {
      throw error; // a bug of this page: the console says where
    }
    pill('bad', 'No answer');
    notices([`The service does not answer (${error.message}). What is shown is what it said last.`], true);
  } finally {
    setTimeout(round, document.hidden ? 5 * PERIOD_MILLIS : PERIOD_MILLIS);
  }
}

/** Notes how many records were scored by now, to see how many more a second it becomes. */
function sample(model) {
  const mine = memory(model.name);
  const now = performance.now() / 1000;
  const last = mine.samples.at(-1);
  if (last && model.counts.scored < last.scored) {
    mine.samples = []; // the service was restarted
  }
  mine.samples.push({ now, scored: model.counts.scored });
  while (mine.samples.length > 2 && now - mine.samples[0].now > RATE_SECONDS) {
    mine.samples.shift();
  }
  const first = mine.samples[0];
  if (mine.samples.length < 2) {
    return;
  }
  const rate = (model.counts.scored - first.scored) / (now - first.now);
  mine.rates[0].push(Date.now() / 1000);
  mine.rates[1].push(rate);
  if (mine.rates[0].length > RATE_POINTS) {
    mine.rates.forEach((values) => values.shift());
  }
}

/** Fetches reports and versions if there are new ones. */
async function catchUp(model) {
  const mine = memory(model.name);
  const have = mine.reports.at(-1)?.window ?? 0;
  if (model.newestWindow !== null && model.newestWindow !== undefined && model.newestWindow !== have) {
    const restarted = model.newestWindow < have;
    const after = restarted ? 0 : have;
    const news = await ask(`api/v1/models/${encodeURIComponent(model.name)}/reports?limit=${WINDOWS_KEPT}&after=${after}`);
    mine.reports = (restarted ? news : [...mine.reports, ...news]).slice(-WINDOWS_KEPT);
    mine.changed = true;
  }
  const headsKey = `${model.head?.sequence} ${model.head?.at}`;
  if (model.head && headsKey !== mine.headsKey) {
    mine.heads = await ask(`api/v1/models/${encodeURIComponent(model.name)}/heads?limit=${HEADS_SHOWN}`);
    mine.headsKey = headsKey;
    mine.changed = true;
  }
  const key = `${model.serving?.hash} ${model.newestWindow} ${versionsLimit}`;
  if (key !== mine.versionsKey) {
    mine.versions = await ask(`api/v1/models/${encodeURIComponent(model.name)}/versions?limit=${versionsLimit + 1}`);
    mine.versionsKey = key;
    mine.changed = true;
  }
}

// --- which model ---------------------------------------------------------------------------------

function choose(models) {
  const wanted = decodeURIComponent(location.hash.replace(/^#\/?/, ''));
  const name = models.some((model) => model.name === wanted) ? wanted : models[0]?.name;
  const nav = byId('models');
  const names = models.map((model) => model.name).join('\n');
  if (nav.dataset.names !== names) {
    nav.dataset.names = names;
    nav.replaceChildren(
      ...(models.length > 1 ? models : []).map((model) => {
        const link = element('a', model.name);
        link.href = `#/${encodeURIComponent(model.name)}`;
        return link;
      }),
    );
  }
  if (name === shown) {
    return;
  }
  shown = name;
  versionsLimit = VERSIONS_SHOWN;
  for (const link of nav.children) {
    link.toggleAttribute('aria-current', link.textContent === name);
    if (link.textContent === name) {
      link.setAttribute('aria-current', 'page');
    }
  }
  document.title = `${name} · Holdfast`;
  byId('model').hidden = false;
  dropLossCharts();
  rateChart?.remove();
  byId('rate-chart').replaceChildren();
  rateChart = new LineChart(byId('rate-chart'), ['served'], {
    height: 160,
    time: true,
    zero: true,
    label: 'Records per second over the last minutes',
    describe: (index) => `${format.rate(memory(shown).rates[1][index] ?? 0)} records per second`,
  });
  memory(name).changed = true;
}

// --- showing -------------------------------------------------------------------------------------

function showStatus(status) {
  if (!status.alive) {
    pill('bad', 'Stopped');
  } else if (!status.ready) {
    pill('warn', 'Waiting');
  } else if (status.degraded.length + status.troubles.length > 0) {
    pill('warn', 'Scoring, with trouble');
  } else {
    pill('good', 'Scoring');
  }
  // Those of the model that is shown stand below its name.
  const below = status.troubles
    .filter((trouble) => trouble.model === shown)
    .map((trouble) => `model ${trouble.model}: ${trouble.sentence}`);
  const degraded = status.degraded.filter((sentence) => !below.includes(sentence));
  notices(status.alive ? status.awaited.concat(degraded) : status.failures, !status.alive);
}

/** What is wrong with the model that is shown, by name; and a mark at every model that has trouble. */
function showTroubles(troubles) {
  for (const link of byId('models').children) {
    link.classList.toggle('troubled', troubles.some((trouble) => trouble.model === link.textContent));
  }
  const mine = troubles.filter((trouble) => trouble.model === shown);
  byId('troubles-card').hidden = mine.length === 0;
  fill('troubles', mine, (trouble) => {
    const row = document.createElement('tr');
    const kind = element('th', trouble.kind);
    kind.scope = 'row';
    kind.className = 'nowrap';
    row.append(kind, cell(trouble.sentence, 'words'), cell(format.dateTime(trouble.since), 'nowrap'));
    return row;
  });
}

const STAGES = { score: 'to score', join: 'to join', train: 'to learn from' };

/** How far the model that is shown is behind. */
function showLags(lags) {
  const mine = lags.filter((lag) => lag.model === shown);
  text('tile-lag', mine.length === 0 ? format.NONE : format.seconds(Math.max(...mine.map((lag) => lag.seconds))));
  const parts = mine.map((lag) => `${format.count(lag.rows)} ${STAGES[lag.stage] ?? lag.stage}`);
  text('tile-lag-note', parts.length === 0 ? 'not known' : parts.join(', '));
}

function pill(kind, text) {
  const status = byId('status');
  if (status.textContent !== text) {
    status.textContent = text;
    status.className = `pill ${kind}`;
  }
}

function notices(sentences, bad) {
  const list = byId('notices');
  const text = sentences.join('\n');
  if (list.dataset.text === text) {
    return;
  }
  list.dataset.text = text;
  list.hidden = sentences.length === 0;
  list.classList.toggle('bad', bad);
  list.replaceChildren(...sentences.map((sentence) => element('li', sentence)));
}

function show(model) {
  const mine = memory(model.name);
  showTiles(model, mine);
  rateChart.set(mine.rates);
  showCounts(model);
  showRejections(model);
  if (mine.changed) {
    mine.changed = false;
    chooseScale(mine.reports);
    showLoss(mine.reports);
    showEnvironments(mine.reports);
    showVersions(model, mine.versions);
    showWindows(mine.reports);
    showDrift(mine.reports);
    showShadows(mine.reports);
    showHeads(mine.heads);
  }
}

function showTiles(model, mine) {
  const { serving, counts } = model;
  const now = Date.now();
  text('name', model.name);
  text('serving', `${model.objectiveText} · records on ${model.topics.records}`);
  showHead(model);
  text('tile-version', serving ? String(serving.version) : format.NONE);
  text(
    'tile-version-note',
    serving ? `${format.plural(serving.trees, 'tree', 'trees')}, ${format.ago(serving.since, now)}` : 'none verified yet',
  );
  text('tile-rate', format.rate(mine.rates[1].at(-1) ?? 0));
  text('tile-rate-note', `${format.count(counts.scored)} scored`);
  const last = mine.reports.at(-1);
  text('tile-loss', format.loss(last?.loss));
  text('tile-loss-note', last ? against(last) : 'no window yet');
  const foreseen = format.figures(model.expected ?? {});
  byId('tile-expected').hidden = foreseen === format.NONE;
  text('tile-expected', foreseen === format.NONE ? '' : `expected now: ${foreseen}`);
  const used = counts.labels.USED ?? 0;
  const unused = format.sum(counts.labels) - used - (counts.labels.ABSENT ?? 0);
  text('tile-labels', format.count(used));
  text('tile-labels-note', unused === 0 ? 'none left out' : `${format.count(unused)} left out`);
  const dead = format.sum(counts.deadLetters);
  text('tile-dead', format.count(dead));
  text('tile-dead-note', dead === 0 ? 'none' : format.plural(Object.keys(counts.deadLetters).length, 'reason', 'reasons'));
}

/** What is unusual about the head; nothing where the newest version serves alone. */
function showHead({ head, counts }) {
  const parts = [];
  if (head?.pinned) {
    parts.push(`version ${head.version} is pinned`);
  }
  if (head && head.tipVersion !== head.version) {
    parts.push(`training grows from version ${head.tipVersion}`);
  }
  if (head && head.shadowVersion != null) {
    const failed = format.sum(counts.shadowFailed);
    const failures = failed === 0 ? '' : `, ${format.count(failed)} failed`;
    parts.push(`version ${head.shadowVersion} shadows it (${format.count(counts.shadowScored)} scored${failures})`);
  }
  byId('head').hidden = parts.length === 0;
  text('head', parts.join(' · '));
}

function against(report) {
  const difference = format.difference(report.loss, report.constantLoss);
  if (difference === null) {
    return 'no constant model to compare with';
  }
  const size = format.differenceSize(report.loss, report.constantLoss);
  return `${size} ${difference <= 0 ? 'below' : 'above'} the constant model`;
}

function describeWindow(report) {
  return report
    ? `Window ${report.window}: served ${format.loss(report.loss)}, constant ${format.loss(report.constantLoss)}, ${format.plural(report.rows, 'row', 'rows')}`
    : '';
}

/** Losses that span more than a decade and a half, as a first untrained window's, need a log scale. */
function chooseScale(reports) {
  const losses = reports
    .flatMap((report) => [report, ...report.environments])
    .flatMap((figures) => [figures.loss, figures.constantLoss])
    .filter((loss) => loss !== null);
  const possible = losses.every((loss) => loss > 0);
  const wanted = possible && (logarithmic ?? Math.max(...losses) > 30 * Math.min(...losses));
  const box = byId('logarithmic');
  box.disabled = !possible;
  if (box.checked !== wanted) {
    box.checked = wanted;
    dropLossCharts();
  }
}

function dropLossCharts() {
  lossChart?.remove();
  lossChart = null;
  environmentCharts.forEach((view) => view.chart.remove());
  environmentCharts = new Map();
  byId('loss-chart').replaceChildren();
  byId('environments').replaceChildren();
}

function showLoss(reports) {
  byId('loss-empty').hidden = reports.length > 0;
  if (reports.length === 0) {
    return;
  }
  lossChart ??= new LineChart(byId('loss-chart'), ['served', 'constant'], {
    height: 260,
    logarithmic: byId('logarithmic').checked,
    label: 'Loss by window, served and constant model. The table below has the figures.',
    describe: (index) => describeWindow(memory(shown).reports[index]),
  });
  lossChart.set([
    reports.map((report) => report.window),
    reports.map((report) => report.loss),
    reports.map((report) => report.constantLoss),
  ]);
}

function showEnvironments(reports) {
  const byName = new Map();
  for (const report of reports) {
    for (const environment of report.environments) {
      if (!byName.has(environment.environment)) {
        byName.set(environment.environment, []);
      }
      byName.get(environment.environment).push({ window: report.window, ...environment });
    }
  }
  const names = [...byName.keys()];
  byId('environments-card').hidden = names.length === 0 || (names.length === 1 && names[0] === '');
  const more = names.length - ENVIRONMENTS_SHOWN;
  byId('environments-more').hidden = more <= 0;
  text('environments-more', more > 0 ? `${format.plural(more, 'more environment is', 'more environments are')} not shown.` : '');
  for (const name of names.slice(0, ENVIRONMENTS_SHOWN)) {
    const points = byName.get(name);
    if (!environmentCharts.has(name)) {
      environmentCharts.set(name, environmentChart(name));
    }
    const view = environmentCharts.get(name);
    view.points = points;
    view.chart.set([
      points.map((point) => point.window),
      points.map((point) => point.loss),
      points.map((point) => point.constantLoss),
    ]);
  }
}

function environmentChart(name) {
  const figure = document.createElement('figure');
  const title = name === '' ? '(none)' : name;
  figure.append(element('h3', title));
  byId('environments').append(figure);
  const view = { points: [] };
  view.chart = new LineChart(figure, ['served', 'constant'], {
    height: 130,
    logarithmic: byId('logarithmic').checked,
    label: `Loss by window in environment ${title}, served and constant model`,
    describe: (index) => describeWindow(view.points[index]),
  });
  return view;
}

function showCounts(model) {
  const { counts } = model;
  text(
    'labels-intro',
    model.labels === 'topic' ? `From ${model.topics.labels}, joined by key.` : 'Inside the records.',
  );
  const rows = [];
  for (const [outcome, [title, what]] of Object.entries(LABEL_OUTCOMES)) {
    const number = counts.labels[outcome] ?? 0;
    if (number > 0 || outcome === 'USED') {
      rows.push([title, what, number]);
    }
  }
  for (const [reason, [title, what]] of Object.entries(WITHOUT_LABEL)) {
    if (counts.withoutLabel[reason] > 0) {
      rows.push([title, what, counts.withoutLabel[reason]]);
    }
  }
  fill('labels', rows, countRow);
  text('dead-topic', model.topics.deadLetters);
  const dead = Object.entries(counts.deadLetters).map(([reason, number]) => [reason, '', number]);
  fill('dead', dead.length > 0 ? dead : [['None', '', 0]], countRow);
}

function countRow([title, what, number]) {
  const head = element('th', title);
  head.scope = 'row';
  if (what) {
    const note = element('span', what);
    note.className = 'what muted';
    head.append(note);
  }
  return row(head, cell(format.count(number), 'number'));
}

function showVersions(model, versions) {
  byId('versions-all').hidden = versions.length <= versionsLimit;
  const items = versions.slice(0, versionsLimit);
  const marks = (version) => [
    ...(model.serving?.hash === version.hash ? ['serving'] : []),
    ...(model.head?.pinned && model.head.hash === version.hash ? ['pinned'] : []),
    ...(model.head && model.head.tipHash !== model.head.hash && model.head.tipHash === version.hash ? ['tip'] : []),
    ...(model.head?.shadowHash === version.hash ? ['shadow'] : []),
  ];
  fill('versions', items.map((version) => ({ ...version, marks: marks(version) })), (version) => {
    const head = element('th', String(version.version));
    head.scope = 'row';
    head.className = 'nowrap';
    for (const mark of version.marks) {
      const badge = element('span', mark);
      badge.className = 'badge';
      head.append(badge);
    }
    const { rows, anchorLossBefore: before, anchorLossAfter: after } = version.metrics;
    // A manifest sums over rows; shown is the mean, in the unit of the losses above.
    const trained = before == null || after == null || !rows
      ? format.NONE
      : `${format.loss(before / rows)} → ${format.loss(after / rows)}`;
    return row(
      head,
      cell(format.dateTime(version.publishedAt), 'nowrap'),
      cell(format.count(version.trees), 'number'),
      cell(rows == null ? format.NONE : format.count(rows), 'number'),
      cell(trained, 'nowrap'),
      hashCell(version.hash),
      hashCell(version.parent),
    );
  });
}

/** What drifted in the newest windows: all alarms, and in the newest window the largest differences. */
function showDrift(reports) {
  const all = reports.filter((report) => report.drift);
  byId('drift-card').hidden = all.length === 0;
  if (all.length === 0) {
    return;
  }
  // Rows of small windows are compared together: between, nothing is.
  const told = all.filter(({ drift }) => drift.tests > 0 || drift.alarms.length > 0);
  const looked = (told.length > 0 ? told : all).slice(-DRIFT_SHOWN).reverse();
  const newest = looked[0].drift;
  byId('drift-note').textContent = `Each window, or the rows of several small ones, against the reference of those before, over ${format.plural(newest.tests, 'test', 'tests')} in the newest. `
    + (newest.alarms.length === 0 ? 'No alarm in it.' : `${format.plural(newest.alarms.length, 'alarm', 'alarms')} in it.`);
  const lines = looked.flatMap(({ window, drift }, i) => [
    ...(drift.lossRisen ? [{ window, what: 'the loss has risen', alarm: true }] : []),
    ...drift.newEnvironments.map((environment) => ({ window, what: 'a new environment', environment, alarm: true })),
    ...drift.features
      .filter((shift, k) => shift.alarm || (i === 0 && k < 5))
      .map((shift) => ({ window, what: shift.feature === '' ? 'the label' : shift.feature, ...shift })),
  ]);
  fill('drift', lines, (line) => {
    const head = element('th', String(line.window));
    head.scope = 'row';
    head.className = 'number';
    return row(
      head,
      cell(line.what),
      cell(line.environment ? line.environment : 'all'),
      cell(format.loss(line.psi), 'number'),
      cell(format.loss(line.ks), 'number'),
      cell(line.alarm ? 'yes' : 'no', line.alarm ? 'worse' : ''),
    );
  });
}

/** The newest windows that a shadow was held against, each in all and by environment. */
function showShadows(reports) {
  const compared = reports.filter((report) => report.shadow).slice(-SHADOWS_SHOWN).reverse();
  byId('shadows-card').hidden = compared.length === 0;
  const lines = compared.flatMap(({ window, shadow }) => [
    { window, version: shadow.version, environment: null, ...shadow },
    ...(shadow.environments.length > 1
      ? shadow.environments.map((environment) => ({ window, version: shadow.version, ...environment }))
      : []),
  ]);
  fill('shadows', lines, (line) => {
    const difference = format.difference(line.loss, line.againstLoss);
    const sign = difference === null ? '' : difference <= 0 ? '−' : '+';
    const mark = difference === null ? 'number' : `number ${difference <= 0 ? 'better' : 'worse'}`;
    const head = element('th', String(line.window));
    head.scope = 'row';
    head.className = 'number';
    return row(
      head,
      cell(`v${line.version}`, 'nowrap'),
      cell(line.environment === null ? 'all' : line.environment === '' ? '(none)' : line.environment),
      cell(format.count(line.rows), 'number'),
      cell(format.loss(line.loss), 'number'),
      cell(format.loss(line.againstLoss), 'number'),
      cell(difference === null ? format.NONE : sign + format.differenceSize(line.loss, line.againstLoss), mark),
    );
  });
}

function showHeads(heads) {
  byId('heads-card').hidden = heads.length === 0;
  fill('heads', heads, (item) => {
    const head = element('th', String(item.sequence));
    head.scope = 'row';
    head.className = 'number';
    return row(
      head,
      cell(format.dateTime(item.at), 'nowrap'),
      cell(HEAD_REASONS[item.reason] ?? item.reason, 'nowrap'),
      cell(`v${item.version}`),
      cell(`v${item.tipVersion}`),
      cell(item.shadowVersion == null ? format.NONE : `v${item.shadowVersion}`),
      cell(item.pinned ? 'yes' : format.NONE),
      cell(item.by, 'words'),
      cell(item.why, 'words'),
    );
  });
}

function showWindows(reports) {
  fill('windows', reports.slice(-WINDOWS_SHOWN).reverse(), (report) => {
    const difference = format.difference(report.loss, report.constantLoss);
    const sign = difference === null ? '' : difference <= 0 ? '−' : '+';
    const mark = difference === null ? 'number' : `number ${difference <= 0 ? 'better' : 'worse'}`;
    const head = element('th', String(report.window));
    head.scope = 'row';
    head.className = 'number';
    return row(
      head,
      cell(format.count(report.rows), 'number'),
      cell(format.loss(report.loss), 'number'),
      cell(format.loss(report.constantLoss), 'number'),
      cell(difference === null ? format.NONE : sign + format.differenceSize(report.loss, report.constantLoss), mark),
      cell(format.figures(report.metrics), 'nowrap'),
      cell(format.figures(report.expected?.metrics ?? {}), 'nowrap'),
      cell(versionsText(report.servedVersions), 'nowrap'),
      cell(report.decision),
    );
  });
}

function versionsText(versions) {
  return versions.length === 0 ? format.NONE : versions.map((version) => `v${version}`).join(', ');
}

function showRejections(model) {
  byId('rejections-card').hidden = model.rejections.length === 0;
  fill('rejections', model.rejections, (rejection) =>
    element('li', `${format.dateTime(rejection.at)}: ${rejection.detail} (${rejection.reason})`),
  );
}

// --- building ------------------------------------------------------------------------------------

function element(tag, content) {
  const made = document.createElement(tag);
  made.textContent = content;
  return made;
}

function cell(content, className) {
  const made = element('td', content);
  if (className) {
    made.className = className;
  }
  return made;
}

function hashCell(hash) {
  const made = document.createElement('td');
  const code = element('code', format.shortHash(hash));
  if (hash) {
    code.title = hash;
  }
  made.append(code);
  return made;
}

function row(...cells) {
  const made = document.createElement('tr');
  made.append(...cells);
  return made;
}

/** Sets text only where it differs, so that screen readers and selections are left alone. */
function text(id, content) {
  const target = byId(id);
  if (target.textContent !== content) {
    target.textContent = content;
  }
}

/** Replaces the children if what they show has changed. */
function fill(id, items, make) {
  const target = byId(id);
  const key = JSON.stringify([shown, items]);
  if (target.dataset.key !== key) {
    target.dataset.key = key;
    target.replaceChildren(...items.map(make));
  }
}

byId('versions-all').addEventListener('click', () => {
  versionsLimit = Math.min(999, versionsLimit * 5);
});
byId('logarithmic').addEventListener('change', (event) => {
  logarithmic = event.target.checked;
  dropLossCharts();
  memory(shown).changed = true;
});
addEventListener('hashchange', () => {
  byId('main').focus();
});
round();
