import { operations } from '../contracts.js';
import { openApiDocument } from './openapi.js';

describe('the OpenAPI document', () => {
  let [info, tags, paths]: any[] = [];
  beforeAll(async () => {
    ({ info, tags, paths } = (await openApiDocument(operations, { version: '0', baseUrl: 'http://localhost' })) as any);
  });

  it('names the licence, and says what the operations of each tag are about', () => {
    expect(info.license.identifier).toBe('Apache-2.0');
    for (const { name, description } of tags) expect([name, description]).toEqual([name, expect.any(String)]);
  });

  it.each([
    ['/', 'get', [429]],
    ['/user', 'get', [401, 403, 429]],
    ['/spaces/{spaceId}', 'patch', [400, 401, 403, 404, 429]],
    ['/urls/published', 'post', [400, 429]],
  ])('declares how %s may refuse a request to %s', (path, method, refusals) => {
    const { responses } = paths[path][method];
    expect(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 400),
    ).toEqual(refusals);
    expect(responses.default).toBeDefined();
  });
});
