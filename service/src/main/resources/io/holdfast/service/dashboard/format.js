// Numbers, times and words as people read them.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const four = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const NONE = '–';

export function count(value) {
  return whole.format(value);
}

export function rate(value) {
  return value >= 100 ? whole.format(value) : three.format(value);
}

export function loss(value) {
  return value == null ? NONE : four.format(value);
}

/** How far a loss is above the constant model's; null if one of them is not known. */
export function difference(served, constant) {
  return served == null || constant == null ? null : served - constant;
}

/** The size of that: a share of the constant's, or as it is where losses go below 0 and shares mean nothing. */
export function differenceSize(served, constant) {
  const size = Math.abs(served - constant);
  return served >= 0 && constant > 0 ? share(size / constant) : loss(size);
}

/** Figures by name, such as metrics. */
export function figures(values) {
  const known = Object.entries(values).filter(([, value]) => value !== null);
  return known.length === 0 ? NONE : known.map(([name, value]) => `${name} ${loss(value)}`).join(' · ');
}

export function share(value) {
  return percent.format(Math.abs(value));
}

export function dateTime(iso) {
  return clock.format(new Date(iso));
}

export function seconds(value) {
  return value < 5400 ? `${whole.format(value)} s` : `${whole.format(value / 3600)} h`;
}

export function ago(iso, now) {
  const seconds = Math.max(0, (now - new Date(iso).getTime()) / 1000);
  if (seconds < 90) {
    return `${Math.round(seconds)} s ago`;
  }
  if (seconds < 5400) {
    return `${Math.round(seconds / 60)} min ago`;
  }
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86400)} days ago`;
}

export function shortHash(hash) {
  return hash == null ? NONE : hash.slice(0, 10);
}

export function sum(counts) {
  return Object.values(counts).reduce((total, value) => total + value, 0);
}

export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A share of something as a percentage with its sign, such as −12%. */
export function excess(served, constant) {
  const far = difference(served, constant);
  return far === null ? NONE : (far <= 0 ? '−' : '+') + differenceSize(served, constant);
}

/** A name of an environment; that of rows without one is empty. */
export function environment(name) {
  return name === '' ? '(none)' : name;
}

export function signed(value) {
  return value < 0 ? `−${four.format(-value)}` : `+${four.format(value)}`;
}

export function part(value) {
  return value == null ? NONE : percent.format(value);
}
