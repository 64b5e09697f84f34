import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readBody } from './body.js';

describe('a body', () => {
  const withBody = { body: {} };
  const without = {};
  const read = (
    content: string | Buffer,
    headers: Record<string, string> = {},
    rules: Parameters<typeof readBody>[1] = withBody,
  ) => {
    const bytes = Buffer.from(content as string);
    const lengths = 'transfer-encoding' in headers ? {} : { 'content-length': String(bytes.length) };
    const request = Object.assign(Readable.from([bytes]), { headers: { ...lengths, ...headers } });
    return readBody(request as unknown as IncomingMessage, rules);
  };

  it('is JSON, declared as such or not at all', async () => {
    expect(await read('{"a":[1,"ä"]}')).toEqual({ a: [1, 'ä'] });
    expect(await read('{"a":1}', { 'transfer-encoding': 'chunked' })).toEqual({ a: 1 });
  });

  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/merge-patch+json',
    'application/vnd.a.b+json ;v=1',
  ])('may be of the type %s', async (type) => {
    expect(await read('{"a":1}', { 'content-type': type })).toEqual({ a: 1 });
  });

  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/json',
    'json',
    '',
  ])('of the type "%s" is refused with an error that says what to send', async (type) => {
    const refusal = expect.stringContaining('Send the body as application/json');
    await expect(read('{"a":1}', { 'content-type': type })).rejects.toMatchObject({
      type: 'UNSUPPORTED_MEDIA_TYPE',
      message: refusal,
    });
  });

  it.each([
    ['{"a":x}', 'at line 1, column 6'],
    ['{\n  "a": 1,\n}', 'at line 3, column 1'],
    ['[1 2]', 'at line 1, column 4'],
    ["{'a':1}", 'at line 1, column 2'],
    ['{} {}', 'at line 1, column 4'],
    ['// a', 'at line 1, column 1'],
    ['{"a":', 'it ends too early'],
    ['  ', 'it ends too early'],
  ])('%j is refused with an error that says where it is not JSON', async (text, where) => {
    await expect(read(text)).rejects.toMatchObject({ type: 'INVALID', message: `the body: not JSON, ${where}` });
  });

  it('is undefined where there is none, or the operation takes none', async () => {
    expect(await read('')).toBeUndefined();
    expect(await read('not json', {}, without)).toBeUndefined();
  });

  it('loses what would reach a prototype, also deep inside and escaped', async () => {
    const body = await read(
      '{"a":{"__proto__":{"x":1},"b":2},"\\u005f_proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
    );
    expect(JSON.stringify(body)).toBe('{"a":{"b":2}}');
  });

  it.each<[string, string | Buffer, Record<string, string>, string]>([
    ['cut off', '{"a":', {}, 'INVALID'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'INVALID'],
    ['of spaces', '   ', {}, 'INVALID'],
    ['compressed', '{}', { 'content-encoding': 'gzip' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['too large, as declared', '{}', { 'content-length': '1048577' }, 'TOO_LARGE'],
    ['too large, streamed', 'x'.repeat(1_048_577), { 'transfer-encoding': 'chunked' }, 'TOO_LARGE'],
    ['of too many values', JSON.stringify({ a: Array(10_000).fill(1) }), {}, 'INVALID'],
    [
      'of too many fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [at, 1]))),
      {},
      'INVALID',
    ],
    ['of too many values, cut off', `{"a":[${'1 , '.repeat(10_000)}`, {}, 'INVALID'],
    ['nested too deeply', `${'['.repeat(501)}1${']'.repeat(501)}`, {}, 'INVALID'],
    ['nested beyond any stack', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`, {}, 'INVALID'],
  ])('%s is refused', async (_, content, headers, type) => {
    await expect(read(content, headers)).rejects.toMatchObject({ type });
  });

  it.each([
    ['{"a":[{"title":"x \\ud800 y"}]}', 'a.0.title'],
    ['{"a":"\\uDFFF"}', 'a'],
    ['{"a":{"\\udc00":1}}', 'a.\ufffd'],
    ['"\\ud83d"', 'the body'],
    ['["\\ude00\\ud83d"]', '0'],
  ])('with half of a surrogate pair, as %s, is refused with its place', async (text, place) => {
    const message = `${place}: has half of a surrogate pair, which is no character`;
    await expect(read(text)).rejects.toMatchObject({ type: 'INVALID', message });
  });

  it('may have whole pairs, as escapes too', async () => {
    expect(await read('{"a":"\\ud83d\\ude00","b":"\\\\ud800"}')).toEqual({ a: '😀', b: '\\ud800' });
  });

  it('may have 10,000 values, whatever its strings contain', async () => {
    const text = '[{,"\\\\\\"]}\\'.repeat(5_000);
    const values = [{}, [], [], { text }, ...Array(9_993).fill(text.slice(0, 9)), 1];
    expect(await read(JSON.stringify(values, null, 1))).toEqual(values);
    await expect(read(JSON.stringify([...values, 1]))).rejects.toMatchObject({
      message: 'the body: more than 10000 values',
    });
  });

  it('may be nested as deep as documents are', async () => {
    const deep = `${'['.repeat(400)}${'1,'.repeat(1000)}1${']'.repeat(400)}`;
    expect(JSON.stringify(await read(deep))).toBe(deep);
  });
});
