import type { EditorView, ViewUpdate } from '@codemirror/view';
import type { EditorWord } from '../../sources/editor-setup.js';
import { type FieldValue, type FrontMatter, maxFrontMatter, openFrontMatter } from '../../sources/front-matter.js';
import { element, type Say } from './dom.js';

/** Characters of which front matter is read: one more says whether there are others. */
const maxHead = maxFrontMatter + 1;

interface FieldOptions {
  path: string[];
  word: EditorWord;
}
const texts: (FieldOptions & { max: number; isLong?: true })[] = [
  { path: ['title'], word: 'title', max: 255 },
  { path: ['description'], word: 'description', max: 2000, isLong: true },
  { path: ['icon'], word: 'icon', max: 50 },
  { path: ['cover'], word: 'cover', max: 2000 },
];
/** Boxes that are ticked where nothing is written, or not. */
const boxes: (FieldOptions & { byDefault: boolean; on: FieldValue; off: FieldValue })[] = [
  { path: ['hidden'], word: 'hidden', byDefault: false, on: true, off: null },
  { path: ['layout', 'width'], word: 'wide', byDefault: false, on: 'wide', off: null },
  ...(
    [
      ['cover', 'showCover'],
      ['title', 'showTitle'],
      ['description', 'showDescription'],
      ['tableOfContents', 'showTableOfContents'],
      ['outline', 'showOutline'],
      ['pagination', 'showPagination'],
      ['metadata', 'showMetadata'],
    ] as const
  ).map(([name, word]) => ({ path: ['layout', name, 'visible'], word, byDefault: true, on: true, off: false })),
];

interface Field {
  input: HTMLInputElement | HTMLTextAreaElement;
  show(front: FrontMatter): void;
}

/** The front matter as a form: it changes the lines of the fields that are changed in it, and no other. */
export class PageSettings {
  readonly root: HTMLElement;
  private readonly fields: Field[];

  constructor(
    private readonly view: EditorView,
    private readonly say: Say,
  ) {
    this.fields = [...texts.map((field) => this.textField(field)), ...boxes.map((field) => this.boxField(field))];
    const [lines, ticks] = [this.fields.slice(0, texts.length), this.fields.slice(texts.length)];
    this.root = element(
      'div',
      { class: 'editor-settings' },
      ...lines.map(({ input }) => input.closest('label') as HTMLElement),
      element('div', { class: 'editor-switches' }, ...ticks.map(({ input }) => input.closest('label') as HTMLElement)),
    );
    this.show();
  }

  /** Shows what was typed in the text. */
  update({ docChanged, changes }: ViewUpdate): void {
    if (docChanged && changes.touchesRange(0, maxHead)) this.show();
  }

  private get front(): FrontMatter {
    return openFrontMatter(this.view.state.sliceDoc(0, maxHead));
  }

  private show(): void {
    const front = this.front;
    for (const field of this.fields) field.show(front);
  }

  private change(path: readonly string[], value: FieldValue): void {
    const change = this.front.change(path, value);
    if (change) this.view.dispatch({ changes: change, userEvent: 'input' });
  }

  private textField({ path, word, max, isLong }: (typeof texts)[number]): Field {
    const input = isLong
      ? element('textarea', { rows: '2', maxlength: String(max) })
      : element('input', { type: 'text', maxlength: String(max) });
    element('label', {}, element('span', {}, this.say(word)), input);
    input.addEventListener('input', () => this.change(path, input.value === '' ? null : input.value));
    const show = (front: FrontMatter) => {
      const value = front.read(path);
      this.setReadable(input, value !== undefined);
      const text = typeof value === 'boolean' ? String(value) : (value ?? '');
      if (input.value !== text && document.activeElement !== input) input.value = text;
    };
    return { input, show };
  }

  private boxField({ path, word, byDefault, on, off }: (typeof boxes)[number]): Field {
    const input = element('input', { type: 'checkbox' });
    element('label', {}, input, element('span', {}, this.say(word)));
    input.addEventListener('change', () => {
      const isWritten = this.front.read(path) !== null;
      // What is so anyway need not be written.
      if (isWritten || input.checked !== byDefault) this.change(path, input.checked ? on : off);
    });
    const show = (front: FrontMatter) => {
      const value = front.read(path);
      this.setReadable(input, value !== undefined);
      input.checked = value === null || value === undefined ? byDefault : value === on;
    };
    return { input, show };
  }

  private setReadable(input: HTMLInputElement | HTMLTextAreaElement, isReadable: boolean): void {
    input.disabled = !isReadable;
    input.title = isReadable ? '' : this.say('inText');
  }
}
