import { plainText, toDocument } from '../document.js';
import type { BlockNode, Resolve } from '../document-model.js';

const resolve: Resolve = (url, kind) => {
  if (url.startsWith('https:')) return undefined;
  return kind === 'file' || kind === 'image' ? { kind: 'file', file: url } : { kind: 'page', page: url };
};

interface TableData {
  view: Record<string, unknown>;
  definition: Record<string, { id: string; title: string; type: string }>;
  records: Record<string, { orderIndex: string; values: Record<string, unknown> }>;
}

function readTable(source: string) {
  const [table] = toDocument(source, resolve).nodes as BlockNode[];
  const data = table?.data as unknown as TableData;
  const cell = (name: unknown) => table?.fragments?.find((entry) => entry.fragment === name)?.nodes ?? [];
  const columns = Object.values(data.definition);
  const values = Object.values(data.records).map((record) =>
    columns.map(({ id, type }) => (type === 'text' ? plainText(cell(record.values[id])) : record.values[id])),
  );
  return { data, columns, values, cell };
}

describe('tables', () => {
  it('reads pipe tables, with paragraphs and escaped pipes in cells', () => {
    const { data, columns, values } = readTable('| A | B |\n| - | :-: |\n| <p>x</p><p>y</p> | `a \\| b` |\n| z |');
    expect(columns).toMatchObject([
      { title: 'A', type: 'text', textAlignment: 'left' },
      { title: 'B', type: 'text', textAlignment: 'center' },
    ]);
    expect(values).toEqual([
      ['x\ny', 'a | b'],
      ['z', ''],
    ]);
    expect(data.view).toEqual({ type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false });
  });

  it('keeps the blocks and lines of a header cell apart', () => {
    const html =
      '<table><tr><th><p>a</p><p>b</p></th><th>c<br>d</th><th>e <b>f</b>g<ul><li>h</li><li>i</li></ul>j</th></tr><tr><td>1</td></tr></table>';
    const { columns } = readTable(html);
    expect(columns.map(({ title }) => title)).toEqual(['a b', 'c d', 'e fg h i j']);
    expect(plainText(toDocument(html, resolve).nodes)).toBe('a b\nc d\ne fg h i j\n1');
    expect(readTable('| <p>a</p><p>b</p> | c<br>d |\n| - | - |\n| 1 | 2 |').columns).toMatchObject([
      { title: 'a b' },
      { title: 'c d' },
    ]);
  });

  it('reads typed columns', () => {
    const { columns, values, data } = readTable(
      '<table data-full-width="true"><thead><tr><th width="120" valign="top">T</th><th data-type="number">N</th><th data-type="checkbox">C</th><th data-type="rating" data-max="3">R</th>' +
        '<th data-type="select" data-multiple>S<select><option value="v" label="L" color="blue">L</option></select></th><th data-type="content-ref">P</th><th data-type="files">F</th><th data-type="image">I</th><th data-type="users">U</th></tr></thead>' +
        '<tbody><tr><td>x</td><td>4.5</td><td>true</td><td>2</td><td><span data-option="v">L</span></td><td><a href="p.md">p</a></td><td><a href="a.pdf">a</a></td><td><img src="i.png"></td><td><a data-mention href="u">u</a></td></tr></tbody></table>',
    );
    expect(values).toEqual([
      ['x', 4.5, true, 2, ['v'], { kind: 'page', page: 'p.md' }, ['a.pdf'], { kind: 'file', file: 'i.png' }, ['u']],
    ]);
    expect(columns[0]).toMatchObject({ verticalAlignment: 'top' });
    expect(columns[3]).toMatchObject({ type: 'rating', max: 3 });
    expect(columns[4]).toMatchObject({
      title: 'S',
      multiple: true,
      options: [{ value: 'v', label: 'L', color: 'blue' }],
    });
    expect(data).toMatchObject({ fullWidth: true, view: { columnWidths: { [columns[0]?.id ?? '']: 120 } } });
  });

  it('reads cards with their hidden columns', () => {
    const { data, columns, values } = readTable(
      '<table data-view="cards" data-card-size="large"><thead><tr><th></th><th data-hidden data-card-cover data-type="files"></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead>' +
        '<tbody><tr><td><strong>A</strong></td><td><a href="https://a.b/c.png">c</a></td><td><a href="p.md">p</a></td></tr></tbody></table>',
    );
    const [text, cover, target] = columns.map(({ id }) => id);
    expect(data.view).toEqual({
      type: 'cards',
      cardSize: 'large',
      columns: [text],
      coverDefinition: cover,
      targetDefinition: target,
    });
    expect(values).toEqual([['A', { kind: 'url', url: 'https://a.b/c.png' }, { kind: 'page', page: 'p.md' }]]);
    expect(columns[1]?.type).toBe('image');
  });

  it('reads blocks in cells', () => {
    const { values } = readTable(
      '<table><tr><th>H</th></tr><tr><td><div data-gb-custom-block data-tag="hint" data-style="info"><p>in</p></div>\n\n* **md**\n\n</td></tr></table>',
    );
    expect(values).toEqual([['in\nmd']]);
  });
});
