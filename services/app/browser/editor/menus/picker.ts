import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { element, type Say } from '../dom.js';

/** An entry to pick. */
export interface PickItem {
  label: string;
  about?: string;
  /** Takes the place of what was typed to find it. */
  pick(view: EditorView, from: number, to: number): void;
}

/** A list that opens while something is typed. */
export interface PickSource {
  /** Names the list. */
  label: string;
  /** The text that is typed before the cursor, and where it begins; null where the list is not wanted. */
  match(state: EditorState, at: number): { from: number; query: string } | null;
  items(query: string, signal: AbortSignal): Promise<PickItem[]> | PickItem[];
}

interface Open {
  source: PickSource;
  from: number;
  query: string;
  items: PickItem[];
  active: number;
}

const listId = 'editor-picks';
const optionId = (at: number) => `editor-pick-${at}`;

/** Shows the list of the first source that wants it, below the cursor. */
class Picker implements PluginValue {
  private open: Open | undefined;
  /** Where a list was closed by hand: it stays so while its beginning is there. */
  private closedAt: number | undefined;
  private asking = new AbortController();
  private isGone = false;
  private readonly list: HTMLElement;
  private readonly status: HTMLElement;

  constructor(
    private readonly view: EditorView,
    private readonly sources: readonly PickSource[],
    private readonly say: Say,
  ) {
    this.list = element('ul', { id: listId, class: 'editor-picks', role: 'listbox', hidden: true });
    this.status = element('div', { class: 'visually-hidden', role: 'status' });
    // A click must not take the cursor out of the text.
    this.list.addEventListener('mousedown', (event) => event.preventDefault());
    this.list.addEventListener('click', ({ target }) => {
      const at = target instanceof Element ? target.closest('[data-at]')?.getAttribute('data-at') : undefined;
      if (at) this.pick(Number(at));
    });
    view.dom.append(this.list, this.status);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged && this.closedAt !== undefined) this.closedAt = update.changes.mapPos(this.closedAt);
    if (update.docChanged || (this.open && update.selectionSet)) this.look(update.docChanged);
    else if (update.geometryChanged && this.open) this.place();
  }

  destroy(): void {
    this.isGone = true;
    this.asking.abort();
    this.list.remove();
    this.status.remove();
  }

  get attributes(): Record<string, string> {
    if (!this.open || this.open.items.length === 0) return {};
    return {
      'aria-haspopup': 'listbox',
      'aria-controls': listId,
      'aria-activedescendant': optionId(this.open.active),
    };
  }

  move(by: number): boolean {
    if (!this.open || this.open.items.length === 0) return false;
    const { length } = this.open.items;
    this.activate((this.open.active + by + length) % length);
    return true;
  }

  pickActive(): boolean {
    return this.open !== undefined && this.open.items.length > 0 && this.pick(this.open.active);
  }

  close(): boolean {
    if (!this.open) return false;
    this.closedAt = this.open.from;
    this.hide();
    return true;
  }

  private look(isTyped: boolean): void {
    const { state } = this.view;
    const { head, empty } = state.selection.main;
    for (const source of empty ? this.sources : []) {
      const found = source.match(state, head);
      if (!found || found.from === this.closedAt) continue;
      if (!isTyped && this.open?.source !== source) continue;
      void this.ask(source, found);
      return;
    }
    this.closedAt = undefined;
    this.hide();
  }

  private async ask(source: PickSource, { from, query }: { from: number; query: string }): Promise<void> {
    if (this.open?.source === source && this.open.query === query && this.open.from === from) return;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const isSame = this.open?.source === source;
    this.open = { source, from, query, items: isSame && this.open ? this.open.items : [], active: 0 };
    const found = source.items(query, signal);
    if (found instanceof Promise && !isSame) this.status.textContent = this.say('searching');
    const items = found instanceof Promise ? await found.catch(() => []) : found;
    if (signal.aborted || !this.open) return;
    this.open = { ...this.open, items, active: 0 };
    this.show();
  }

  private show(): void {
    const { items, source } = this.open as Open;
    this.list.setAttribute('aria-label', source.label);
    const options = items.map(({ label, about }, at) =>
      element(
        'li',
        { id: optionId(at), role: 'option', 'data-at': String(at), 'aria-selected': 'false' },
        element('span', {}, label),
        ...(about ? [element('small', {}, about)] : []),
      ),
    );
    const none = element('li', { class: 'editor-none' }, this.say('nothingFound'));
    this.list.replaceChildren(...(options.length > 0 ? options : [none]));
    this.list.hidden = false;
    this.status.textContent = items.length > 0 ? this.say('found', items.length) : this.say('nothingFound');
    this.activate(0);
    this.place();
  }

  private activate(at: number): void {
    if (!this.open) return;
    this.list.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
    this.open.active = at;
    const option = this.list.children[at];
    if (this.open.items.length > 0) option?.setAttribute('aria-selected', 'true');
    if (option instanceof HTMLElement) this.reveal(option);
    this.refresh();
  }

  /** Scrolls the list alone: the screen stays where it is. */
  private reveal({ offsetTop, offsetHeight }: HTMLElement): void {
    const { scrollTop, clientHeight } = this.list;
    if (offsetTop < scrollTop) this.list.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > scrollTop + clientHeight)
      this.list.scrollTop = offsetTop + offsetHeight - clientHeight;
  }

  private hide(): void {
    this.asking.abort();
    if (!this.open) return;
    this.open = undefined;
    this.list.hidden = true;
    this.list.replaceChildren();
    this.status.textContent = '';
    this.refresh();
  }

  /** Has the attributes of the text made anew, once what goes on has ended. */
  private refresh(): void {
    queueMicrotask(() => {
      if (!this.isGone) this.view.dispatch({});
    });
  }

  private pick(at: number): boolean {
    const item = this.open?.items[at];
    if (!this.open || !item) return false;
    const { from } = this.open;
    this.hide();
    item.pick(this.view, from, this.view.state.selection.main.head);
    this.view.focus();
    return true;
  }

  /** Puts the list below the cursor, or above it where there is more room. */
  private place(): void {
    this.view.requestMeasure({
      key: this,
      read: (view) => {
        if (!this.open) return null;
        const cursor = view.coordsAtPos(this.open.from);
        const own = view.dom.getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.list;
        if (!cursor) return null;
        const isAbove = cursor.bottom + height > innerHeight && cursor.top > height;
        return {
          left: Math.max(0, Math.min(cursor.left - own.left, own.width - width)),
          top: (isAbove ? cursor.top - height : cursor.bottom) - own.top,
        };
      },
      write: (place) => {
        if (!place) return;
        this.list.style.left = `${place.left}px`;
        this.list.style.top = `${place.top}px`;
      },
    });
  }
}

/** Lists that open while something is typed. Arrows choose, Enter or Tab takes, Escape closes. */
export function pickers(sources: readonly PickSource[], say: Say): Extension {
  const plugin = ViewPlugin.define((view) => new Picker(view, sources, say), {
    eventHandlers: {
      blur() {
        this.close();
      },
    },
  });
  const run = (act: (picker: Picker) => boolean) => (view: EditorView) => {
    const picker = view.plugin(plugin);
    return picker ? act(picker) : false;
  };
  return [
    plugin,
    EditorView.contentAttributes.of((view) => view.plugin(plugin)?.attributes ?? null),
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: run((picker) => picker.move(1)) },
        { key: 'ArrowUp', run: run((picker) => picker.move(-1)) },
        { key: 'Enter', run: run((picker) => picker.pickActive()) },
        { key: 'Tab', run: run((picker) => picker.pickActive()) },
        { key: 'Escape', run: run((picker) => picker.close()) },
      ]),
    ),
  ];
}
