// Who asks. A service without security knows nobody: it lets everybody read and nobody act.

import { ask, NoAnswer } from './api.js';
import { h, keep, say } from './dom.js';

const PATH = 'api/v1/session';
const LOOK_MILLIS = 30_000;
const ROLES = ['viewer', 'operator', 'admin'];

export const session = {
  secured: false,
  name: null,
  role: null,
  looked: 0,

  /** Asks now and then. */
  async look(now) {
    if (now || Date.now() - this.looked > LOOK_MILLIS) {
      this.looked = Date.now();
      try {
        this.take(await ask(PATH));
      } catch (error) {
        if (!(error instanceof NoAnswer)) {
          throw error;
        }
      }
    }
  },

  take({ secured, name, role }) {
    Object.assign(this, { secured, name, role });
    show();
  },

  /** Why somebody in that role is needed and is not here, in a sentence; null if that is as it should be. */
  lacks(role) {
    if (!this.secured) {
      return 'This service takes no actions over HTTP, since holdfast.security is not set: use holdfast models on the command line.';
    }
    if (ROLES.indexOf(this.role) < ROLES.indexOf(role)) {
      return this.name
        ? `You are signed in as ${this.name}, a ${this.role}: the service will refuse what needs the role ${role}.`
        : `You are not signed in: the service will refuse what needs the role ${role}.`;
    }
    return null;
  },
};

function show() {
  const box = document.getElementById('session');
  keep(box, [session.secured, session.name, session.role], () => {
    if (!session.secured) {
      return [];
    }
    return session.name
      ? [h('span', { class: 'muted' }, `${session.name} (${session.role})`), h('button', { type: 'button', onclick: leave }, 'Sign out')]
      : [h('button', { type: 'button', onclick: signIn }, 'Sign in')];
  });
}

async function leave() {
  session.take(await ask(`${PATH}/end`, {}));
}

function signIn() {
  const page = signInPage(() => dialog.close());
  const dialog = h('dialog', { 'aria-label': 'Sign in', onclose: () => dialog.remove() }, page.node);
  document.body.append(dialog);
  dialog.showModal();
}

/** A form that takes a token; `then` is called when it was accepted. */
export function signInPage(then) {
  const token = h('input', { type: 'password', id: 'token', name: 'token', autocomplete: 'current-password', required: true });
  const problem = h('p', { class: 'worse', role: 'alert' });
  const submit = async (event) => {
    event.preventDefault();
    try {
      session.take(await ask(PATH, { token: token.value }));
      token.value = '';
      then();
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        throw error;
      }
      say(problem, error.message);
    }
  };
  const form = h(
    'form',
    { class: 'sign-in', onsubmit: submit },
    h('h1', null, 'Sign in'),
    h('p', { class: 'muted' }, 'With a token that the configuration of this service knows.'),
    h('label', { for: 'token' }, 'Token'),
    token,
    problem,
    h('button', { class: 'primary' }, 'Sign in'),
  );
  return { node: form, update() {} };
}
