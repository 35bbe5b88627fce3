// The page of a risk-by-shift curve: tables and curves of the JSON that stands in it.

/* global uPlot */
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const models = data.candidates;
  const LINES = 8;
  const DASHES = [[], [9, 4], [2, 3], [9, 3, 2, 3]];
  const four = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
  const whole = new Intl.NumberFormat('en');
  const id = (name) => document.getElementById(name);
  const number = (value) => (value == null ? '–' : four.format(value));
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const charts = [];

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

  function row(cells, kind) {
    const line = element('tr');
    cells.forEach((text, i) => {
      const made = element(kind === 'head' || i === 0 ? 'th' : 'td', text, i > 0 ? 'number' : '');
      if (made.tagName === 'TH') {
        made.scope = kind === 'head' ? 'col' : 'row';
      }
      line.append(made);
    });
    return line;
  }

  function table(figure) {
    const head = element('thead');
    head.append(row(['strength', ...models.map((model) => model.name)], 'head'));
    const body = element('tbody');
    data.strengths.forEach((strength, i) => {
      body.append(row([number(strength), ...models.map((model) => number(model[figure][i]))]));
    });
    id(figure).replaceChildren(head, body);
  }

  const style = (index) => ({
    stroke: () => colour(`--line${index % LINES}`), width: 2, dash: DASHES[Math.floor(index / LINES) % DASHES.length],
  });

  function key(figure) {
    id(`${figure}-key`).replaceChildren(...models.map((model, i) => {
      const item = element('li');
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.setAttribute('width', '28');
      svg.setAttribute('height', '10');
      svg.setAttribute('aria-hidden', 'true');
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      for (const [name, value] of Object.entries({ x1: 0, x2: 28, y1: 5, y2: 5, 'stroke-width': 2 })) {
        line.setAttribute(name, value);
      }
      line.style.stroke = style(i).stroke();
      line.setAttribute('stroke-dasharray', style(i).dash.join(' '));
      svg.append(line);
      item.append(svg, model.name);
      return item;
    }));
  }

  function draw(figure) {
    const place = id(`${figure}-chart`);
    const plot = element('div', undefined, 'plot');
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', 'Loss by strength of the shift; the table below has the figures');
    place.replaceChildren(plot);
    const axis = {
      stroke: () => colour('--muted'), grid: { stroke: () => colour('--line'), width: 1 },
      ticks: { stroke: () => colour('--line'), width: 1, size: 4 }, font: '12px system-ui, sans-serif',
    };
    const order = data.strengths.map((_, i) => i).sort((a, b) => data.strengths[a] - data.strengths[b]);
    charts.push(new uPlot({
      width: Math.max(200, place.clientWidth),
      height: 320,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [
        { ...axis, size: 32, values: (u, ticks) => ticks.map(number) },
        { ...axis, size: 64, values: (u, ticks) => ticks.map(number) },
      ],
      series: [{}, ...models.map((model, i) => ({ ...style(i), label: model.name, points: { show: true, size: 5 } }))],
    }, [order.map((i) => data.strengths[i]), ...models.map((model) => order.map((i) => model[figure][i]))], plot));
  }

  id('facts').textContent = `learned from ${whole.format(data.rows)} rows of ${data.environments} environments under a shift of strength ${number(data.learnedAt)}`;
  id('settings').textContent = JSON.stringify(models.map((model) => ({ name: model.name, versions: model.versions, trees: model.trees, hash: model.hash, settings: model.settings })), null, 2);
  for (const figure of ['worst', 'loss']) {
    table(figure);
    key(figure);
    draw(figure);
  }
  addEventListener('resize', () => charts.forEach((chart) => {
    chart.setSize({ width: Math.max(200, chart.root.parentElement.clientWidth), height: 320 });
  }));
})();
