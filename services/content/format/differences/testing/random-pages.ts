import fc from 'fast-check';

/** A block of a page as an author writes it. */
type Written =
  | { kind: 'paragraph' | 'heading' | 'quote'; words: string[] }
  | { kind: 'code'; words: string[] }
  | { kind: 'list' | 'tasks' | 'steps'; items: Item[] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'hint' | 'details'; style: number; blocks: Written[] }
  | { kind: 'tabs'; tabs: { title: string; blocks: Written[] }[] }
  | { kind: 'image'; words: string[]; file: number };

interface Item {
  words: string[];
  below: Item[];
}

const vocabulary = [
  ...'install the server with your token and open a page of docs then read what it says about keys'.split(' '),
  ...['**bold**', '*slanted text*', '`code`', '[a link](a.md)', '[away](https://a.example/x)', '~~gone~~', '$$x^2$$'],
  ...['资料库', 'été', '&lt;b&gt;', '\\<script>', '"quoted"', ':tada:', 'Note[^1]', '3.14', '—', '![](a.png)'],
];
const word = fc.constantFrom(...vocabulary);
const words = fc.array(word, { minLength: 1, maxLength: 12 });
const few = fc.array(word, { minLength: 1, maxLength: 4 });

const text = fc.record({ kind: fc.constantFrom('paragraph', 'paragraph', 'heading', 'quote'), words });
const code = fc.record({ kind: fc.constant('code'), words });
const item = fc.record({
  words: few,
  below: fc.array(fc.record({ words: few, below: fc.constant([] as Item[]) }), { maxLength: 2 }),
});
const list = fc.record({
  kind: fc.constantFrom('list', 'list', 'tasks', 'steps'),
  items: fc.array(item, { minLength: 1, maxLength: 4 }),
});
const table = fc.record({
  kind: fc.constant('table'),
  rows: fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.array(few, { minLength: 16, maxLength: 16 }))
    .map(([width, cells]) =>
      [0, 1, 2, 3].map((row) => cells.slice(row * width, row * width + width).map((cell) => cell.join(' '))),
    ),
});
const image = fc.record({ kind: fc.constant('image'), words: few, file: fc.nat(1) });
const simple = fc.oneof(text, text, code, list);
const inner = fc.array(simple, { minLength: 1, maxLength: 3 });
const container = fc.oneof(
  fc.record({ kind: fc.constantFrom('hint', 'details'), style: fc.nat(2), blocks: inner }),
  fc.record({
    kind: fc.constant('tabs'),
    tabs: fc.array(fc.record({ title: word, blocks: inner }), { minLength: 1, maxLength: 3 }),
  }),
);
const block = fc.oneof({ weight: 6, arbitrary: simple }, table, image, {
  weight: 2,
  arbitrary: container,
}) as fc.Arbitrary<Written>;

/** Pages such as people write. */
export const writtenPages = fc.array(block, { minLength: 3, maxLength: 12 });

const fence = (name: string, argument: string, inside: string) =>
  `{% ${name}${argument} %}\n${inside}\n{% end${name} %}`;

function sourceOfItems(items: Item[], sign: string): string {
  return items
    .map(
      ({ words: own, below }) => `${sign} ${own.join(' ')}\n${sourceOfItems(below, sign).replace(/^(?=.)/gm, '    ')}`,
    )
    .join('');
}

/** The source of blocks in the Git-sync format. */
export const sourceOf = (blocks: Written[]): string => `${blocks.map(sourceOfBlock).join('\n\n')}\n`;

/** The source of a page, with its footnote. */
export const sourceOfPage = (blocks: Written[]): string => `${sourceOf(blocks)}\n[^1]: The note\n`;

function sourceOfBlock(written: Written): string {
  switch (written.kind) {
    case 'paragraph':
      return written.words.join(' ');
    case 'heading':
      return `## ${written.words.join(' ')}`;
    case 'quote':
      return `> ${written.words.join(' ')}`;
    case 'code':
      return `\`\`\`js\n${written.words.join('\n')}\n\`\`\``;
    case 'list':
      return sourceOfItems(written.items, '*').trimEnd();
    case 'tasks':
      return sourceOfItems(written.items, '* [x]').trimEnd();
    case 'steps':
      return fence('stepper', '', written.items.map(({ words: own }) => fence('step', '', own.join(' '))).join('\n\n'));
    case 'table': {
      const [head = [], ...rows] = written.rows.map((row) => `| ${row.join(' | ')} |`);
      return [head, `|${' - |'.repeat(written.rows[0]?.length ?? 0)}`, ...rows].join('\n');
    }
    case 'hint':
      return fence('hint', ` style="${['info', 'warning', 'danger'][written.style]}"`, sourceOf(written.blocks));
    case 'details':
      return `<details>\n\n<summary>More of it</summary>\n\n${sourceOf(written.blocks)}\n</details>`;
    case 'tabs':
      return fence(
        'tabs',
        '',
        written.tabs
          .map(({ title, blocks }) => fence('tab', ` title="${title.replace(/"/g, '')}"`, sourceOf(blocks)))
          .join('\n\n'),
      );
    default:
      return `<figure><img src="${['a.png', 'dark.png'][written.file]}" alt="Shot"><figcaption><p>${written.words.join(' ')}</p></figcaption></figure>`;
  }
}

interface Edit {
  kind: 'insert' | 'delete' | 'move' | 'turn' | 'change';
  at: number;
  to: number;
  block: Written;
  words: string[];
}

export const pageEdits = fc.array(
  fc.record({
    kind: fc.constantFrom('insert', 'delete', 'move', 'turn', 'change', 'change', 'change', 'change'),
    at: fc.nat(1000),
    to: fc.nat(1000),
    block,
    words: few,
  }) as fc.Arbitrary<Edit>,
  { minLength: 4, maxLength: 10 },
);

const pick = <T>(list: T[], at: number): T => list[at % list.length] as T;

/** Replaces, inserts or deletes something of a list that keeps at least one. */
function editList<T>(list: T[], { at, to }: Edit, made: T[]): void {
  const place = at % (list.length + 1);
  if (to % 3 === 0) list.splice(place, 0, ...made);
  else if (to % 3 === 1 && list.length > 1) list.splice(at % list.length, 1);
  else list.splice(at % list.length, 1, ...made);
}

/** Edits blocks in place. */
export function applyEdit(blocks: Written[], edit: Edit): void {
  const { kind, at, to } = edit;
  if (kind === 'insert') blocks.splice(at % (blocks.length + 1), 0, structuredClone(edit.block));
  else if (blocks.length < 2) return;
  else if (kind === 'delete') blocks.splice(at % blocks.length, 1);
  else if (kind === 'move') blocks.splice(to % blocks.length, 0, ...blocks.splice(at % blocks.length, 1));
  else if (kind === 'turn') turnBlock(pick(blocks, at), edit);
  else changeBlock(pick(blocks, at), { ...edit, at: Math.floor(at / blocks.length) });
}

const others: Record<string, string> = {
  paragraph: 'heading',
  heading: 'quote',
  quote: 'code',
  code: 'paragraph',
  list: 'tasks',
  tasks: 'steps',
  steps: 'list',
};

/** Makes a block one of another kind with the same content. */
function turnBlock(written: Written, { to }: Edit): void {
  if ('style' in written) written.style = to % 3;
  else written.kind = (others[written.kind] ?? written.kind) as never;
}

function changeBlock(written: Written, edit: Edit): void {
  const { at, to, words: made } = edit;
  if ('words' in written) editList(written.words, edit, made);
  else if ('items' in written) changeItems(written.items, edit);
  else if ('rows' in written) changeTable(written.rows, edit);
  else if ('tabs' in written) {
    if (to % 4 === 0)
      editList(written.tabs, edit, [{ title: made[0] ?? '', blocks: [{ kind: 'paragraph', words: made }] }]);
    else changeBlock(pick(pick(written.tabs, at).blocks, at), edit);
  } else changeBlock(pick(written.blocks, at), edit);
}

function changeItems(items: Item[], edit: Edit): void {
  const { at, to, words: made } = edit;
  const own = pick(items, at);
  if (to % 4 === 0) editList(items, edit, [{ words: made, below: [] }]);
  else if (to % 4 === 1) own.below.push({ words: made, below: [] });
  else editList(own.words, edit, made);
}

function changeTable(rows: string[][], edit: Edit): void {
  const { at, to, words: made } = edit;
  const width = rows[0]?.length ?? 1;
  const cell = made.join(' ');
  if (to % 5 === 0) for (const [nth, row] of rows.entries()) row.splice(at % (width + 1), 0, nth === 0 ? cell : '');
  else if (to % 5 === 1 && width > 1) for (const row of rows) row.splice(at % width, 1);
  else if (to % 5 === 2)
    rows.splice(
      1 + (at % rows.length),
      0,
      Array.from({ length: width }, () => cell),
    );
  else pick(rows, at).splice(to % width, 1, cell);
}
