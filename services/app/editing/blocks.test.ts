import { english } from '../words/english/english.js';
import { blocksOf } from './blocks.js';

const blocks = blocksOf(english);

it('each block has its words, and a part to type over within its text', () => {
  for (const { name, label, about, text, select } of blocks) {
    expect([name, label, about]).toEqual([name, expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    expect([name, text.includes('‹'), text.includes('›')]).toEqual([name, false, false]);
    expect([name, select[0] <= select[1], select[1] <= text.length]).toEqual([name, true, true]);
  }
  expect(new Set(blocks.map(({ name }) => name)).size).toBe(blocks.length);
});

it('each tag that is opened is closed, but for those that stand alone', () => {
  for (const { name, text } of blocks) {
    const opened = [...text.matchAll(/\{% ([a-z][\w-]*)/g)].map(([, tag]) => tag as string);
    const alone = opened.filter((tag) => !tag.startsWith('end') && !opened.includes(`end${tag}`));
    expect([name, alone.filter((tag) => !['file', 'embed', 'include'].includes(tag))]).toEqual([name, []]);
  }
});

it('there is a block for each tag of the dialect, but for those of former times', () => {
  const written = blocks.map(({ text }) => text).join('\n');
  const tags =
    'hint tabs tab stepper step columns column code updates update prompt if embed file content-ref include openapi-operation openapi-schemas openapi-webhook'.split(
      ' ',
    );
  expect(tags.filter((tag) => !new RegExp(`\\{% ${tag} `).test(written))).toEqual([]);
});
