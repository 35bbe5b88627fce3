// The page of a backtest: tables and curves of the JSON that stands in it.

/* global uPlot */
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const models = data.candidates ?? [{ name: 'model', ...data }];
  const LINES = 8;
  const DASHES = [[], [9, 4], [2, 3], [9, 3, 2, 3]];
  const TEXT = {
    noChange: 'no change',
    majority: 'commonest class',
    mean: 'mean label',
    cumulative: 'all rows so far',
    windowed: `the newest ${models[0].curve.newest} rows`,
    fading: `all rows, each weighing ${models[0].curve.fadingBy} of the next`,
  };
  const MORE = ['accuracy', 'auc', 'kappa', 'kappaM', 'kappaTemporal', 'r2'];
  const BASELINES = {
    accuracy: ['noChangeAccuracy', 'majorityAccuracy'],
    rmse: ['noChangeRmse', 'meanRmse'],
    mae: ['noChangeMae', 'meanMae'],
  };
  const four = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
  const whole = new Intl.NumberFormat('en');
  const id = (name) => document.getElementById(name);
  const number = (value) => (value == null ? '–' : four.format(value));
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) {
      made.textContent = text;
    }
    if (className) {
      made.className = className;
    }
    return made;
  }

  /** Fills a table: cells are texts, or [text, class]; the first of a row is its heading. */
  function fill(table, header, rows) {
    const head = element('tr');
    header.forEach((text, i) => {
      const cell = element('th', text, i > 0 ? 'number' : '');
      cell.scope = 'col';
      head.append(cell);
    });
    const thead = element('thead');
    thead.append(head);
    const tbody = element('tbody');
    for (const row of rows) {
      const line = element('tr');
      row.forEach((cell, i) => {
        const [text, className] = Array.isArray(cell) ? cell : [cell, i > 0 ? 'number' : ''];
        const made = element(i > 0 ? 'td' : 'th', text, className);
        if (i === 0) {
          made.scope = 'row';
        }
        line.append(made);
      });
      tbody.append(line);
    }
    table.replaceChildren(thead, tbody);
  }

  function summary() {
    const names = new Set();
    models.forEach((model) => Object.keys(model.stream.cumulative.metrics).forEach((name) => names.add(name)));
    const baseline = (name) => /^(noChange|majority|mean)/.test(name);
    const rows = [...names].filter((name) => !baseline(name)).map((name) => [
      name, ...models.map((model) => number(model.stream.cumulative.metrics[name])),
    ]);
    for (const name of [...names].filter(baseline)) {
      const [, who, what] = /^(noChange|majority|mean)(.*)$/.exec(name);
      rows.push([`${what.toLowerCase()} of ${TEXT[who]}`, ...models.map((model) => number(model.stream.cumulative.metrics[name]))]);
    }
    if (models[0].environments.length > 1) {
      rows.push(['loss of the worst environment', ...models.map((model) => number(model.byEnvironment.worst.loss))]);
      rows.push(['loss that nine in ten environments stay within', ...models.map((model) => number(model.byEnvironment.quantile.loss))]);
    }
    rows.push(['versions', ...models.map((model) => whole.format(model.versions))]);
    rows.push(['trees', ...models.map((model) => whole.format(model.trees))]);
    rows.push(['CPU seconds', ...models.map((model) => number(model.cpuSeconds))]);
    rows.push(['last version', ...models.map((model) => model.hash.slice(0, 10))]);
    fill(id('summary'), ['', ...models.map((model) => model.name)], rows);
  }

  function stroke(index, baseline) {
    return baseline
      ? { stroke: () => colour('--constant'), width: 1.5, dash: index === 0 ? [5, 4] : [2, 3] }
      : { stroke: () => colour(`--line${index % LINES}`), width: 2, dash: DASHES[Math.floor(index / LINES) % DASHES.length] };
  }

  function swatch(style) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('width', '28');
    svg.setAttribute('height', '10');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS(space, 'line');
    for (const [name, value] of Object.entries({ x1: 0, x2: 28, y1: 5, y2: 5, 'stroke-width': style.width })) {
      line.setAttribute(name, value);
    }
    line.style.stroke = style.stroke();
    line.setAttribute('stroke-dasharray', style.dash.join(' '));
    svg.append(line);
    return svg;
  }

  /** The lines of a figure: of the models, and of the baselines, which are the same for all. */
  function lines(figure, stretch) {
    const own = models.map((model, i) => ({
      name: model.name, values: model.curve[stretch][figure] ?? [], style: stroke(i, false),
    }));
    const theirs = (BASELINES[figure] ?? []).map((name, i) => ({
      name: TEXT[/^(noChange|majority|mean)/.exec(name)[1]],
      values: models[0].curve[stretch][name] ?? [],
      style: stroke(i, true),
    }));
    // What the scores made one expect of the rows just scored, before their labels came.
    const foreseen = stretch !== 'windowed' ? [] : models
      .filter((model) => model.curve.expected[figure])
      .map((model) => ({
        name: models.length > 1 ? `${model.name}, expected` : 'expected before labels',
        values: model.curve.expected[figure],
        style: { ...stroke(models.indexOf(model), false), width: 1.2, dash: [1, 3] },
      }));
    return [...own, ...foreseen, ...theirs];
  }

  const hidden = new Set();
  let chart = null;

  function draw() {
    const figure = id('figure').value;
    const stretch = id('stretch').value;
    const x = models[0].curve.rows;
    const drawn = lines(figure, stretch).filter((line) => line.values.length === x.length);
    chart?.destroy();
    const place = id('curve');
    place.replaceChildren();
    const plot = element('div', undefined, 'plot');
    plot.tabIndex = 0;
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', `${figure} along the stream, of ${TEXT[stretch]}; the arrow keys go through it`);
    const readout = element('p', '', 'readout');
    place.append(plot, readout);
    id('curve-note').textContent = `${MORE.includes(figure) ? 'Higher' : 'Lower'} is better. Rows whose label had come, from left to right.`;
    const axis = {
      stroke: () => colour('--muted'), grid: { stroke: () => colour('--line'), width: 1 },
      ticks: { stroke: () => colour('--line'), width: 1, size: 4 }, font: '12px system-ui, sans-serif',
    };
    const say = (index) => {
      const at = index ?? x.length - 1;
      readout.textContent = at < 0 ? '' : `After ${whole.format(x[at])} rows: ${drawn
        .filter((line) => !hidden.has(line.name))
        .map((line) => `${line.name} ${number(line.values[at])}`).join(' · ')}`;
    };
    const height = 340;
    chart = new uPlot({
      width: Math.max(200, place.clientWidth),
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
      scales: { x: { time: false } },
      axes: [
        { ...axis, size: 32, values: (u, ticks) => ticks.map((tick) => whole.format(tick)) },
        { ...axis, size: 64, values: (u, ticks) => ticks.map(number) },
      ],
      series: [{}, ...drawn.map((line) => ({ ...line.style, label: line.name, spanGaps: true, show: !hidden.has(line.name), points: { show: false } }))],
      hooks: { setCursor: [(u) => say(u.cursor.idx)] },
    }, [x, ...drawn.map((line) => line.values)], plot);
    say(null);
    plot.addEventListener('keydown', (event) => {
      const last = x.length - 1;
      const at = chart.cursor.idx ?? last;
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      if (to !== undefined) {
        event.preventDefault();
        readout.setAttribute('aria-live', 'polite');
        chart.setCursor({ left: chart.valToPos(x[Math.min(last, Math.max(0, to))], 'x'), top: 0 });
      }
    });
    id('key').replaceChildren(...drawn.map((line, i) => {
      const item = element('li');
      const label = element('label');
      const box = element('input');
      box.type = 'checkbox';
      box.checked = !hidden.has(line.name);
      box.addEventListener('change', () => {
        hidden[box.checked ? 'delete' : 'add'](line.name);
        chart.setSeries(i + 1, { show: box.checked });
        say(null);
      });
      label.append(box, swatch(line.style), line.name);
      item.append(label);
      return item;
    }));
  }

  function choose(select, values, texts, chosen) {
    values.forEach((value, i) => {
      const option = element('option', texts[i]);
      option.value = value;
      option.selected = value === chosen;
      select.append(option);
    });
  }

  function environments() {
    const all = new Map();
    models.forEach((model) => model.environments.forEach((one) => all.set(one.environment, one.rows)));
    if (all.size < 2) {
      return;
    }
    id('environments-card').hidden = false;
    id('environments-note').textContent = 'Mean loss of what was served, by environment. Lower is better.';
    const loss = (model, name) => model.environments.find((one) => one.environment === name)?.loss;
    fill(id('environments'), ['Environment', 'Rows', ...models.map((model) => model.name)],
      [...all].map(([name, rows]) => {
        const losses = models.map((model) => loss(model, name));
        const best = Math.min(...losses.filter((value) => value != null));
        return [name === '' ? '(none)' : name, whole.format(rows), ...losses.map((value) =>
          [number(value), models.length > 1 && value === best ? 'number better' : 'number'])];
      }));
  }

  function tuning() {
    if (!data.rounds) {
      return;
    }
    id('tuning-card').hidden = false;
    fill(id('tuning'), ['Candidate', 'Rows', 'Loss', 'CPU seconds'], data.rounds.flatMap((round) =>
      round.candidates.map((one) => [one.name, whole.format(round.rows), number(one.loss), number(one.cpuSeconds)])));
  }

  const MOST_WINDOWS = 1000;

  function windows() {
    const model = models[Number(id('model').value)];
    const shown = model.windows.slice(-MOST_WINDOWS);
    fill(id('windows'), ['Window', 'Rows', 'Loss', 'Constant', 'Served by', 'Trees', 'Decision'],
      shown.map((one) => [
        String(one.window), whole.format(one.rows), number(one.loss), number(one.constantLoss),
        one.servedVersions.map((version) => `v${version}`).join(' '), whole.format(one.treesTotal), [one.decision, 'words'],
      ]));
    id('settings').textContent = JSON.stringify(model.settings, null, 2);
    drift(model);
  }

  function drift(model) {
    const noticed = model.windows.filter((one) => one.drift);
    id('drift-card').hidden = noticed.length === 0;
    if (noticed.length === 0) {
      return;
    }
    id('drift-note').textContent = `Windows of ${model.name} in which something drifted, and what: small ones are compared several at once. PSI is the population stability index.`;
    fill(id('drift'), ['Window', 'Up to row', 'Alarms', 'Largest PSI', 'What'], noticed
      .filter((one) => one.drift.alarms.length > 0)
      .slice(-MOST_WINDOWS)
      .map((one) => {
        const worst = Math.max(0, ...one.drift.features.map((feature) => feature.psi ?? 0));
        return [String(one.window), whole.format(one.upToRow), whole.format(one.drift.alarms.length),
          [number(worst), worst > 0.25 ? 'number strong' : worst > 0.1 ? 'number some' : 'number'],
          [one.drift.alarms.join(' '), 'words']];
      }));
  }

  id('file').textContent = data.file;
  id('facts').textContent = `${whole.format(data.rows)} rows · labels ${data.delay} ${/^[\d.,=\w]*[a-z]$/.test(String(data.delay)) ? '' : 'rows '}late · ${models.length} ${models.length === 1 ? 'model' : 'models'}`;
  document.title = `Holdfast backtest: ${data.file}`;
  summary();
  const known = Object.keys(models[0].curve.cumulative).filter((name) => !/^(noChange|majority|mean)/.test(name));
  const preferred = ['accuracy', 'rmse', 'loss'].find((name) => known.includes(name));
  choose(id('figure'), known, known, preferred);
  choose(id('stretch'), ['windowed', 'cumulative', 'fading'], [TEXT.windowed, TEXT.cumulative, TEXT.fading], 'windowed');
  choose(id('model'), models.map((_, i) => i), models.map((model) => model.name), 0);
  id('figure').addEventListener('change', draw);
  id('stretch').addEventListener('change', draw);
  id('model').addEventListener('change', windows);
  environments();
  tuning();
  windows();
  draw();
  new ResizeObserver(() => {
    const width = id('curve').clientWidth;
    if (width > 0 && width !== chart.width) {
      chart.setSize({ width, height: 340 });
    }
  }).observe(id('curve'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
