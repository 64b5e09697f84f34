import { type DigestEntry, digestMail } from './digest-mail.js';

const unsubscribeURL = 'https://docs.example/unsubscribe?token=a.b-c';
const url = 'https://docs.example/comments/1?a=1&b=2';
const entry: DigestEntry = { reason: 'mention', author: 'Ada', space: 'Guide', excerpt: 'Have a look.', url };
const mailOf = (entries: DigestEntry[], more = 0) => digestMail(entries, { unsubscribeURL, more });
const reply: DigestEntry = { ...entry, reason: 'reply', author: 'Bob', page: 'First steps', excerpt: 'It is there.' };

describe('the subject of a digest', () => {
  it.each<[string, DigestEntry[], number]>([
    ['Ada mentioned you in Guide', [entry], 0],
    ['Bob replied to you in Guide', [reply], 0],
    ['3 comments in Guide', [entry, reply, entry], 0],
    ['3 comments in 2 spaces', [entry, reply, { ...entry, space: 'Reference' }], 0],
    ['2 comments for you', [entry], 1],
    ['42 comments for you', [entry, reply], 40],
  ])('is "%s"', (subject, entries, more) => {
    expect(mailOf(entries, more).subject).toBe(subject);
  });
});

describe('a digest', () => {
  it('tells of each comment in order: who, where, what, and its address', () => {
    const { text, html } = mailOf([entry, reply]);
    expect(text).toBe(`Ada mentioned you in Guide:

> Have a look.

${url}

Bob replied to you in Guide, on the page "First steps":

> It is there.

${url}

You get this mail because somebody mentioned you in a comment or replied to you on Bindery.
To stop these mails: ${unsubscribeURL}
`);
    expect(html.match(/<(p|blockquote)>.*/g)).toEqual([
      '<p>Ada mentioned you in Guide:</p>',
      '<blockquote><p>Have a look.</p></blockquote>',
      '<p><a href="https://docs.example/comments/1?a=1&amp;b=2">https://docs.example/comments/1?a=1&amp;b=2</a></p>',
      '<p>Bob replied to you in Guide, on the page &quot;First steps&quot;:</p>',
      '<blockquote><p>It is there.</p></blockquote>',
      '<p><a href="https://docs.example/comments/1?a=1&amp;b=2">https://docs.example/comments/1?a=1&amp;b=2</a></p>',
      '<p>You get this mail because somebody mentioned you in a comment or replied to you on Bindery.</p>',
      `<p><a href="${unsubscribeURL}">Stop these mails</a></p>`,
    ]);
  });

  it('counts the comments that it does not show', () => {
    for (const part of ['text', 'html'] as const) {
      expect(mailOf([entry], 1)[part]).toContain('1 more comment is not shown.');
      expect(mailOf([entry], 12)[part]).toContain('12 more comments are not shown.');
      expect(mailOf([entry])[part]).not.toContain('not shown');
    }
  });

  it('can be ended by mail programs', () => {
    expect(mailOf([entry]).unsubscribeURL).toBe(unsubscribeURL);
  });

  it('shows what people wrote as text on one line of bounded length', () => {
    const nasty =
      '\u202e<script>alert(1)</script>\r\nBcc: eve@example.com\u2028\u0000**bold** [a](https://evil.example)\u200b';
    const shown =
      '<script>alert(1)</script> Bcc: eve@\u200bexample.\u200bcom **bold** [a](https:\u200b//evil.\u200bexample)';
    const escaped =
      '&lt;script&gt;alert(1)&lt;/script&gt; Bcc: eve@\u200bexample.\u200bcom **bold** [a](https:\u200b//evil.\u200bexample)';
    const { subject, text, html } = mailOf([{ ...entry, author: nasty, space: nasty, page: nasty, excerpt: nasty }]);
    expect(subject).toBe(`${shown} mentioned you in ${shown}`);
    expect(text).toContain(`> ${shown}\n`);
    expect(html).toContain(`<blockquote><p>${escaped}</p></blockquote>`);
    expect(html).not.toMatch(/<script|<strong|href="https:\/\/evil/);
    expect(text.split('\n').filter((each) => each.startsWith('Bcc'))).toEqual([]);
  });

  it('has no link but ours, wherever mail programs look for addresses', () => {
    const addresses = [
      'http://evil.example',
      'www.evil.example/a?b',
      'eve@evil.example',
      'mailto:eve',
      'http://[::1]/',
      'evil。example',
    ];
    for (const address of addresses) {
      const { subject, text, html } = mailOf([
        { ...entry, author: address, space: address, page: address, excerpt: address },
      ]);
      for (const part of [subject, text, html]) {
        expect(part).not.toContain(address);
        expect(part.replaceAll('\u200b', '')).toContain(address);
        expect(part).not.toMatch(/evil[.。]example|eve@evil|mailto:eve|http:\/\/\[/);
      }
    }
    expect(mailOf([{ ...entry, excerpt: 'See: it works. At 10:30, v1.2…' }]).text).toContain(
      '> See: it works. At 10:\u200b30, v1.\u200b2…',
    );
  });

  it('cuts what is long between characters', () => {
    const long = '😀'.repeat(20_000);
    const mail = mailOf([{ ...entry, author: long, space: long, page: long, excerpt: long }]);
    expect(mail.subject).toBe(`${'😀'.repeat(99)}… mentioned you in ${'😀'.repeat(99)}…`);
    expect(mail.text).toContain(`> ${'😀'.repeat(299)}…\n`);
    expect(mail.html).toContain(`<p>${'😀'.repeat(299)}…</p>`);
  });

  it('has no quote of a comment without text, nor a name that nobody can see', () => {
    const { subject, text, html } = mailOf([{ ...entry, author: '\u200b', excerpt: ' \n\u200b' }]);
    expect(subject).toBe('Somebody mentioned you in Guide');
    expect(text).not.toContain('>');
    expect(html).not.toContain('blockquote');
  });
});
