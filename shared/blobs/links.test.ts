import { createSecrets } from '../secrets/secrets.js';
import { blobLinks } from './links.js';

const [old, fresh] = ['o', 'f'].map((letter) => Buffer.from(letter.repeat(32)).toString('base64')) as [string, string];
const blob = { id: 'a'.repeat(64), name: 'a plan.pdf' };
const signatureOf = (path: string) => String(new URL(path, 'http://localhost').searchParams.get('signature'));

describe('a link to a file', () => {
  const signature = signatureOf(blobLinks(createSecrets([old])).signedPathOf(blob));

  it('is valid as long as its key is listed, wherever in the list', () => {
    expect(blobLinks(createSecrets([fresh, old])).verify(blob.id, blob.name, signature)).toEqual(blob);
    expect(blobLinks(createSecrets([fresh])).verify(blob.id, blob.name, signature)).toBeNull();
  });

  it('is signed with the first key', () => {
    const both = signatureOf(blobLinks(createSecrets([fresh, old])).signedPathOf(blob));
    expect(both).toBe(signatureOf(blobLinks(createSecrets([fresh])).signedPathOf(blob)));
    expect(both).not.toBe(signature);
  });

  it('is good for one file under one name', () => {
    const links = blobLinks(createSecrets([old]));
    expect(links.verify(blob.id, 'another.pdf', signature)).toBeNull();
    expect(links.verify('b'.repeat(64), blob.name, signature)).toBeNull();
    for (const wrong of ['', 'ü'.repeat(32), `${signature}x`])
      expect(links.verify(blob.id, blob.name, wrong)).toBeNull();
  });

  it('names the bytes that it skips, which its signature covers', () => {
    const links = blobLinks(createSecrets([old]));
    const path = links.signedPathOf({ ...blob, skip: 33 });
    expect(path).toMatch(/&skip=33$/);
    expect(links.verify(blob.id, blob.name, signatureOf(path), 33)).toEqual({ ...blob, skip: 33 });
    for (const skip of [0, 32, Number.NaN])
      expect(links.verify(blob.id, blob.name, signatureOf(path), skip)).toBeNull();
    expect(links.verify(blob.id, blob.name, signature, 33)).toBeNull();
  });
});
