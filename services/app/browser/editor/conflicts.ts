import { type Choice, type Conflict, settle } from '../../sources/choices.js';
import { element, type Say } from './dom.js';

interface Settling {
  merged: string;
  conflicts: readonly Conflict[];
  lead: string;
}

/** Asks the writer what to take of each place that others changed as well; undefined where the writer goes back to the text. */
export function askForChoices(say: Say, { merged, conflicts, lead }: Settling): Promise<string | undefined> {
  const places = conflicts.map((conflict, at) => placeOf(say, conflict, { at, count: conflicts.length }));
  const cancel = element('button', { type: 'button', class: 'button' }, say('cancel'));
  const apply = element('button', { type: 'submit', class: 'button primary' }, say('apply'));
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', { id: 'editor-conflicts' }, say('conflicts')),
    element('p', {}, lead),
    ...places,
    element('div', { class: 'actions' }, apply, cancel),
  );
  const dialog = element('dialog', { class: 'editor-conflicts', 'aria-labelledby': 'editor-conflicts' }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    form.addEventListener('submit', () => {
      const choices = places.map((place) => place.querySelector<HTMLInputElement>('input:checked')?.value as Choice);
      resolve(settle(merged, conflicts, choices));
    });
    cancel.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(undefined);
    });
    dialog.showModal();
  });
}

function placeOf(
  say: Say,
  { base, mine, theirs }: Conflict,
  { at, count }: { at: number; count: number },
): HTMLFieldSetElement {
  const text = (title: string, content: string) =>
    element(
      'div',
      {},
      element('h3', {}, title),
      content === ''
        ? element('p', { class: 'hint-text' }, say('nothing'))
        : element('pre', { tabindex: '0' }, content),
    );
  const choice = (value: Choice, label: string) =>
    element(
      'label',
      {},
      element('input', { type: 'radio', name: `place-${at}`, value, checked: value === 'mine' }),
      ` ${label}`,
    );
  return element(
    'fieldset',
    {},
    element('legend', {}, say('place', at + 1, count)),
    element('div', { class: 'editor-sides' }, text(say('mine'), mine), text(say('theirs'), theirs)),
    element('details', {}, element('summary', {}, say('before')), text('', base)),
    element(
      'p',
      { class: 'actions' },
      choice('mine', say('useMine')),
      choice('theirs', say('useTheirs')),
      choice('both', say('useBoth')),
    ),
  );
}
