import { oEmbed, webPage } from './web-page.js';

const read = (html: string | Uint8Array, contentType = 'text/html') =>
  webPage({ bytes: Buffer.from(html), contentType, url: 'https://a.example/docs/page' });
const answered = (value: unknown) =>
  oEmbed({
    bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    contentType: 'application/json',
    url: 'https://a.example/oembed',
  });
const framed = (html: unknown, more: object = {}) => answered({ type: 'video', html, ...more })?.html;

describe('a page of another site', () => {
  it.each<[string, string, object]>([
    ['nothing', 'no head at all', {}],
    ['its title', '<title> A\n  page </title>', { title: 'A page' }],
    ['entities', '<title>a &amp; b &lt;i&gt;</title>', { title: 'a & b <i>' }],
    ['the first title', '<title>One</title><title>Two</title><svg><title>Three</title></svg>', { title: 'One' }],
    [
      'Open Graph before its title',
      '<title>Plain</title><meta property="og:title" content="Open"><meta property="og:site_name" content="Site">',
      { title: 'Open', site: 'Site' },
    ],
    ['a card', '<title>Plain</title><meta name="twitter:title" content="Card">', { title: 'Card' }],
    ['an empty title', '<title>T</title><meta property="og:title" content="  ">', { title: 'T' }],
    ['an icon', '<link rel="SHORTCUT icon" href="../i.png">', { icon: 'https://a.example/i.png' }],
    ['an icon by its base', '<base href="/b/"><link rel=icon href=i.ico>', { icon: 'https://a.example/b/i.ico' }],
    ['no icon that is no address', '<link rel=icon href="data:image/png;base64,AA"><link rel=icon href="//">', {}],
    ['no icon that runs', '<link rel=icon href="javascript:alert(1)">', {}],
    [
      'an oEmbed endpoint',
      '<link rel="alternate" type="application/json+oembed" href="/o?url=x&amp;y">',
      { oEmbed: 'https://a.example/o?url=x&y' },
    ],
    ['no endpoint in XML', '<link rel="alternate" type="text/xml+oembed" href="/o">', {}],
    ['no endpoint in a comment', '<!-- <link rel="alternate" type="application/json+oembed" href="/o"> -->', {}],
    ['a title without signs that turn text', '<title>a\u202eb\u0007\u2066c</title>', { title: 'a b c' }],
  ])('tells %s', (_, html, told) => {
    expect(read(html)).toEqual(told);
  });

  it('is read in its charset', () => {
    const latin = Buffer.from('<meta charset="iso-8859-1"><title>caf\u00e9</title>', 'latin1');
    expect(read(latin)).toEqual({ title: 'café' });
    expect(read(Buffer.from('<title>\u00e9</title>', 'latin1'), 'text/html; charset=windows-1252').title).toBe('é');
    expect(read('<title>é</title>', 'text/html; charset=no-such').title).toBe('é');
  });

  it('has a title of 200 characters at most, and any depth', () => {
    expect(read(`<title>${'x'.repeat(5000)}</title>`).title).toHaveLength(200);
    expect(read(`${'<div>'.repeat(5000)}<title>Deep</title>`).title).toBe('Deep');
    expect(read(`<title>Wide</title>${'<p>'.repeat(100_000)}`).title).toBe('Wide');
  });
});

describe('an oEmbed answer', () => {
  it('may name its frame by a path', () => {
    expect(framed('<iframe src="/e">')).toContain('src="https://a.example/e"');
  });

  it('becomes a frame of ours with their address and size', () => {
    const html =
      '<script>alert(1)</script><div><iframe id="x" name="y" srcdoc="<b>" width="560" height="315px" src="https://v.example/e?a=1&amp;b=2" onload="alert(1)" style="position:fixed" allow="camera *" allowfullscreen>old</iframe></div>';
    expect(answered({ type: 'video', html, title: 'A "good" <film>', provider_name: 'Videos' })).toEqual({
      title: 'A "good" <film>',
      site: 'Videos',
      html:
        '<iframe src="https://v.example/e?a=1&amp;b=2" title="A &quot;good&quot; &lt;film&gt;" width="560" height="315" ' +
        'allow="autoplay; clipboard-write; encrypted-media; fullscreen; picture-in-picture" ' +
        'sandbox="allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts" ' +
        'referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>',
    });
  });

  it('takes the size from beside the frame, and only a number of pixels', () => {
    const at = (attributes: string, more: object) => framed(`<iframe src="//v.example/e" ${attributes}>`, more);
    expect(at('', { width: 320, height: '200' })).toContain('title="v.example" width="320" height="200" allow=');
    expect(at('width="100%" height="1e9"', { width: 'calc(1px)', height: -1 })).toContain('title="v.example" allow=');
  });

  it.each<[string, unknown]>([
    ['without html', undefined],
    ['of a script', '<blockquote>Hi</blockquote><script src="https://p.example/w.js"></script>'],
    ['of two frames', '<iframe src="https://a.example/"></iframe><iframe src="https://b.example/"></iframe>'],
    ['of a frame in a template', '<template><iframe src="https://a.example/"></iframe></template>'],
    ['of http', '<iframe src="http://a.example/"></iframe>'],
    ['of a script address', '<iframe src="javascript:alert(1)"></iframe>'],
    ['of a data address', '<iframe src="data:text/html,hi"></iframe>'],
    ['of credentials', '<iframe src="https://u:p@a.example/"></iframe>'],
    ['of a document inside', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
    ['of a long address', `<iframe src="https://a.example/${'x'.repeat(2048)}"></iframe>`],
    ['that is no text', { src: 'https://a.example' }],
  ])('%s has no frame', (_, html) => {
    expect(answered({ type: 'rich', html, title: 'T' })).toEqual({ title: 'T' });
  });

  it.each([{ type: 'photo' }, { type: 'link' }])('of the %j type has no frame', (type) => {
    expect(answered({ ...type, html: '<iframe src="https://a.example/"></iframe>' })).toEqual({});
  });

  it.each(['', 'null', '[]', '{', '<html>', { title: 'no type' }, { type: 1 }])('is not %j', (value) => {
    expect(answered(value)).toBeUndefined();
  });
});
