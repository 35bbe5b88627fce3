// What happened, in a few sentences: how environments moved, and what was served meanwhile.

import { card, empty, h, keep } from '../dom.js';
import * as format from '../format.js';

const STAGES = 6;
const MOVED = 0.2; // of the spread of the stage before

export function storyCard() {
  const list = h('ol', { id: 'story', class: 'story' });
  const nothing = empty('story-empty', 'It begins with the first window.');
  return {
    node: card('story', 'The story so far', 'The constant model’s losses say how far environments are apart; what was served, whether the model goes along.', nothing, list),
    set(reports) {
      const told = reports.filter((report) => report.loss !== null && report.environments.length > 0);
      nothing.hidden = told.length > 0;
      const size = Math.ceil(told.length / STAGES);
      const stages = [];
      for (let begin = 0; begin < told.length; begin += size) {
        stages.push(stage(told.slice(begin, begin + size)));
      }
      keep(list, [stages.length, told.at(-1)?.window], () => stages.map((one, i) =>
        h('li', null, h('strong', null, headline(one, stages[i - 1])), ` ${sentence(one)}`)).reverse());
    },
  };
}

/** Windows taken together; environments with their losses by rows, the best first. */
function stage(reports) {
  const sums = new Map();
  for (const one of reports.flatMap((report) => report.environments)) {
    if (one.loss !== null && one.constantLoss !== null) {
      const sum = sums.get(one.environment) ?? { name: one.environment, rows: 0, loss: 0, constantLoss: 0 };
      sum.rows += one.rows;
      sum.loss += one.rows * one.loss;
      sum.constantLoss += one.rows * one.constantLoss;
      sums.set(one.environment, sum);
    }
  }
  const environments = [...sums.values()].map((sum) =>
    ({ name: sum.name, rows: sum.rows, loss: sum.loss / sum.rows, constantLoss: sum.constantLoss / sum.rows }));
  const mean = (key) => environments.reduce((total, one) => total + one.rows * one[key], 0) / environments.reduce((total, one) => total + one.rows, 0);
  const by = (key) => environments.toSorted((a, b) => a[key] - b[key]);
  const versions = reports.flatMap((report) => report.servedVersions);
  return {
    first: reports[0].window,
    last: reports.at(-1).window,
    loss: mean('loss'),
    constantLoss: mean('constantLoss'),
    served: by('loss'),
    constant: by('constantLoss'),
    losing: environments.filter((one) => one.loss > one.constantLoss).map((one) => format.environment(one.name)),
    versions: [Math.min(...versions), Math.max(...versions)],
    alarms: reports.reduce((total, report) => total + (report.drift?.alarms.length ?? 0), 0),
  };
}

function spread({ constant }) {
  return constant.at(-1).constantLoss - constant[0].constantLoss;
}

function headline(now, before) {
  const windows = now.first === now.last ? `Window ${now.first}` : `Windows ${now.first} to ${now.last}`;
  const apart = before && now.constant.length > 1 ? spread(now) - spread(before) : 0;
  const moved = !before || Math.abs(apart) <= MOVED * Math.abs(spread(before)) ? null
    : apart > 0 ? 'environments move apart' : 'environments come closer';
  const model = now.loss > now.constantLoss ? 'the model does worse than the constant'
    : now.losing.length > 0 ? `the model loses to the constant in ${now.losing.slice(0, 3).join(', ')}`
      : before && before.loss > before.constantLoss ? 'the model has learned' : 'the model keeps up';
  return `${windows}: ${[moved, model].filter(Boolean).join(', ')}.`;
}

function sentence({ loss, constantLoss, served, constant, versions, alarms }) {
  const worst = served.at(-1);
  const range = constant.length > 1
    ? `, from ${format.loss(constant[0].constantLoss)} in ${format.environment(constant[0].name)} to ${format.loss(constant.at(-1).constantLoss)} in ${format.environment(constant.at(-1).name)}` : '';
  return `The constant model loses ${format.loss(constantLoss)} a row${range}; what was served ${format.loss(loss)}, ${format.loss(worst.loss)} in ${format.environment(worst.name)} at worst. `
    + (versions[0] === versions[1] ? `Version ${versions[0]} served.` : `Versions ${versions[0]} to ${versions[1]} served.`)
    + (alarms > 0 ? ` ${format.plural(alarms, 'alarm', 'alarms')} of drift.` : '');
}
