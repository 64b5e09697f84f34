import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { ImportTarget } from '../support/imports/import-target.js';
import { Web } from '../support/imports/web.js';

const client = shared();

const html = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** Imports a website, and tells what was asked of it, and what of that sooner than the pause after the request before. */
async function imported(answers: Record<string, string>, pauseMs = 0) {
  const asked: string[] = [];
  const early: string[] = [];
  let next = new Date(0);
  const noted = Object.entries(answers).map(([path, text]) => [
    path,
    (_: unknown, response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
      const now = new Date();
      if (now < next) early.push(path);
      next = new Date(now.getTime() + pauseMs);
      asked.push(path);
      response.setHeader('content-type', path.endsWith('.txt') ? 'text/plain' : 'text/html');
      response.end(text);
    },
  ]);
  const web = new Web(Object.fromEntries(noted));
  await web.start();
  try {
    const space = new ImportTarget(web, await newSpace(client, await newOrganization(client)), client);
    const { importedResources, totalResources } = await space.imported('website', '/');
    const pages = await space.pages();
    return { space, asked, early, counts: [importedResources, totalResources], pages };
  } finally {
    web.stop();
  }
}

describe('the import of a website', () => {
  it('ends with 200 pages, where there are more', async () => {
    const names = Array.from({ length: 230 }, (_, at) => `page-${at}`);
    const links = names.map((name) => `<a href="/${name}">${name}</a>`).join(' ');
    const pages = Object.fromEntries(names.map((name) => [`/${name}`, `<h1>${name}</h1><p>${name}</p>`]));
    const { asked, counts, pages: tree } = await imported({ '/': `<h1>Home</h1>${links}`, ...pages });
    expect(counts).toEqual([200, 200]);
    expect(tree[0]?.pages?.map(({ title }) => title)).toEqual(names.slice(0, 199));
    expect(asked).toHaveLength(200);
  });

  it('asks as seldom as its robots.txt wishes, for one page at a time', async () => {
    const website = {
      '/robots.txt': 'User-agent: Bindery\nCrawl-delay: 0.5\n',
      '/': '<h1>Home</h1><a href="/a">A</a><a href="/b">B</a>',
      '/a': '<h1>A</h1>',
      '/b': '<h1>B</h1>',
    };
    const { asked, early, counts } = await imported(website, 490);
    expect(counts).toEqual([3, 3]);
    expect(asked).toEqual(['/robots.txt', '/', '/a', '/b']);
    expect(early.filter((path) => path !== '/')).toEqual([]);
  });

  it('leads to the section that an id stands in, whoever has the id', async () => {
    const { space } = await imported({
      // As Sphinx and docutils write it.
      '/': html(
        'Home — Manual 1.0',
        `<div role="main"><section id="home"><h1>Home<a class="headerlink" href="#home">¶</a></h1>
<p id="intro">Intro. <a href="#note-1" id="ref-1">1</a> <a href="b.html#SETUP">setup</a> <a href="b.html#step">step</a> <a href="b.html#top">b</a></p>
<section id="usage"><span id="s1"></span><h2>Usage<a class="headerlink" href="#usage">¶</a></h2>
<dl><dt id="m.open">open()</dt><dd><p>Opens. See <a href="#s1">usage</a>, <a href="#intro">intro</a> and <a href="#gone">gone</a>.</p></dd></dl></section>
<section id="twice"><h2>Example</h2><p>One <a href="#m.open">open</a></p></section><section><h2>Example</h2><p id="two">Two <a href="#two">two</a></p></section>
<aside class="footnote" id="note-1" role="note"><p>A footnote.</p></aside></section></div>`,
      ),
      // As DocBook writes it.
      '/b.html': html(
        'Chapter 1. Setup',
        `<div class="navheader"><a href="/">Prev</a><hr></div><div class="chapter" id="top"><h2 class="title">Chapter 1. Setup</h2><p>Before.</p>
<div class="sect1" id="SETUP"><div class="titlepage"><h2>1.1. <a href="#toc">Set up</a></h2></div><a name="step"></a><p>Step <em>one </em>now.<!-- internal --></p></div></div>`,
      ),
    });
    const [home, chapter] = [await space.text('home'), await space.text('home/chapter-1.-setup')];
    expect(home).toContain(
      '[setup](home/chapter-1.-setup#setup) [step](home/chapter-1.-setup#setup) [b](home/chapter-1.-setup)',
    );
    expect(home).toMatch(/See \[usage\]\(#usage\), \[intro\]\(\S*home\) and \[gone\]\(#gone\)/);
    expect(home).toContain('One [open](#usage)');
    expect(home).toMatch(/A footnote\./);
    expect(chapter).toBe(
      '# Chapter 1. Setup\n\nBefore.\n\n## 1.1. Set up<a href="#setup" id="SETUP"></a>\n\nStep _one_ now.\n',
    );
    const { count } = (await client.get(`${space.path}/links?status=broken`)).body;
    expect(count).toBe(1);
  });

  it('calls a page by its own name, where the top heading is that of the website', async () => {
    const page = (title: string, content: string) =>
      html(
        title,
        `<header><h1>The Manual</h1></header><nav><a href="/a.html">a</a><a href="/b.html">b</a></nav><main>${content}</main>`,
      );
    const { pages } = await imported({
      '/': page('The Manual', '<p>Welcome</p>'),
      '/a.html': page('Install - The Manual', '<h2 id="install">Install</h2><p>So.</p>'),
      '/b.html': page('Usage | The Manual', '<p>Text</p><h2>Usage</h2>'),
    });
    expect(pages.flatMap(({ title, pages: below = [] }) => [title, ...below.map((each) => each.title)])).toEqual([
      'The Manual',
      'Install',
      'Usage',
    ]);
  });
});
