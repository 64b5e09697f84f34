import { policyText } from '../policy-text.js';
import { parsePolicy } from './policy.js';

describe('the content security policy of a manifest', () => {
  it.each([
    // As block scalars of YAML are.
    ["default-src 'self';\n\nimg-src\n  https:\tdata:;\n", "default-src 'self'; img-src https: data:"],
    [';\n', ''],
    ["default-src 'self'\r\nset-cookie: a=b", "default-src 'self' set-cookie: a=b"],
    [
      { 'script-src': 'https://a.example\nhttps://b.example;\n', 'img-src': 'data:\n' },
      'script-src https://a.example https://b.example; img-src data:',
    ],
    // Each source ended as if it were the last one.
    [{ 'connect-src': 'a.example;\napi.example;\nself;\nblob:;\n' }, 'connect-src a.example api.example self blob:'],
    [{ 'img-src': ' ;; \n', sandbox: '', 'font-src': '*;;' }, 'img-src; sandbox; font-src *'],
  ])('%j is the header %j', (policy, header) => {
    const read = parsePolicy(policy);
    expect(policyText(read)).toBe(header);
    expect(parsePolicy(read)).toEqual(read);
  });

  it.each([
    ['contentSecurityPolicy: must be printable', 'default-src ä'],
    ['contentSecurityPolicy: must be printable', "default-src 'self'\0"],
    ['contentSecurityPolicy: must be printable', 'default-src\u2028a'],
    ['contentSecurityPolicy.img-src: must be printable', { 'img-src': 'https:\u0085x: y' }],
    ['contentSecurityPolicy.img-src: must not', { 'img-src': "https:;\nscript-src 'unsafe-inline'" }],
    ['contentSecurityPolicy.img-src: must not', { 'img-src': 'https:;Sandbox' }],
    ['contentSecurityPolicy.img-src: must not', { 'img-src': "https:, script-src 'unsafe-inline'" }],
    [
      'contentSecurityPolicy: at most',
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(2000)])),
    ],
  ])('is refused, naming %j', (message, policy) => {
    expect(() => parsePolicy(policy)).toThrow(message);
  });
});
