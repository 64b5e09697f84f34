import { outline, shown } from '../testing/outline.js';
import { readOutline } from './outline.js';

describe('a space without a table of contents', () => {
  test('has its folders and files by name, the home page first', () => {
    const texts = {
      '10-last.md': '',
      '2-next.md': '',
      'README.md': '# Welcome',
      'alpha/README.md': '# Alpha',
      'alpha/one.md': '',
      'alpha/deep/two.md': '',
      'beta-group/three.md': '',
      'gamma.md': '',
      'gamma/four.md': '',
      '.gitbook/includes/note.md': '',
      '.github/ISSUE.md': '',
      'images/logo.png': '',
    };
    expect(shown(outline(texts).pages)).toEqual([
      'readme Welcome <- README.md',
      '2-next 2 next <- 2-next.md',
      '10-last 10 last <- 10-last.md',
      'alpha Alpha <- alpha/README.md',
      '  alpha/deep Deep',
      '    alpha/deep/two Two <- alpha/deep/two.md',
      '  alpha/one One <- alpha/one.md',
      'group beta-group Beta group',
      '  beta-group/three Three <- beta-group/three.md',
      'gamma Gamma <- gamma.md',
      '  gamma/four Four <- gamma/four.md',
    ]);
    expect(shown(outline({ ...texts, 'SUMMARY.md': '# Table of contents\n' }).pages)).toHaveLength(11);
  });

  test('starts with the home page that the configuration names', () => {
    const { pages } = outline({
      '.gitbook.yaml': 'structure:\n  readme: z.md',
      'a.md': '',
      'README.md': '',
      'z.md': '',
    });
    expect(shown(pages)).toEqual(['z Z <- z.md', 'a A <- a.md', 'readme README <- README.md']);
  });

  test('limits the depth and loses no file', () => {
    const deep = `${'d/'.repeat(200)}a.md`;
    const { pages } = outline({ [deep]: '', [`${'d/'.repeat(200)}README.md`]: '', 'd/b.md': '' });
    const lines = shown(pages);
    expect(lines.filter((line) => line.includes('<-'))).toHaveLength(3);
    expect(lines.length).toBeLessThan(60);
  });
});

test('a book.json says where the space is when there is no .gitbook.yaml', () => {
  const texts: Record<string, string> = {
    'book.json': '{\n\t"language": "tw.10",\n\t"plugins": [ "notocjk" ],\n\t"root": "./inner"\n}',
    'README.md': '# Outer',
    'inner/README.md': '# Inner',
    'inner/SUMMARY.md': '* [Inner](README.md)',
  };
  const { pages, problems } = readOutline(
    Object.keys(texts).map((path) => ({ path })),
    { readText: (path) => texts[path], titleOf: () => undefined },
  );
  expect([pages.map(({ title }) => title), problems]).toEqual([['Inner'], []]);
});
