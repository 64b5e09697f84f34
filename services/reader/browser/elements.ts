import { word } from './page-facts.js';

type Attributes = Record<string, string | boolean | undefined>;

/** Makes an element; texts stay texts. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  made.append(...content);
  return made;
}

export const all = <E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
];

/** Calls for every click on such an element, also on those that come later. */
export function onClick(selector: string, act: (clicked: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener('click', (event) => {
    const clicked = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
    if (clicked) act(clicked, event);
  });
}

/** Reads what the browser keeps; null where it keeps nothing for us. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

const shownMs = 2000;
let toast: HTMLElement | undefined;
let hiding = 0;

/** Shows a short note, and says it to screen readers. */
export function say(text: string): void {
  if (!toast) {
    toast = element('div', { class: 'toast', role: 'status' });
    document.body.append(toast);
  }
  toast.textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => toast?.replaceChildren(), shownMs);
}

/** A `dialog` with a button that closes it; a click beside its content closes it, too. */
export function openDialog(className: string, label: string, ...content: Node[]): HTMLDialogElement {
  const close = element('button', { type: 'button', class: 'icon-button', 'aria-label': word('close') }, '✕');
  const dialog = element('dialog', { class: className, 'aria-label': label }, ...content, close);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
