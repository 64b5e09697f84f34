import type { InlineNode } from '../../document/document-model.js';
import { marks } from '../marks.js';
import { childrenOf, fragmentNodes, lineOfText } from '../read-data.js';
import { type Child, newName, type Rendering, renderDeeper, renderUnlisted } from '../rendering.js';

const maxLabel = 20;

/** Annotated text with a button that opens its note. The notes stand at the end of the body, which print shows. */
export function renderAnnotation(rendering: Rendering, node: InlineNode, inside: Child[]): Child {
  const number = rendering.notes.length + 1;
  const id = newName(rendering, 'note');
  const note = { id, number, content: null as Child };
  rendering.notes.push(note);
  note.content = renderDeeper<Child[]>(rendering, [], () =>
    renderUnlisted(rendering, () => rendering.renderBlocks(rendering, fragmentNodes(node, 'annotation-body'))),
  );
  const label = lineOfText(childrenOf(node), maxLabel);
  const isNumber = label === '' || /^\d{1,3}$/.test(label);
  if (isNumber && label !== '') note.number = Number(label);
  const shown = String(note.number);
  const button = rendering.inLink ? (
    <sup class="note-mark">{shown}</sup>
  ) : (
    <button type="button" class="note-mark" popovertarget={id} aria-describedby={id}>
      {shown}
    </button>
  );
  return isNumber ? button : [<span class="noted">{inside}</span>, button];
}

export function renderNotes({ notes }: Rendering): Child {
  if (notes.length === 0) return null;
  return (
    <section class="notes" aria-label={marks.word('footnotes')}>
      <ol>
        {notes.map(({ id, number, content }) => (
          <li value={number}>
            <div class="note" id={id} popover="auto">
              {content}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
