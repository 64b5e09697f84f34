import { marked } from 'marked';
import { type FullPage, llmsFull, llmsTxt } from './llms.js';

const page = (title: string, depth = 0, description?: string) => ({
  ...{ title, depth, description },
  url: `https://docs.example.com/${title.toLowerCase()}.md`,
});

describe('llms.txt', () => {
  it('is a title, a quote, and a list of links for each section', () => {
    const text = llmsTxt({
      site: { title: 'Acme', description: 'All about\n\nanvils' },
      sections: [
        { title: 'Guide', pages: [page('Start', 0, 'Begin here'), page('Deep', 1)] },
        { title: 'Empty', pages: [] },
        { title: '', pages: [{ ...page('API', 1), groups: [{ title: 'Refer[ence]', depth: 0 }] }] },
      ],
    });
    expect(text).toBe(
      [
        '# Acme\n\n> All about anvils\n\n## Guide\n',
        '- [Start](https://docs.example.com/start.md): Begin here',
        '  - [Deep](https://docs.example.com/deep.md)\n',
        '## Pages\n',
        '- Refer\\[ence\\]\n  - [API](https://docs.example.com/api.md)\n',
      ].join('\n'),
    );
  });

  it('keeps each page on its line and each link a link, whatever titles and addresses hold', () => {
    const hostile = {
      title: 'a](javascript:x)\n## b \\',
      url: 'https://a.example/x) y\n(z',
      description: '\u0000\n# c',
      depth: 1e9,
    };
    const text = llmsTxt({ site: { title: '\n# x' }, sections: [{ title: 'S\n- y', pages: [hostile] }] });
    expect(text.trimEnd().split('\n')).toHaveLength(5);
    const html = marked.parse(text.split('\n').at(-2)?.trim() ?? '', { async: false });
    expect(html).toContain('<a href="https://a.example/x%29%20y%0A%28z">a](javascript:x) ## b \\</a>: # c');
  });

  it('says how many pages it leaves out', () => {
    const pages = Array.from({ length: 20_001 }, () => page('Same'));
    const sections = [
      { title: 'One', pages },
      { title: 'Two', pages: [page('Last')] },
    ];
    const text = llmsTxt({ site: { title: 'Big' }, sections });
    expect(text).toMatch(/\n\n2 more pages are not listed\.\n$/);
    expect(text).not.toContain('Last');
  });
});

describe('llms-full.txt', () => {
  const partUrl = (from: number) => `https://docs.example.com/llms-full.txt/${from}`;
  const all = Array.from({ length: 10 }, (_, at) => ({
    title: `Page ${at}`,
    url: `https://docs.example.com/${at}`,
    markdown: `Text of ${at}. ${'é'.repeat(100)}`,
  }));
  async function* pagesFrom(from: number, pages: readonly FullPage[] = all): AsyncGenerator<FullPage> {
    yield* pages.slice(from);
  }

  it('gives every page once, in parts of bounded size that name the next one', async () => {
    const parts: string[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { text, next }: { text: string; next?: number } = await llmsFull(pagesFrom(from), {
        from,
        maxBytes: 1000,
        partUrl,
      });
      parts.push(text);
      expect(text.includes('Next part: ')).toBe(next !== undefined);
      if (next !== undefined) expect(text.endsWith(`Next part: ${partUrl(next)}\n`)).toBe(true);
      expect(Buffer.byteLength(text)).toBeLessThan(1100);
      from = next;
    }
    expect(parts.length).toBeGreaterThan(2);
    for (const { title, url, markdown } of all)
      expect(parts.filter((part) => part.includes(`# ${title}\n\nSource: ${url}\n\n${markdown}\n`))).toHaveLength(1);
  });

  it('leaves out front matter and keeps the title that a text has', async () => {
    const page = {
      title: 'Set up',
      url: 'https://a.example/b',
      markdown: '---\ndescription: x\n---\n\n# Setting up\n\nGo.\n',
    };
    const { text } = await llmsFull(pagesFrom(0, [page]), { from: 0, maxBytes: 1000, partUrl });
    expect(text).toBe('# Setting up\n\nSource: https://a.example/b\n\nGo.\n');
  });

  it('cuts a page that no part can hold between characters, and says where the rest is', async () => {
    const page = { title: 'Long', url: 'https://a.example/long.md', markdown: '漢'.repeat(1_000_000) };
    const { text, next } = await llmsFull(pagesFrom(0, [page, ...all]), { from: 0, maxBytes: 5000, partUrl });
    expect(next).toBe(1);
    expect(text).not.toContain('\ufffd');
    expect(text).toContain('漢\n\n… The rest of this page is at https://a.example/long.md\n');
    expect(Buffer.byteLength(text)).toBeLessThan(5200);
  });

  it('asks for no page after the part', async () => {
    const asked: number[] = [];
    async function* counted(): AsyncGenerator<FullPage> {
      for (const [at, page] of all.entries()) {
        asked.push(at);
        yield page;
      }
    }
    const { next } = await llmsFull(counted(), { from: 5, maxBytes: 600, partUrl });
    expect(next).toBe(7);
    expect(asked).toEqual([0, 1, 2]);
  });

  it('is empty where there are no pages', async () => {
    expect(await llmsFull(pagesFrom(99), { from: 99, maxBytes: 100, partUrl })).toEqual({ text: '' });
  });
});
