// Line charts with uPlot: colours from the style sheet, the width of their container, and a line of
// text that says what the pointer or the arrow keys are on.

/* global uPlot */

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/* Strokes differ in dashes too: colour alone tells some people nothing. */
const STROKES = {
  served: () => ({ stroke: () => colour('--accent'), width: 2 }),
  constant: () => ({ stroke: () => colour('--constant'), width: 1.5, dash: [5, 4] }),
  low: () => ({ stroke: () => colour('--mark'), width: 1 }),
  high: () => ({ stroke: () => colour('--mark'), width: 1 }),
};

const LEAST_SECONDS = 60;
const CLOSE = 12;
const WHOLE = { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] };
const TIMES = {
  incrs: [1, 5, 10, 15, 30, 60, 120, 300],
  space: 80,
  values: (u, ticks) => ticks.map((seconds) => clock(seconds)),
};

export class LineChart {
  /**
   * @param place where the chart goes
   * @param lines names of the lines, each 'served' or 'constant', or 'low' and 'high', between which is a band
   * @param options height; time, whether x is a time; zero, whether y begins at 0; logarithmic,
   *   whether y is; describe, what to say of the point at an index; label, what a screen reader
   *   calls it; unit and x, what the axes are called; bounds, which gives the least and the
   *   greatest of all charts that share a scale; marks, which gives what happened at an x
   */
  constructor(place, lines, options) {
    this.describe = options.describe;
    this.data = [[], ...lines.map(() => [])];
    this.plot = document.createElement('div');
    this.plot.className = 'plot';
    this.plot.tabIndex = 0;
    this.plot.setAttribute('role', 'img');
    this.plot.setAttribute('aria-label', options.label);
    this.readout = document.createElement('p');
    this.readout.className = 'readout';
    place.append(this.plot, this.readout);

    const axis = {
      stroke: () => colour('--muted'),
      grid: { stroke: () => colour('--line'), width: 1 },
      ticks: { stroke: () => colour('--line'), width: 1, size: 4 },
      font: '12px system-ui, sans-serif',
    };
    this.chart = new uPlot(
      {
        width: Math.max(200, place.clientWidth),
        height: options.height,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        scales: {
          x: options.time
            ? { time: true, range: (u, min, max) => (max == null ? [0, LEAST_SECONDS] : [Math.min(min, max - LEAST_SECONDS), max]) }
            : { time: false },
          y: options.logarithmic
            ? { distr: 3, range: (u, min, max) => decades(...(options.bounds?.() ?? [min, max])) }
            : { range: (u, min, max) => range(...(options.bounds?.() ?? [min, max]), options.zero) },
        },
        axes: [
          { ...axis, size: 28, ...(options.x ? named(options.x) : {}), ...(options.time ? TIMES : WHOLE) },
          {
            ...axis,
            size: 56,
            ...(options.unit ? named(options.unit) : {}),
            values: (u, ticks) => ticks.map(tick),
            ...(options.logarithmic ? { grid: { ...axis.grid, filter: (u, ticks) => ticks.map(rounds) } } : {}),
          },
        ],
        series: [{}, ...lines.map((line) => ({ ...STROKES[line](), spanGaps: true, points: { size: 5 } }))],
        bands: lines.includes('low') ? [{ series: [lines.indexOf('high') + 1, lines.indexOf('low') + 1], fill: () => colour('--line') }] : [],
        hooks: {
          setCursor: [(u) => this.say(u.cursor.idx)],
          drawClear: [(u) => mark(u, options.marks?.() ?? [])],
        },
      },
      this.data,
      this.plot,
    );
    this.observer = new ResizeObserver(() => this.resize(place, options.height));
    this.observer.observe(place);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.redraw = () => this.chart.redraw();
    this.scheme.addEventListener('change', this.redraw);
    this.plot.addEventListener('keydown', (event) => this.step(event));
    this.plot.addEventListener('blur', () => this.leave());
  }

  /** Lets go of what the chart listens to. */
  remove() {
    this.observer.disconnect();
    this.scheme.removeEventListener('change', this.redraw);
    this.chart.destroy();
  }

  set(data) {
    this.data = data;
    this.plot.shows = data; // for whoever wants to know, such as tests
    this.chart.setData(data);
    if (this.chart.cursor.idx == null) {
      this.say(null);
    }
  }

  say(index) {
    const last = this.data[0].length - 1;
    const text = last < 0 ? '' : this.describe(index ?? last);
    if (this.readout.textContent !== text) {
      this.readout.textContent = text;
    }
  }

  resize(place, height) {
    const width = place.clientWidth;
    if (width > 0 && width !== this.chart.width) {
      this.chart.setSize({ width, height });
    }
  }

  step(event) {
    const last = this.data[0].length - 1;
    const at = this.chart.cursor.idx ?? last;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) {
      return;
    }
    event.preventDefault();
    const index = Math.min(last, Math.max(0, to));
    this.readout.setAttribute('aria-live', 'polite');
    this.chart.setCursor({ left: this.chart.valToPos(this.data[0][index], 'x'), top: 0 });
  }

  leave() {
    this.readout.removeAttribute('aria-live');
    this.chart.setCursor({ left: -10, top: -10 });
  }
}

function named(label) {
  return { label, labelSize: 20, labelGap: 2, labelFont: '12px system-ui, sans-serif' };
}

/** Thin lines where something happened, named as far as there is room before the next. */
function mark(u, marks) {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const lines = [];
  for (const { x, text } of marks) {
    const at = Math.round(u.valToPos(x, 'x', true)) + 0.5;
    // Where each window has another version, lines would be a grey field.
    if (at >= bbox.left && at <= bbox.left + bbox.width && at - (lines.at(-1)?.at ?? -Infinity) >= CLOSE * ratio) {
      lines.push({ at, text });
    }
  }
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.fillStyle = colour('--muted');
  ctx.strokeStyle = colour('--mark');
  ctx.lineWidth = ratio;
  lines.forEach(({ at, text }, i) => {
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    const end = lines[i + 1]?.at ?? bbox.left + bbox.width;
    if (at + ctx.measureText(text).width + 6 * ratio < end) {
      ctx.fillText(text, at + 3 * ratio, bbox.top + 10 * ratio);
    }
  });
  ctx.restore();
}

/** Room above and below the lines; a flat line is in the middle. */
function range(min, max, zero) {
  if (min == null || max == null) {
    return [0, 1];
  }
  const room = max > min ? (max - min) * 0.12 : Math.abs(max) * 0.1 || 1;
  const low = zero ? 0 : min - room;
  return [min >= 0 ? Math.max(0, low) : low, max + room];
}

/** From the 1, 2 or 5 of a decade below to the one above. */
function decades(min, max) {
  if (!(min > 0)) {
    return [0.1, 1];
  }
  const steps = (value) => {
    const decade = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10, 20].map((step) => step * decade);
  };
  const low = steps(min).findLast((step) => step <= min * (1 + 1e-9)) ?? min;
  return [low, steps(max).find((step) => step > max) ?? max];
}

/** Of a logarithmic axis' lines, the 1, 2 and 5 of each decade; the rest would be a grey field. */
function rounds(value) {
  const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
  return [1, 2, 5, 10].includes(digit) ? value : null;
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString(undefined, { hour12: false });
}

function tick(value) {
  if (value == null) {
    return '';
  }
  return Math.abs(value) >= 100000 || (value !== 0 && Math.abs(value) < 0.001)
    ? value.toExponential(1)
    : String(Number(value.toPrecision(6)));
}
