import { dump, load } from 'js-yaml';
import { operations } from '../contracts.js';
import { openApiDocument } from './openapi.js';
import { yamlInSlices } from './yaml.js';

it.each([
  ['the OpenAPI document', () => openApiDocument(operations, { version: '0', baseUrl: 'http://localhost' })],
  [
    'small parts of all kinds',
    async () => ({ a: 1, b: {}, c: [], d: { e: { f: [{ g: 'h\ni' }], j: null }, 'k: l': '' } }),
  ],
  ['nothing', async () => ({ a: {} })],
])('%s in slices is as it is whole', async (_, make) => {
  const document = await make();
  const yaml = await yamlInSlices(document);
  expect(yaml).toBe(dump(document, { noRefs: true }));
  expect(load(yaml)).toEqual(JSON.parse(JSON.stringify(document)));
});
