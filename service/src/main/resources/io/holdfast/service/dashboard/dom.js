// Building and changing the page. What has not changed is left alone, so that screen readers,
// selections and the focus stay where they are.

/** An element; `on…` attributes are listeners, children are nodes or texts, and null is left out. */
export function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (typeof value === 'function') {
      made.addEventListener(name.slice(2), value);
    } else if (name === 'value') {
      made.value = value;
    } else {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Replaces the children if the key, anything that JSON can hold, is another than last time. */
export function keep(node, key, make) {
  const text = JSON.stringify(key);
  if (node.holdsKey !== text) {
    node.holdsKey = text;
    node.replaceChildren(...[make()].flat().filter((child) => child !== null && child !== undefined && child !== false));
  }
}

/** Sets a text if it differs. */
export function say(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** A card with a heading, which names it; `note` is a sentence below. */
export function card(id, title, note, ...children) {
  return h(
    'section',
    { class: 'card', id: `${id}-card`, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    note ? h('p', { class: 'muted' }, note) : null,
    ...children,
  );
}

/**
 * A table that scrolls in itself and is reached by the keyboard.
 *
 * @param columns names; one that begins with '#' is of numbers
 */
export function table(id, label, columns) {
  const body = h('tbody', { id });
  const head = columns.map((name) =>
    h('th', { scope: 'col', class: name.startsWith('#') ? 'number' : null }, name.replace(/^#/, '')));
  const node = h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    h('table', null, h('thead', null, h('tr', null, ...head)), body),
  );
  return { node, body };
}

/** The table behind a chart, which is shown when it is asked for. */
export function behind(id, label, columns) {
  const made = table(id, label, columns);
  return { node: h('details', { class: 'behind' }, h('summary', null, 'Table'), made.node), body: made.body };
}

/** A row whose first cell heads it; a cell is a text, a node, or [content, class]. */
export function row(first, ...cells) {
  return h(
    'tr',
    null,
    part('th', first, { scope: 'row' }),
    ...cells.map((cell) => part('td', cell, {})),
  );
}

function part(tag, cell, attributes) {
  const [content, kind] = Array.isArray(cell) ? cell : [cell, null];
  return h(tag, { ...attributes, class: kind }, content);
}

/** A word with a colour, and a mark for those who do not see colours. */
export function chip(level, word) {
  return h('span', { class: `chip ${level}` }, word);
}

/** What stands where there is nothing yet. */
export function empty(id, sentence) {
  return h('p', { id, class: 'empty' }, sentence);
}

/** Facts as pairs of a name and a text, a note, or a node. */
export function facts(pairs) {
  return h(
    'dl',
    { class: 'facts' },
    ...pairs.filter(Boolean).map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))),
  );
}

/** The points of a line over time in a table, the newest first, about one in ten seconds. */
export function fillTimes(body, [times, values], show) {
  const rows = times.map((time, i) => [time, values[i]]).filter((_, i) => i % 10 === 0).reverse();
  keep(body, rows, () => rows.map(([time, value]) =>
    row(new Date(time * 1000).toLocaleTimeString(undefined, { hour12: false }), [show(value), 'number'])));
}
