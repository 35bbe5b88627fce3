// What was fetched of each model, and how fast its counts grew since the page was opened.

import { ask, ofModel } from './api.js';
import { sum } from './format.js';

const RATE_SECONDS = 5;
const POINTS = 300;
const WINDOWS_KEPT = 1000;
const HEADS = 100;
const VERSIONS = 200;

const seen = new Map();

export function memory(name) {
  if (!seen.has(name)) {
    seen.set(name, {
      reports: [],
      versions: [],
      versionsKey: null,
      heads: [],
      headsKey: null,
      samples: [],
      rates: [[], []],
      dead: [[], []],
      round: 0,
    });
  }
  return seen.get(name);
}

/** Notes what was counted by now, to see how much more a second it becomes. */
export function sample(model) {
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
  note(mine.dead, sum(model.counts.deadLetters));
  const first = mine.samples[0];
  if (mine.samples.length > 1) {
    note(mine.rates, (model.counts.scored - first.scored) / (now - first.now));
  }
}

function note(line, value) {
  line[0].push(Date.now() / 1000);
  line[1].push(value);
  if (line[0].length > POINTS) {
    line.forEach((values) => values.shift());
  }
}

/** Records a second by now; null before two looks. */
export function rateOf(name) {
  return memory(name).rates[1].at(-1) ?? null;
}

/** Fetches reports, heads and versions if there are new ones. */
export async function catchUp(model) {
  const mine = memory(model.name);
  const have = mine.reports.at(-1)?.window ?? 0;
  const newest = model.newestWindow ?? have;
  if (newest !== have) {
    const after = newest < have ? 0 : have;
    const news = await ask(ofModel(model.name, `reports?limit=${WINDOWS_KEPT}&after=${after}`));
    mine.reports = (after === 0 ? news : [...mine.reports, ...news]).slice(-WINDOWS_KEPT);
    mine.round++;
  }
  const headsKey = `${model.head?.sequence} ${model.head?.at}`;
  if (model.head && headsKey !== mine.headsKey) {
    mine.heads = await ask(ofModel(model.name, `heads?limit=${HEADS}`));
    mine.headsKey = headsKey;
    mine.round++;
  }
  const key = `${model.serving?.hash} ${model.head?.tipHash} ${model.newestWindow}`;
  if (key !== mine.versionsKey) {
    mine.versions = await ask(ofModel(model.name, `versions?limit=${VERSIONS}`));
    mine.versionsKey = key;
    mine.round++;
  }
}
