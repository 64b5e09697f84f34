import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { toDocument } from '../document.js';
import type { BlockNode } from '../document-model.js';
import { b, leaf, p, part, type Row, short, t, url } from '../testing/nodes.js';

const nodesOf = (source: string) => toDocument(source, () => undefined).nodes;

const image = (address: string, data: object = {}, caption?: string) =>
  b('image', { ref: url(address), ...data }, undefined, { fragments: caption ? [part('caption', p(caption))] : [] });

describe('figures', () => {
  const figure = (name: string, caption = '') =>
    `<figure><img src="${name}" alt=""><figcaption>${caption}</figcaption></figure>`;

  it.each<Row>([
    [
      'in one element are one block of images, each with its caption',
      `<div>${figure('a', '<p>One</p>')} ${figure('b')} ${figure('c', 'Three')}</div>`,
      [b('images', {}, [image('a', {}, 'One'), image('b'), image('c', {}, 'Three')])],
    ],
    [
      'in one element share its layout',
      `<div align="left" data-full-width="true" data-with-frame="true">${figure('a')}\n${figure('b')}</div>`,
      [b('images', { align: 'left', fullWidth: true, withFrame: true }, [image('a'), image('b')])],
    ],
    [
      'one after another are blocks of their own',
      `${figure('a')}\n\n${figure('b')}`,
      [b('images', {}, [image('a')]), b('images', {}, [image('b')])],
    ],
    [
      'beside text are blocks of their own',
      `<div>${figure('a')} x ${figure('b')}</div>`,
      [b('images', {}, [image('a')]), p('x'), b('images', {}, [image('b')])],
    ],
    [
      'of a player or a frame have their caption',
      '<figure><video src="a.mp4"></video><figcaption><p>One</p></figcaption></figure>\n\n<figure><iframe src="b"></iframe><figcaption>Two</figcaption></figure>',
      [
        b('embed', { url: 'a.mp4' }, undefined, { fragments: [part('caption', p('One'))] }),
        b('embed', { url: 'b' }, undefined, { fragments: [part('caption', p('Two'))] }),
      ],
    ],
    [
      'of code have what is said below it as text',
      '<figure><pre>a</pre><figcaption>One</figcaption></figure>',
      [b('code', {}, [b('code-line', {}, [t('a')])]), p('One')],
    ],
    [
      'have the width of their style, if they have no other',
      '<figure><img src="a" style="width: 50%; height:20px" height="30"></figure>',
      [b('images', {}, [image('a', { width: { unit: '%', value: 50 }, height: 30 })])],
    ],
  ])('%s', (_, source, expected) => {
    expect(short(nodesOf(source))).toEqual(expected);
  });
});

describe('layout and marks', () => {
  const color = (value: string, text: string, background: string) =>
    leaf(value, { type: 'color', data: { text, background } });

  it.each<Row>([
    [
      'columns have widths of any number of decimals',
      '{% columns %}\n{% column width="58.333333333333336%" %}\na\n{% endcolumn %}\n{% endcolumns %}',
      [b('columns', {}, [b('column', { width: { unit: '%', value: 58.333333333333336 } }, [p('a')])])],
    ],
    [
      'text is aligned by a style',
      '<p style="color: red; text-align: Center">a</p>',
      [b('paragraph', { align: 'center' }, [t('a')])],
    ],
    ['an icon may name its kind before', 'a <i class="fa-solid fa-star"></i>', [p('a ', b('icon', { icon: 'star' }))]],
    ['<u> is text', 'a <u>b</u>', [p('a b')]],
    ['<mark> is a highlight', '<mark>b</mark>', [p(t(color('b', 'default', 'yellow')))]],
    [
      'so is a color that documents do not have',
      '<mark style="background: #FFF3A3A6">b</mark> <mark style="background-color:#ff0">c</mark>',
      [p(t(color('b', 'default', 'yellow'), leaf(' '), color('c', 'default', 'yellow')))],
    ],
    ['but not the color of letters', '<mark style="color:blue;">b</mark>', [p(t(color('b', 'blue', 'default')))]],
  ])('%s', (_, source, expected) => {
    expect(short(nodesOf(source))).toEqual(expected);
  });
});

describe('a table', () => {
  interface Column {
    id: string;
    title: string;
    type: string;
    options?: unknown;
  }
  function readTable(source: string) {
    const [{ data, fragments = [] }] = nodesOf(source) as [BlockNode];
    const columns = Object.values(data.definition as Record<string, Column>);
    const textOf = (node: any): string => node.leaves?.[0].text ?? (node.nodes ?? []).map(textOf).join('');
    const rows = Object.values(data.records as Record<string, { values: Record<string, unknown> }>).map(({ values }) =>
      columns.map(({ id, type }) =>
        type === 'text' ? textOf(fragments.find(({ fragment }) => fragment === values[id]) ?? {}) : values[id],
      ),
    );
    return { columns, rows };
  }

  it('has the labels of options, and a column of options without its type', () => {
    const options = '<select><option value="v" label="In progress" color="blue"></option></select>';
    const { columns, rows } = readTable(
      `<table><thead><tr><th data-type="select">S${options}</th><th data-hidden>${options}</th></tr></thead><tbody><tr><td><span data-option="v">In progress</span></td><td></td></tr></tbody></table>`,
    );
    const selected = { type: 'select', options: [{ value: 'v', label: 'In progress', color: 'blue' }] };
    expect(columns).toMatchObject([
      { title: 'S', ...selected },
      { title: '', ...selected },
    ]);
    expect(rows).toEqual([[['v'], []]]);
  });

  it.each<[string, string, string[], string[][]]>([
    [
      'keeps cells in their columns where others reach over several rows or columns',
      '<tr><th colspan="2">A</th><th>B</th></tr><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr><tr><td>6</td><td colspan="2" rowspan="9">7</td></tr><tr><td>8</td></tr>',
      ['A', '', 'B'],
      [
        ['1', '2', '3'],
        ['', '4', '5'],
        ['6', '7', ''],
        ['8', '', ''],
      ],
    ],
    [
      'has the titles of its head',
      '<thead><tr><td>A</td></tr></thead><tbody><tr><td>1</td></tr></tbody>',
      ['A'],
      [['1']],
    ],
    ['has no titles of its body', '<tr><th>A</th><td>1</td></tr>', ['', ''], [['A', '1']]],
  ])('%s', (_, inside, titles, rows) => {
    const read = readTable(`<table>${inside}</table>`);
    expect([read.columns.map(({ title }) => title), read.rows]).toEqual([titles, rows]);
  });

  it('without titles has the alignment that all cells of a column have', () => {
    const { columns } = readTable(
      '<table><tr><td align="right">1</td><td align="center">2</td></tr><tr><td align="right">3</td><td>4</td></tr></table>',
    );
    expect(columns).toMatchObject([{ textAlignment: 'right' }, { textAlignment: 'left' }]);
  });

  it('takes time by its length only, whatever its cells reach over', () => {
    const tables = [
      (length: number) => `<table>${'<tr><td colspan="1000" rowspan="1000">a</td></tr>'.repeat(length / 40)}</table>`,
      (length: number) =>
        `<table><tr>${'<td rowspan="65534">a'.repeat(length / 40)}</tr>${'<tr><td>b'.repeat(length / 20)}</table>`,
    ];
    for (const table of tables) expectLinear((length) => void nodesOf(table(length)), 20_000);
  });
});
