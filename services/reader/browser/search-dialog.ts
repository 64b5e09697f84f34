import { all, element, onClick, openDialog } from './elements.js';
import { report } from './insights.js';
import { facts, word } from './page-facts.js';
import { splitAtWords } from './query-words.js';
import { type Found, search } from './search-requests.js';

const waitMs = 120;

const highlighted = (text: string, query: string): (Node | string)[] =>
  splitAtWords(text, query).map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part));

const schemes = /^(?:https?:|\/|[^:]*$)/i;

/** A page that an option leads to, as reports name it. */
interface Opened {
  spaceId: string;
  pageId: string;
}
const pages = new WeakMap<Element, Opened>();

/** The results as options, those within a page below it. */
function optionsOf({ results }: Found, query: string): HTMLElement[] {
  const option = (hit: { title: string; href: string; body?: string; crumbs?: string[] }, className?: string) => {
    const content = highlighted(hit.title, query);
    if (hit.crumbs?.length) content.push(element('small', {}, word('resultIn', hit.crumbs.join(' › '))));
    if (hit.body) content.push(element('small', {}, ...highlighted(hit.body, query)));
    const href = schemes.test(hit.href) ? hit.href : undefined;
    return element(
      'a',
      { role: 'option', href, class: className, tabindex: '-1', 'aria-selected': 'false' },
      ...content,
    );
  };
  const options = results.flatMap((hit) => {
    const made = [option(hit), ...hit.sections.map((section) => option(section, 'inner'))];
    for (const each of made) pages.set(each, { spaceId: hit.spaceId, pageId: hit.pageId });
    return made;
  });
  for (const [at, each] of options.entries()) each.id = `page:option-${at}`;
  return options;
}

const key = (name: string, text: string) => element('span', {}, element('kbd', {}, name), text);

function scopeField(): HTMLElement {
  const choice = (value: string, title: string, checked: boolean) =>
    element('label', {}, element('input', { type: 'radio', name: 'scope', value, checked }), ` ${title}`);
  const legend = element('legend', { class: 'visually-hidden' }, word('search'));
  const choices = [choice('site', word('searchScopeSite'), true), choice('section', word('searchScopeSection'), false)];
  return element('fieldset', { class: 'scopes' }, legend, ...choices);
}

function makeParts() {
  const input = element('input', {
    type: 'search',
    name: 'q',
    role: 'combobox',
    autocomplete: 'off',
    'aria-label': word('search'),
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'page:options',
    placeholder: word('searchPlaceholder'),
  });
  const form = element('form', { action: `${facts.base}~search` }, input);
  const scopes = facts.scopes ? [scopeField()] : [];
  const list = element('div', { class: 'found', id: 'page:options', role: 'listbox', 'aria-label': word('search') });
  const said = element('p', { class: 'said', role: 'status' });
  const keys = element('p', { class: 'keys', 'aria-hidden': 'true' });
  keys.append(key('↑↓', word('keyNavigate')), key('↵', word('keySelect')), key('Esc', word('keyClose')));
  return { input, form, scopes, list, said, keys };
}

/** Opens the search, with a text that was already written. */
function open(text = ''): void {
  if (document.querySelector('dialog[open]')) return;
  const { input, form, scopes, list, said, keys } = makeParts();
  let options: HTMLElement[] = [];
  let active = -1;
  let waiting = 0;
  let asked = 0;
  let isReported = false;

  const activate = (at: number) => {
    options[active]?.setAttribute('aria-selected', 'false');
    active = options.length === 0 ? -1 : (at + options.length) % options.length;
    const option = options[active];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = (shown: HTMLElement[], note: string) => {
    options = shown;
    list.replaceChildren(...shown);
    input.setAttribute('aria-expanded', String(shown.length > 0));
    said.textContent = note;
    activate(0);
  };
  const ask = async () => {
    const query = input.value.trim();
    asked += 1;
    const turn = asked;
    if (query === '') return show([], '');
    if (options.length === 0) said.textContent = word('loading');
    const scope = all<HTMLInputElement>('input:checked', dialog)[0]?.value ?? 'site';
    const found = await search(query, scope);
    if (turn !== asked) return;
    if (found === 'failed') show([], word('searchFailed'));
    else if (found.results.length === 0) show([], word('noResults', query));
    else show(optionsOf(found, query), word('results', found.results.length + (found.isCut ? '+' : '')));
  };

  /** The query as it is left: what was typed on the way there is no search of its own. */
  const reportQuery = () => {
    const query = input.value.trim();
    if (query !== '' && !isReported) report('search_type_query', { query });
    isReported = true;
  };

  const dialog = openDialog('search-dialog', word('search'), form, ...scopes, list, said, keys);
  const close = dialog.lastElementChild;
  if (close) form.append(close);
  dialog.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, waitMs);
  });
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) activate(active + step);
    // Fields for searching would only be emptied by it.
    else if (event.key === 'Escape') dialog.close();
    else if (event.key === 'Enter' && options[active]) options[active]?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest('a') : null;
    if (!option) return;
    reportQuery();
    report('search_open_result', { query: input.value.trim(), result: pages.get(option) });
    dialog.close();
  });
  // The page of results reports its query itself.
  form.addEventListener('submit', () => {
    isReported = true;
  });
  dialog.addEventListener('close', reportQuery);
  input.value = text;
  input.focus();
  if (text !== '') void ask();
  report('search_open');
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The search opens by `/`, by Ctrl or Cmd and K, and from the field and the button of the header. */
export function startSearch(): void {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  for (const hint of all('[data-search-key]')) hint.textContent = isMac ? '⌘ K' : 'Ctrl K';
  document.addEventListener('keydown', (event) => {
    const withK =
      event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isField(event.target);
    if (!withK && !slash) return;
    event.preventDefault();
    open();
  });
  onClick('.search-link, .search-form', (_, event) => {
    event.preventDefault();
    open();
  });
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.search-form')) return;
    open(target.value);
    target.value = '';
  });
}
