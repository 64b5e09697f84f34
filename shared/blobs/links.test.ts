import { createSecrets } from '../secrets/secrets.js';
import { blobLinks } from './links.js';

const [old, fresh] = ['o', 'f'].map((letter) => Buffer.from(letter.repeat(32)).toString('base64')) as [string, string];
const blob = { id: 'a'.repeat(64), name: 'a plan.pdf' };
const queryOf = (path: string) => new URL(path, 'http://localhost').searchParams;
const signatureOf = (path: string) => String(queryOf(path).get('signature'));
const withQuery = (query: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));

describe('a link to a file', () => {
  const signature = signatureOf(blobLinks(createSecrets([old])).signedPathOf(blob));

  it('is valid as long as its key is listed, wherever in the list', () => {
    expect(blobLinks(createSecrets([fresh, old])).verify(blob.id, blob.name, withQuery({ signature }))).toEqual(blob);
    expect(blobLinks(createSecrets([fresh])).verify(blob.id, blob.name, withQuery({ signature }))).toBeNull();
  });

  it('is signed with the first key', () => {
    const both = signatureOf(blobLinks(createSecrets([fresh, old])).signedPathOf(blob));
    expect(both).toBe(signatureOf(blobLinks(createSecrets([fresh])).signedPathOf(blob)));
    expect(both).not.toBe(signature);
  });

  it('is good for one file under one name', () => {
    const links = blobLinks(createSecrets([old]));
    expect(links.verify(blob.id, 'another.pdf', withQuery({ signature }))).toBeNull();
    expect(links.verify('b'.repeat(64), blob.name, withQuery({ signature }))).toBeNull();
    for (const wrong of ['', 'ü'.repeat(32), `${signature}x`])
      expect(links.verify(blob.id, blob.name, withQuery({ signature: wrong }))).toBeNull();
  });

  it('names the bytes that it skips, which its signature covers', () => {
    const links = blobLinks(createSecrets([old]));
    const path = links.signedPathOf({ ...blob, skip: 33 });
    expect(path).toMatch(/&skip=33$/);
    expect(links.verify(blob.id, blob.name, queryOf(path))).toEqual({ ...blob, skip: 33 });
    for (const skip of [0, 32, Number.NaN])
      expect(links.verify(blob.id, blob.name, withQuery({ signature: signatureOf(path), skip }))).toBeNull();
    expect(links.verify(blob.id, blob.name, withQuery({ signature, skip: 33 }))).toBeNull();
  });

  it('ends at the time that its signature covers', () => {
    const links = blobLinks(createSecrets([old]));
    const now = Math.floor(Date.now() / 1000);
    const query = queryOf(links.signedPathOf({ ...blob, until: now + 3600 }));
    expect(links.verify(blob.id, blob.name, query)).toEqual({ ...blob, until: now + 3600 });
    expect(links.verify(blob.id, blob.name, queryOf(links.signedPathOf({ ...blob, until: now })))).toBeNull();
    for (const until of [now + 3601, '', 'x'])
      expect(
        links.verify(blob.id, blob.name, withQuery({ signature: String(query.get('signature')), until })),
      ).toBeNull();
    expect(links.verify(blob.id, blob.name, withQuery({ signature: String(query.get('signature')) }))).toBeNull();
  });
});
