import { bodyOf, htmlOf } from '../testing/rendered-source.js';

const table = (head: string, row: string, attributes = '') =>
  `<table${attributes}><thead><tr>${head}</tr></thead><tbody><tr>${row}</tr></tbody></table>`;

it('shows a table with headers of columns, alignment and a place that scrolls', () => {
  expect(htmlOf('| A | B |\n|---|:-:|\n| **c** | d |')).toBe(
    '<div class="table-wrap" tabindex="0" role="group" aria-label="⟦wtable⟧"><table><thead><tr><th scope="col">A</th><th scope="col" class="align-center">B</th></tr></thead>' +
      '<tbody><tr><td><strong>c</strong></td><td class="align-center">d</td></tr></tbody></table></div>',
  );
});

it('sets widths of columns by steps, and keeps a hidden header for readers of screens', () => {
  const html = htmlOf(
    table('<th width="200">A</th><th>B</th>', '<td>1</td><td>2</td>', ' data-header-hidden data-full-width="true"'),
  );
  expect(html).toContain('<div class="table-wrap wide"');
  expect(html).toContain('<colgroup><col class="col-5"/><col/></colgroup><thead class="visually-hidden">');
});

it('shows the values of every type of column', () => {
  const head =
    '<th data-type="number">N</th><th data-type="checkbox">C</th><th data-type="rating" data-max="4">R</th><th data-type="select">S<select><option value="a" label="Alpha" color="blue"></option></select></th>' +
    '<th data-type="content-ref">P</th><th data-type="files">F</th><th data-type="users">U</th>';
  const row =
    '<td>12</td><td>true</td><td>3</td><td><span data-option="a">Alpha</span></td><td><a href="a.md">a</a></td><td><a href="paper.pdf">f</a></td><td><a href="u1">u</a></td>';
  const { html, outside } = bodyOf(table(head, row));
  expect(html).toContain('<td class="cell-number">12</td>');
  expect(html).toContain('<span class="check checked" role="img" aria-label="⟦wchecked⟧">');
  expect(html).toContain('aria-label="⟦wrating|3|4⟧">★★★<span class="unrated">☆</span>');
  expect(html).toContain('<span class="chip text-blue back-blue">Alpha</span>');
  expect(html).toMatch(/<a href="⟦pguides\/a⟧"><svg.*<\/svg>Page A<\/a>/);
  expect(html).toMatch(/<a class="cell-file" href="⟦f\/files\/paper\.pdf[^"]*">/);
  expect(html).toContain('<span class="mention">⟦t0⟧</span>');
  expect(outside).toHaveLength(1);
});

it('shows cards with covers and one link over each', () => {
  const head =
    '<th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th>';
  const html = htmlOf(
    table(
      head,
      '<td><strong>First</strong></td><td>More</td><td><a href="a.md">a</a></td><td><a href="a.png">i</a></td>',
      ' data-view="cards" data-card-size="large"',
    ),
  );
  expect(html).toMatch(
    /^<ul class="cards large"><li class="card with-cover"><div class="cover"><img src="⟦f[^"]*" alt(?:="")? width="640" height="360" decoding="async"\/><\/div>/,
  );
  expect(html).toContain('<a class="card-link" href="⟦pguides/a⟧" aria-label="First"></a>');
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toContain('<div class="card-field"><strong>First</strong></div><div class="card-field">More</div>');
});

it('shows a card without a link where its target is missing', () => {
  const head = '<th>Title</th><th data-hidden data-card-target data-type="content-ref"></th>';
  const html = htmlOf(table(head, '<td>One</td><td><a href="gone.md">a</a></td>', ' data-view="cards"'));
  expect(html).toBe(
    '<ul class="cards"><li class="card"><div class="card-body"><div class="card-field"><div class="card-label">Title</div>One</div></div></li></ul>',
  );
});
