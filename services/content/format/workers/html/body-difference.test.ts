import { maxDifferenceParts } from '../../differences/difference.js';
import { bodyDifference } from './body-difference.js';

const count = maxDifferenceParts + 1;
const reading = (source: string) => ({
  source,
  refs: new Map(),
  included: new Map(),
  pages: new Map(),
  files: new Map(),
});
const compare = (before: string, after: string) =>
  bodyDifference({ before: reading(before), after: reading(after), names: 'd' });

it('is by lines where a screen would have too many parts, and by nothing where lines are too many as well', async () => {
  const blocks = Array.from({ length: count }, (_, at) => `${at}`);
  const [source, added] = [blocks.join('\n\n'), [...blocks, 'new'].join('\n\n')];
  const byLines = await compare(source, added);
  expect([byLines.form, 'parts' in byLines && byLines.parts.map(({ kind }) => kind)]).toEqual([
    'lines',
    ['same', 'removed', 'added'],
  ]);
  const other = blocks.map((text, at) => (at % 2 === 0 ? text : `other ${text}`)).join('\n\n');
  expect(await compare(source, other)).toEqual({ form: 'tooLarge' });
});
