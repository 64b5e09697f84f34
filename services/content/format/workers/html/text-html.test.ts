import { hostileBodies } from '../../../../../test/support/hostile-comment-bodies.js';
import { readHtml } from '../../html/testing/html-facts.js';
import type { GivenText } from '../../texts/read-text.js';
import { textsHtml } from './text-html.js';

const shown = (markdown: string) => textsHtml({ texts: [{ markdown }], space: 'docs' })[0];

it('makes of a text what its Markdown says, with code as pages have it', () => {
  expect(shown('Why **this**?\n\n- one\n- two')?.html).toBe(
    '<p>Why <strong>this</strong>?</p><ul><li>one</li><li>two</li></ul>',
  );
  expect(shown('```js\nlet a;\n```')?.html).toContain('<code');
});

it('leaves people and pages to who shows them', () => {
  const { html, outside } = shown('[@a](/users/a1) [b](/pages/b2) [c](/spaces/other/pages/c3)') ?? {};
  expect(outside).toEqual([
    { kind: 'user', user: 'a1' },
    { kind: 'page', page: 'b2', space: 'docs' },
    { kind: 'page', page: 'c3', space: 'other' },
  ]);
  expect(html).toContain('class="mention"');
});

it('shows nothing of a text that is not taken, and the others beside it', () => {
  const texts = [{ markdown: 'a' }, { document: { object: 'none' } }, { markdown: 'b' }];
  expect(textsHtml({ texts, space: 'docs' }).map(({ html }) => html)).toEqual(['<p>a</p>', '', '<p>b</p>']);
});

it('runs nothing of any text, and names no element: many stand on one screen', () => {
  for (const body of [...hostileBodies.map(([, body]) => body as GivenText), { markdown: '# A\n\n[^1]\n\n[^1]: b' }])
    for (const { html } of textsHtml({ texts: [body], space: 'docs' })) {
      const { forbidden, ids } = readHtml(html);
      expect([body, forbidden, ids]).toEqual([body, [], []]);
    }
});
