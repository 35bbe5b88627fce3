// Which page is shown, and what it is told: the service is asked when its stream of events says that
// something changed, or once a second where there is no stream; a page shows what it said. No state
// but that, and how fast counts grew since the page was opened.

import { ask, NoAnswer } from './api.js';
import { h, keep, say } from './dom.js';
import { ago, dateTime } from './format.js';
import { catchUp, memory, sample } from './memory.js';
import { lettersPage } from './pages/letters.js';
import { modelPage } from './pages/model.js';
import { modelsPage } from './pages/models.js';
import { recordPage } from './pages/record.js';
import { versionsPage } from './pages/versions.js';
import { session, signInPage } from './session.js';

const PERIOD_MILLIS = 1000;
const QUIET_MILLIS = 5000; // lags and times go on though no event comes
const RETRY_MILLIS = 15_000;
const TABS = [
  ['', 'Overview', modelPage],
  ['versions', 'Versions', versionsPage],
  ['record', 'Record', recordPage],
  ['dead-letters', 'Dead letters', lettersPage],
];

const byId = (id) => document.getElementById(id);
let shown = null; // { key, page }
let heard = null; // what the service said last, and when
let timer = null;
let asking = 0;
let wanted = false; // an event came while the service was asked
let stream = null;
let live = false;
let states = new Map(); // by model: the word that was announced last

/** A model's name and a tab, from the address; no name is the page of all models. */
function route() {
  const [, name, tab] = location.hash.split('/');
  try {
    return { name: name ? decodeURIComponent(name) : null, tab: TABS.some(([key]) => key === tab) ? tab : '' };
  } catch {
    return { name: null, tab: '' };
  }
}

async function round() {
  clearTimeout(timer);
  asking++;
  wanted = false;
  try {
    const [status, models] = await Promise.all([ask('api/v1/status'), ask('api/v1/models'), session.look()]);
    models.forEach(sample);
    heard = { status, models, at: Date.now() };
    const { name } = route();
    const model = models.find((candidate) => candidate.name === name);
    if (model) {
      await catchUp(model);
    }
    showStatus(status);
    announce(models);
    show();
    document.body.classList.remove('silent');
    listen();
  } catch (error) {
    if (!(error instanceof NoAnswer)) {
      throw error; // a bug of this page: the console says where
    }
    if (error.status === 401) {
      open('sign-in', () => signInPage(round));
      pill('warn', 'Not signed in');
      notices([], false);
    } else {
      showSilence(error);
    }
  } finally {
    asking--;
    showFreshness();
    clearTimeout(timer);
    timer = setTimeout(round, wanted ? 0 : live || document.hidden ? QUIET_MILLIS : PERIOD_MILLIS);
  }
}

/** Follows the stream of events, if it is not followed yet; what it does not bring is asked for. */
function listen() {
  if (stream !== null) {
    return;
  }
  const mine = new EventSource('api/v1/events');
  stream = mine;
  mine.onmessage = () => {
    live = true;
    if (document.hidden) {
      return;
    }
    if (asking > 0) {
      wanted = true;
    } else {
      round();
    }
  };
  mine.onerror = () => {
    live = false;
    mine.close();
    setTimeout(() => { stream = null; }, RETRY_MILLIS);
    if (asking === 0) {
      round();
    }
  };
}

/** How what is shown comes here; how old it is, if it does not. */
function showFreshness() {
  const silent = document.body.classList.contains('silent');
  say(byId('freshness'), silent ? (heard ? `Stale: as of ${ago(heard.at, Date.now())}` : '')
    : live ? 'Live: follows the service’s events' : 'Asked every second: there is no stream of events');
}

function showSilence(error) {
  document.body.classList.add('silent');
  pill('bad', 'No answer');
  const since = heard ? `What is shown is what it said ${ago(heard.at, Date.now())}.` : 'Is it running, and is this its address?';
  notices([`The service does not answer (${error.message}). ${since}`], true);
}

/** Shows what was heard last, on the page that the address names. */
function show() {
  const { name, tab } = route();
  const { status, models } = heard;
  showModels(models, name);
  const model = models.find((candidate) => candidate.name === name);
  const context = { status, models, model, mine: model ? memory(name) : null, session, again: round };
  if (!name) {
    open('models', () => modelsPage());
    document.title = 'Models · Holdfast';
  } else if (!model) {
    open(`no ${name}`, () => missingPage(name));
    document.title = 'No such model · Holdfast';
  } else {
    const [key, label, make] = TABS.find(([candidate]) => candidate === tab);
    open(`${name}/${key}`, () => framed(model, key, make(context)));
    document.title = key === '' ? `${name} · Holdfast` : `${label} · ${name} · Holdfast`;
  }
  shown.page.update(context);
}

/** Another page, if it is another. */
function open(key, make) {
  if (shown?.key === key) {
    return;
  }
  shown?.page.remove?.();
  shown = { key, page: make() };
  byId('page').replaceChildren(shown.page.node);
  byId('page').removeAttribute('aria-busy');
}

/** A model's page with its name, its state and the tabs. */
function framed(model, tab, inner) {
  const state = h('p', { id: 'state', class: 'state' });
  const serving = h('p', { id: 'serving', class: 'muted' });
  const tabs = TABS.map(([key, label]) =>
    h('a', {
      href: `#/${encodeURIComponent(model.name)}${key ? `/${key}` : ''}`,
      'aria-current': key === tab ? 'page' : null,
    }, label));
  const node = h(
    'div',
    null,
    h('div', { class: 'title' }, h('h1', { id: 'name' }, model.name), serving),
    state,
    h('nav', { class: 'tabs', id: 'tabs', 'aria-label': `Pages of ${model.name}` }, ...tabs),
    inner.node,
  );
  return {
    node,
    remove: () => inner.remove?.(),
    update(context) {
      const now = context.model;
      say(serving, `${now.objectiveText} · records on ${now.topics.records}`);
      const since = context.status.troubles.find((one) => one.model === now.name && one.sentence === now.state.reason)?.since;
      keep(state, [now.state.word, now.state.reason, since], () => [
        h('span', { class: `chip ${now.state.level}` }, now.state.word),
        ' ',
        h('span', { class: 'reason' }, now.state.reason),
        since ? h('span', { class: 'muted' }, ` · since ${dateTime(since)}`) : null,
      ]);
      inner.update(context);
    },
  };
}

function missingPage(name) {
  const node = h(
    'div',
    null,
    h('h1', null, 'No such model'),
    h('p', null, `The configuration has no model ${name}. `, h('a', { href: '#/' }, 'All models')),
  );
  return { node, update() {} };
}

// --- the frame -----------------------------------------------------------------------------------

function showModels(models, name) {
  const all = [{ name: null, label: 'All models' }, ...models.map((model) => ({ name: model.name, label: model.name, level: model.state.level }))];
  keep(byId('models'), [all, name], () =>
    all.map((one) =>
      h('a', {
        href: one.name ? `#/${encodeURIComponent(one.name)}` : '#/',
        'aria-current': one.name === name ? 'page' : null,
        class: one.level,
      }, one.label)));
}

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
  // What is wrong with a model stands at the model.
  notices(status.alive ? status.awaited : status.failures, !status.alive);
}

/** Says, to those who cannot see it, that a model's state is another. */
function announce(models) {
  const before = states;
  states = new Map(models.map((model) => [model.name, model.state.word]));
  const changed = models.filter((model) => before.has(model.name) && before.get(model.name) !== model.state.word);
  if (changed.length > 0) {
    say(byId('announce'), changed.map((model) => `${model.name}: ${model.state.word}`).join('; '));
  }
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
  list.hidden = sentences.length === 0;
  list.classList.toggle('bad', bad);
  keep(list, sentences, () => sentences.map((sentence) => h('li', null, sentence)));
}

addEventListener('visibilitychange', () => {
  if (!document.hidden && asking === 0) {
    round();
  }
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault(); // the address names the page
  byId('main').focus();
});
addEventListener('hashchange', () => {
  byId('main').focus({ preventScroll: true });
  scrollTo(0, 0);
  if (heard) {
    round();
  }
});
round();
