// How often labels were within what scores had promised, by environment and window.

import { LineChart } from '../charts.js';
import { behind, card, h, keep, row } from '../dom.js';
import * as format from '../format.js';

const SHOWN = 12;

export function coverageCard() {
  const note = h('p', { class: 'muted', id: 'coverage-note' });
  const key = h('p', { class: 'key' }, h('span', { class: 'swatch served' }), 'labels within ', h('span', { class: 'swatch constant' }), 'promised');
  const multiples = h('div', { id: 'coverage', class: 'multiples' });
  const place = h('div', { id: 'width-chart', class: 'chart' });
  const table = behind('coverage-table', 'Labels within bounds by environment', ['Environment', '#Promised', '#Rows', '#Within', '#Mean width']);
  const node = card('coverage', 'Within bounds', 'How often labels were between the bounds of their scores, or in their set of classes. Environments that fall short of the promise most stand first.',
    h('div', { class: 'legend' }, key), note, multiples, h('h3', null, 'How wide bounds were, all rows'), place, table.node);
  let charts = [];
  let width = null;
  let points = [];
  let drawn = null;
  return { node, set, remove };

  function remove() {
    charts.forEach((one) => one.chart.remove());
    charts = [];
    width?.remove();
    width = null;
    place.replaceChildren();
    drawn = null;
    multiples.replaceChildren();
  }

  function set(reports) {
    const told = reports.filter((report) => report.coverage.length > 0);
    node.hidden = told.length === 0;
    if (told.length === 0) {
      return;
    }
    const level = told.at(-1).coverage.at(-1).level;
    const names = [...new Set(told.flatMap((report) => report.environments.filter((one) => one.coverage.length > 0).map((one) => one.environment)))];
    const each = names.map((name) => ({ name, sums: sums(told, name) })).sort((a, b) => short(b.sums) - short(a.sums));
    const all = [{ name: null, sums: sums(told, null) }, ...each];
    const shown = all.slice(0, SHOWN + 1);
    note.textContent = `Of ${format.loss(level)}, window by window; all windows shown are in the table.`;
    const order = JSON.stringify([level, shown.map((one) => one.name)]);
    if (drawn !== order) {
      remove();
      charts = shown.map((one) => view(one.name, level));
      multiples.append(...charts.map((one) => one.figure));
      drawn = order;
      charts.forEach((one) => one.draw());
      width = widths(level);
    }
    charts.forEach((one) => one.set(told));
    points = told.filter((report) => at(report, null, level));
    width.set([points.map((report) => report.window), points.map((report) => at(report, null, level).width ?? null)]);
    keep(table.body, told.at(-1).window, () => all.flatMap(({ name, sums: of }) => of.map((one) => row(titled(name),
      [format.loss(one.level), 'number'], [format.count(one.rows), 'number'], [format.loss(one.kept / one.rows), 'number'], [format.loss(one.width / one.rows), 'number']))));
  }

  function widths(level) {
    return new LineChart(place, ['served'], {
      height: 140,
      zero: true,
      unit: 'mean width',
      x: 'window',
      label: `Mean width of bounds by window, ${format.loss(level)} promised`,
      describe: (index) => (points[index] ? `Window ${points[index].window}: mean width ${format.loss(at(points[index], null, level).width)}` : ''),
    });
  }

  function view(name, level) {
    const inner = h('div');
    const made = {
      figure: h('figure', null, h('figcaption', null, h('h3', null, titled(name))), inner),
      told: [],
      draw() {
        made.chart = new LineChart(inner, ['served', 'constant'], {
          height: 140,
          bounds: () => [0, 1],
          label: `Share of labels within bounds by window, ${titled(name)}`,
          describe: (index) => {
            const of = made.told[index] && at(made.told[index], name, level);
            return of ? `Window ${made.told[index].window}: ${format.loss(of.kept)} within, mean width ${format.loss(of.width)}, ${format.plural(of.rows, 'row', 'rows')}` : 'No bounds in this window';
          },
        });
      },
      set(told) {
        made.told = told;
        made.chart.set([told.map((report) => report.window), told.map((report) => at(report, name, level)?.kept ?? null), told.map(() => level)]);
      },
    };
    return made;
  }
}

function titled(name) {
  return name === null ? 'all rows' : format.environment(name);
}

function of(report, name) {
  return (name === null ? report.coverage : report.environments.find((one) => one.environment === name)?.coverage) ?? [];
}

function at(report, name, level) {
  return of(report, name).find((one) => one.level === level);
}

/** By level, over all windows. */
function sums(reports, name) {
  const levels = new Map();
  for (const one of reports.flatMap((report) => of(report, name))) {
    const sum = levels.get(one.level) ?? { level: one.level, rows: 0, kept: 0, width: 0 };
    levels.set(one.level, { level: one.level, rows: sum.rows + one.rows, kept: sum.kept + one.kept * one.rows, width: sum.width + one.width * one.rows });
  }
  return [...levels.values()].sort((a, b) => a.level - b.level);
}

function short(levels) {
  return Math.max(...levels.map((one) => one.level - one.kept / one.rows));
}
