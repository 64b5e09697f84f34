import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

/** Stands in the text for something that is on its way. */
class PendingWidget extends WidgetType {
  constructor(
    readonly id: number,
    private readonly label: string,
  ) {
    super();
  }
  override eq(other: PendingWidget): boolean {
    return other.id === this.id;
  }
  toDOM(): HTMLElement {
    const made = document.createElement('span');
    made.className = 'editor-pending';
    made.textContent = this.label;
    return made;
  }
}

const add = StateEffect.define<{ at: number; widget: PendingWidget }>({
  map: ({ at, widget }, changes) => ({ at: changes.mapPos(at), widget }),
});
const remove = StateEffect.define<number>();

const pendings = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    let set = before.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(add)) {
        const { at, widget } = effect.value;
        set = set.update({ add: [Decoration.widget({ widget, side: 1 }).range(at)] });
      } else if (effect.is(remove)) set = set.update({ filter: (_, __, { spec }) => spec.widget.id !== effect.value });
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const pendingInsertions: Extension = pendings;

let count = 0;

/** A place that a text will be inserted at, whatever is typed meanwhile. */
export interface Pending {
  /** Inserts a text; a block stands on lines of its own. */
  finish(text: string, isBlock?: boolean): void;
  drop(): void;
}

export function insertLater(view: EditorView, at: number, label: string): Pending {
  count += 1;
  const id = count;
  view.dispatch({ effects: add.of({ at, widget: new PendingWidget(id, label) }) });
  const place = (): number | undefined => {
    for (const cursor = view.state.field(pendings).iter(); cursor.value; cursor.next())
      if (cursor.value.spec.widget.id === id) return cursor.from;
    return undefined;
  };
  return {
    finish(text, isBlock = false) {
      const from = place();
      if (from === undefined) return;
      const insert = isBlock ? asBlock(view, from, text) : text;
      const { main } = view.state.selection;
      // Whoever waited goes on behind it.
      const isThere = main.empty && main.head === from;
      view.dispatch({
        changes: { from, insert },
        ...(isThere ? { selection: { anchor: from + insert.length } } : {}),
        effects: remove.of(id),
        userEvent: 'input.paste',
        scrollIntoView: true,
      });
    },
    drop: () => view.dispatch({ effects: remove.of(id) }),
  };
}

/** A text with the line ends around it that it needs to stand alone. */
function asBlock({ state }: EditorView, at: number, text: string): string {
  const line = state.doc.lineAt(at);
  const before = state.sliceDoc(line.from, at).trim() === '' ? '' : '\n\n';
  const after = state.sliceDoc(at, line.to).trim() === '' ? '' : '\n\n';
  return `${before}${text}${after}`;
}
