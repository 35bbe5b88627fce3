// What people do about what serves: each with what it would change, and a reason.

import { ask, NoAnswer, ofModel } from '../api.js';
import { h, keep, say } from '../dom.js';
import { loss } from '../format.js';

const ACTIONS = {
  rollback: ['Roll back', (version) => `Roll back to version ${version}`],
  pin: ['Pin', (version) => `Pin version ${version}`],
  unpin: ['Unpin', () => 'Let training change what serves again'],
  shadow: ['Shadow', (version) => (version === null ? 'End the shadow' : `Let version ${version} shadow what serves`)],
  rung: ['Put in force', (gamma) => `Put gamma ${loss(gamma)} in force`],
  promote: ['Promote', (version) => `Promote version ${version}`],
};

/** The gammas of a ladder, each a button where it may be put in force. */
export function rungs(ladder, inForce, model, session, again) {
  return h('span', { class: 'ladder' }, ...ladder.map((gamma) => (gamma === inForce || !session.secured
    ? h('span', { class: gamma === inForce ? 'rung on' : 'rung' }, loss(gamma))
    : h('button', { type: 'button', class: 'rung', 'data-action': 'rung', onclick: () => open('rung', gamma, model.name, session, again) }, loss(gamma)))));
}

/** Buttons of what can be done with a version; nothing where the service takes no actions. */
export function actionBar(version, model, session, again) {
  if (!session.secured || !model.head) {
    return null;
  }
  const { head } = model;
  const possible = version === head.version
    ? [head.pinned ? ['unpin', null] : ['pin', version]]
    : [
      version < head.version ? ['rollback', version] : ['promote', version],
      ['pin', version],
      head.shadowVersion === version ? ['shadow', null] : ['shadow', version],
    ];
  return h('p', { class: 'actions' }, ...possible.map(([action, number]) =>
    h('button', {
      type: 'button',
      'aria-label': ACTIONS[action][1](number),
      'data-action': action,
      onclick: () => open(action, number, model.name, session, again),
    }, action === 'shadow' && number === null ? 'End shadow' : ACTIONS[action][0])));
}

function open(action, version, name, session, again) {
  const body = action === 'rung' ? { gamma: version } : version === null && action !== 'shadow' ? {} : { version };
  decide({
    title: ACTIONS[action][1](version),
    label: ACTIONS[action][0],
    note: `Model ${name}. ${session.lacks('operator') ?? `It is kept with the head that you, ${session.name}, did it.`}`,
    preview: async () => (await ask(ofModel(name, `${action}?dryRun=true`), body)).changes,
    send: async (why) => {
      await ask(ofModel(name, action), { ...body, why });
      again();
    },
  });
}

/**
 * A dialog in which somebody sees what would change, and says why it is to.
 *
 * @param preview gives what would change, a sentence each
 * @param send does it, given the reason
 */
export function decide({ title, label, note, preview, send }) {
  const changes = h('div', { id: 'preview', 'aria-live': 'polite' }, h('p', { class: 'muted' }, 'Asking what it would change…'));
  const why = h('textarea', { id: 'why', name: 'why', rows: 3, maxlength: 1000, required: true });
  const problem = h('p', { class: 'worse', role: 'alert', id: 'action-problem' });
  const confirm = h('button', { class: 'primary', id: 'confirm' }, label);
  const submit = async (event) => {
    event.preventDefault();
    confirm.disabled = true;
    say(problem, '');
    try {
      await send(why.value);
      dialog.close();
    } catch (error) {
      say(problem, sentence(error));
    } finally {
      confirm.disabled = false;
    }
  };
  const dialog = h(
    'dialog',
    { id: 'action', 'aria-labelledby': 'action-title', onclose: () => dialog.remove() },
    h(
      'form',
      { onsubmit: submit },
      h('h2', { id: 'action-title' }, title),
      h('p', { class: 'muted' }, note),
      changes,
      h('label', { for: 'why' }, 'Why (it is kept)'),
      why,
      problem,
      h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), confirm),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  show(changes, preview);
}

async function show(box, preview) {
  try {
    const lines = await preview();
    keep(box, lines, () => (lines.length === 0 ? h('p', null, 'It would change nothing.')
      : [h('p', null, 'It would change:'), h('ul', null, ...lines.map((line) => h('li', null, line)))]));
  } catch (error) {
    keep(box, error.message, () => h('p', { class: 'worse' }, sentence(error)));
  }
}

/** What the service said; anything else is a bug of this page. */
function sentence(error) {
  if (!(error instanceof NoAnswer)) {
    throw error;
  }
  return error.message;
}
